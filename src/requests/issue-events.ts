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
    event: z.enum(["labeled", "unlabeled"]),
    label: z.object({ name: z.string() }),
    actor: AccountAnswer,
    created_at: z.string(),
  })
  .transform(({ id, event, label, actor, created_at }) => {
    return { id, event, label: label.name, actor: actor ?? null, at: Date.parse(created_at) };
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
    (await lastEvents(github, number)).findLast(
      (event) => event.event === "labeled" && event.label === label && event.actor?.login === login,
    );
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
    const read = LabelAnswer.safeParse(data);
    const number = data.issue?.number;
    return read.success && read.data.event === "labeled" && number !== undefined ? { ...read.data, number } : null;
  });
}

/** A label that somebody put on and another account took off, as a relay does that has heard it. */
export interface TakenLabel {
  readonly label: string;
  /** login of who put it on */
  readonly by: string;
  /** login of who took it off */
  readonly takenBy: string;
  /** when it was put on, and when it was taken off; milliseconds since the epoch, by GitHub's clock */
  readonly at: number;
  readonly takenAt: number;
}

/** The labels that people have put on and others have taken off, the oldest first, of the last 100 to 200 events. Never throws. */
export async function labelsTaken(
  github: Github,
  number: number,
  on: CommentedOn,
): Promise<Result<readonly TakenLabel[], Refused>> {
  return ask(`${on}: read`, async () => {
    const events = await lastEvents(github, number);
    return events.flatMap(({ event, label, actor, at }, index): TakenLabel[] => {
      if (event !== "labeled" || actor?.type !== "User") return [];
      const next = events.slice(index + 1).find((later) => later.label === label);
      const takenBy = next?.event === "unlabeled" ? next.actor?.login : undefined;
      if (next === undefined || takenBy === undefined || takenBy === actor.login) return [];
      return [{ label, by: actor.login, takenBy, at, takenAt: next.at }];
    });
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
