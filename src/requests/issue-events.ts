import { z } from "zod";
import type { Github } from "../github/client.ts";
import { AccountAnswer } from "../github/accounts.ts";
import type { Result } from "../core/result.ts";
import type { CommentedOn } from "../github/comments.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { untilFound } from "../github/ask-again.ts";

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
  .transform(({ id, label, actor, created_at }) => {
    return { id, label: label.name, actor: actor ?? null, at: Date.parse(created_at) };
  });

/** `actor` is null where the account is gone; `at` in milliseconds since the epoch, by GitHub's clock. */
type LabelEvent = z.output<typeof LabelAnswer>;

/** The newest event that added a label, which a webhook does not name; null: none. Never throws. */
export async function findLabelEvent(
  github: Github,
  { number, label, login }: { readonly number: number; readonly label: string; readonly login: string },
  on: CommentedOn = "pull-requests",
): Promise<Result<LabelEvent | null, Refused>> {
  const find = async () =>
    (await lastEvents(github, number)).findLast((event) => event.label === label && event.actor?.login === login);
  return ask(`${on}: read`, async () => (await untilFound(github.signal, find)) ?? null);
}

/** One event and the issue that it belongs to; null: it is not about a label that was put on. Never throws. */
export async function readLabelEvent(
  github: Github,
  id: number,
  on: CommentedOn = "pull-requests",
): Promise<Result<(LabelEvent & { readonly number: number }) | null, Refused>> {
  return ask(`${on}: read`, async () => {
    const { data } = await github.rest.issues.getEvent({ event_id: id });
    const event = LabelAnswer.safeParse(data);
    const number = data.issue?.number;
    return event.success && number !== undefined ? { ...event.data, number } : null;
  });
}

/** They come oldest first: read the last page by its number, and the one before it if it is short. */
async function lastEvents(github: Github, number: number): Promise<readonly LabelEvent[]> {
  const first = await eventsOn(github, number, 1);
  if (first.last <= 1) return first.events;
  const last = await eventsOn(github, number, first.last);
  const before = first.last === 2 ? first : await eventsOn(github, number, first.last - 1);
  return [...before.events, ...last.events];
}

async function eventsOn(github: Github, number: number, page: number) {
  const { data, headers } = await github.rest.issues.listEvents({ issue_number: number, per_page: PAGE, page });
  const events = data.flatMap((event) => {
    const parsed = LabelAnswer.safeParse(event);
    return parsed.success ? [parsed.data] : [];
  });
  return { events, last: Number(LAST.exec(headers.link ?? "")?.[1] ?? 1) };
}
