import { z } from "zod";
import type { Access } from "../github/access.ts";
import { AccountAnswer } from "../github/account.ts";
import { type Answer, ask } from "../github/answer.ts";
import { untilFound } from "../github/ask-again.ts";
import type { Account } from "../github/event-payload.ts";

/** A label was put on. */
export interface LabelEvent {
  readonly id: number;
  readonly label: string;
  /** null: the account is gone */
  readonly actor: Account | null;
  /** milliseconds since the epoch, by GitHub's clock */
  readonly at: number;
}

/** Who put which label on what. */
export interface Labelling {
  /** of the pull request */
  readonly number: number;
  readonly label: string;
  readonly login: string;
}

const PERMISSION = "pull-requests: read";
const PAGE = 100;
const LAST = /[?&]page=(\d+)[^>]*>; rel="last"/u;

const LabelAnswer = z
  .object({
    id: z.int().positive(),
    event: z.literal("labeled"),
    label: z.object({ name: z.string() }),
    actor: AccountAnswer,
    created_at: z.string(),
  })
  .transform(({ id, label, actor, created_at }): LabelEvent => {
    return { id, label: label.name, actor: actor ?? null, at: Date.parse(created_at) };
  });

/** The newest event in which somebody put a label on, which a webhook does not name; null: there is none. Never throws. */
export async function findLabelEvent(access: Access, labelling: Labelling): Promise<Answer<LabelEvent | null>> {
  const { label, login } = labelling;
  return ask(PERMISSION, async () => {
    const found = await untilFound(access.signal, async () => {
      const events = await lastEvents(access, labelling.number);
      return events.findLast((event) => event.label === label && event.actor?.login === login);
    });
    return found ?? null;
  });
}

/** One event and the issue that it belongs to; null: it is not about a label that was put on. Never throws. */
export async function readLabelEvent(
  { octokit, repository, signal }: Access,
  id: number,
): Promise<Answer<(LabelEvent & { readonly number: number }) | null>> {
  return ask(PERMISSION, async () => {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/issues/events/{event_id}", {
      owner: repository.owner,
      repo: repository.name,
      event_id: id,
      request: { signal },
    });
    const event = LabelAnswer.safeParse(data);
    const number = data.issue?.number;
    return event.success && number !== undefined ? { ...event.data, number } : null;
  });
}

/** They come oldest first: the last page is asked for by its number, and the one before it where it is short. */
async function lastEvents(access: Access, number: number): Promise<readonly LabelEvent[]> {
  const first = await eventsOn(access, number, 1);
  if (first.last <= 1) return first.events;
  const last = await eventsOn(access, number, first.last);
  const before = first.last === 2 ? first : await eventsOn(access, number, first.last - 1);
  return [...before.events, ...last.events];
}

async function eventsOn({ octokit, repository, signal }: Access, number: number, page: number) {
  const { data, headers } = await octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}/events", {
    owner: repository.owner,
    repo: repository.name,
    issue_number: number,
    per_page: PAGE,
    page,
    request: { signal },
  });
  const events = data.flatMap((event) => {
    const parsed = LabelAnswer.safeParse(event);
    return parsed.success ? [parsed.data] : [];
  });
  return { events, last: Number(LAST.exec(headers.link ?? "")?.[1] ?? 1) };
}
