import { z } from "zod";
import { done, failed, type Result } from "../../core/result.ts";
import type { IssueText } from "../../core/prompt/issue.ts";
import type { Github } from "../client.ts";
import { orNull } from "../event-payload.ts";
import { read } from "../graphql.ts";
import { ISSUE } from "../queries.ts";
import { ask, type Refused, saysThat } from "../refusal.ts";

/** An issue as it is now. */
export interface Issue extends IssueText {
  readonly open: boolean;
  /** for people */
  readonly url: string;
  /** when its text or its title was last changed; milliseconds since the epoch; null: never since it was written */
  readonly editedAt: number | null;
}

const Moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const Renamed = z.object({ nodes: z.array(orNull(z.object({ createdAt: Moment }))) });

const Answer = z
  .object({
    ...{ number: z.int(), title: z.string(), body: z.string(), state: z.string(), url: z.string() },
    author: z.object({ login: z.string() }).nullable(),
    lastEditedAt: Moment.nullable(),
    timelineItems: Renamed,
  })
  .transform(({ state, author, lastEditedAt, timelineItems, ...said }): Issue => {
    const renamed = timelineItems.nodes.map((node) => node?.createdAt ?? 0);
    const last = Math.max(lastEditedAt ?? 0, ...renamed);
    return { ...said, open: state === "OPEN", author: author?.login ?? null, editedAt: last === 0 ? null : last };
  });

const NO_ISSUE = /could not resolve to an issue\b/iu;

/** Reads an issue (`issues: read`); a pull request is none. Never throws. */
export async function readIssue(github: Github, number: number): Promise<Result<Issue, Refused>> {
  const answer = await ask("issues: read", async () => {
    try {
      return await read(github, ISSUE, { number }, Answer);
    } catch (error) {
      if (saysThat(error, NO_ISSUE)) return null;
      throw error;
    }
  });
  if (!answer.ok) return answer;
  if (answer.value !== null) return done(answer.value);
  return failed({ kind: "absent", because: `there is no issue #${number}` });
}
