import { z } from "zod";

/** What we read of the event that caused a run. Whatever does not look as expected counts as not there. */
export interface EventPayload {
  readonly pullRequest: PullRequestHead | null;
  readonly visibility: "private" | "public" | "unknown";
  /** whose doing it is; null for events that nobody caused, such as a schedule */
  readonly sender: { readonly login: string; readonly type: string } | null;
  /** of `workflow_dispatch`; texts, whatever their type in the workflow */
  readonly inputs: Readonly<Record<string, string>>;
}

/** The pull request that an event is about. */
export interface PullRequestHead {
  readonly number: number;
  /** null where the event does not say it, as for comments: it has to be asked for */
  readonly head: Head | null;
}

/** What a pull request wants to be merged. */
export interface Head {
  readonly sha: string;
  readonly ref: string;
  /** null when it was deleted; another than ours makes it a fork */
  readonly repository: { readonly id: number; readonly fullName: string } | null;
}

const HeadPayload = z.object({
  sha: z.string(),
  ref: z.string(),
  repo: z.object({ id: z.number(), full_name: z.string() }).nullish().catch(null),
});

const Payload = z
  .object({
    pull_request: z
      .object({ number: z.int().positive(), head: HeadPayload.nullish().catch(null) })
      .nullish()
      .catch(null),
    issue: z
      .object({ number: z.int().positive(), pull_request: z.object({}).nullish() })
      .nullish()
      .catch(null),
    repository: z
      .object({ private: z.boolean().nullish().catch(null), visibility: z.string().nullish().catch(null) })
      .nullish()
      .catch(null),
    sender: z
      .object({ login: z.string(), type: z.string().catch("") })
      .nullish()
      .catch(null),
    inputs: z.record(z.string(), z.unknown()).nullish().catch(null),
  })
  .catch({});

/** Reads the file at `GITHUB_EVENT_PATH`. Never throws. */
export function readEventPayload(json: string): EventPayload {
  const payload = Payload.parse(parse(json));
  return {
    pullRequest: pullRequestOf(payload),
    visibility: visibilityOf(payload.repository),
    sender: payload.sender ?? null,
    inputs: textsOf(payload.inputs ?? {}),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function pullRequestOf({ pull_request: own, issue }: z.infer<typeof Payload>): PullRequestHead | null {
  if (own !== null && own !== undefined) {
    return { number: own.number, head: own.head ? headOf(own.head) : null };
  }
  return issue?.pull_request ? { number: issue.number, head: null } : null;
}

function headOf({ sha, ref, repo }: z.infer<typeof HeadPayload>): Head {
  return { sha, ref, repository: repo ? { id: repo.id, fullName: repo.full_name } : null };
}

/** Anything but a clear word is unknown. `internal` is seen by more people than are let in: it counts as public. */
function visibilityOf(repository: z.infer<typeof Payload>["repository"]): EventPayload["visibility"] {
  const { visibility, private: hidden } = repository ?? {};
  if (visibility === "private" || visibility === "public") return visibility;
  if (visibility === "internal") return "public";
  if (typeof hidden !== "boolean") return "unknown";
  return hidden ? "private" : "public";
}

function textsOf(inputs: Readonly<Record<string, unknown>>): Record<string, string> {
  const plain = Object.entries(inputs).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return Object.fromEntries(plain.map(([name, value]) => [name, String(value)]));
}
