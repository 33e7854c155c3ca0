import { type LoopCommand, readCommand } from "../core/policy/command.ts";
import { letsWork } from "../core/policy/may.ts";
import { done, type Result } from "../core/result.ts";
import { ownLogin, sameLogin } from "../github/accounts.ts";
import type { Github } from "../github/client.ts";
import { react, reply } from "../github/comments.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { refusalReply } from "../views/github/relay-reply.ts";
import type { FoundLoop } from "./find-loop.ts";

/** At most this many comments since the loop was last saved are looked at. */
const MOST = 100;

/** So long a run that was just asked for may be missing in GitHub's lists of runs; milliseconds. */
const LISTS_LAG_MS = 60_000;

/** What still may do what was asked for. */
const WAITING = ["queued", "pending", "waiting", "requested", "in_progress"] as const;

/** A comment whose request was handed on, and of which nothing came. */
interface Lost {
  readonly id: number;
  readonly url: string;
  readonly command: LoopCommand;
}

/**
 * Tells of what people have asked of a loop and nothing came of: its run was cancelled or refused after the relay that had
 * started it was gone (C88). A run that begins writes the loop's record, so only what was asked since can be lost,
 * and only where no run of the workflow waits. What was handed on a moment ago may be missing in the lists of runs: the next
 * relay tells of it. Each is told once: 😕 marks it. Never throws.
 *
 * @param asking the comment that is being answered now
 * @param at when that was asked; milliseconds since the epoch
 * @returns what was told, a line each for the log
 */
export async function tellLost(
  github: Github,
  {
    number,
    file,
    loop,
    asking,
    at,
  }: {
    readonly number: number;
    /** of the workflow that works, as in `worker.yml` */
    readonly file: string;
    readonly loop: Pick<FoundLoop, "state" | "running">;
    readonly asking: number | null;
    readonly at: number;
  },
): Promise<Result<readonly string[], Refused>> {
  if (loop.running) return done([]);
  const since = loop.state.updated_at;
  const found = await ask("pull-requests: read", async () => {
    const { data } = await github.rest.issues.listComments({ issue_number: number, since, per_page: MOST });
    const earlier = data.filter((row) => row.id !== asking && Date.parse(row.created_at) > Date.parse(since));
    const asked = earlier.flatMap(({ id, html_url: url, body = "" }): Lost[] => {
      const read = readCommand(body);
      const isWork = read.kind === "command" && read.command !== "prd" && letsWork(read.command);
      return isWork ? [{ id, url, command: read.command }] : [];
    });
    return asked.length === 0 || (await isAnyWaiting(github, file)) ? [] : asked;
  });
  if (!found.ok || found.value.length === 0) return found.ok ? done([]) : found;
  const us = await ownLogin(github);
  if (!us.ok) return us;
  const handedOn = { asked: found.value, us: us.value, at };
  const lost = await ask("pull-requests: read", async () => onlyHandedOn(github, handedOn));
  if (!lost.ok) return lost;
  const told: string[] = [];
  for (const { id, url, command } of lost.value) {
    await react(github, id, "confused");
    const why = `${url} asked for /smithers ${command}, and nothing came of it: its run was cancelled, refused, or ended before the loop began.`;
    await reply(github, number, refusalReply(why, "If you still want it, ask again with a new comment."));
    told.push(`nothing has come of what ${url} asked for, which is told there now`);
  }
  return done(told);
}

/** @throws what Octokit throws */
async function isAnyWaiting(github: Github, file: string): Promise<boolean> {
  const runs = await Promise.all(
    WAITING.map(async (status) => {
      // Not the run of a relay in the same file, which this may be.
      const asked = { workflow_id: file, event: "workflow_dispatch", status, per_page: 1 } as const;
      return github.rest.actions.listWorkflowRuns(asked);
    }),
  );
  return runs.some(({ data }) => data.total_count > 0);
}

/** What may be lost, and whose reactions say so. */
interface HandedOn {
  readonly asked: readonly Lost[];
  /** the login of the account that relays react as: what others' bots say is nothing of ours */
  readonly us: string;
  /** milliseconds since the epoch */
  readonly at: number;
}

/** Those that a relay has handed on, by its 🚀, long before, and that nobody has told of yet. @throws what Octokit throws */
async function onlyHandedOn(github: Github, { asked, us, at }: HandedOn): Promise<readonly Lost[]> {
  const seen = await Promise.all(
    asked.map(async ({ id }) => {
      const { data } = await github.rest.reactions.listForIssueComment({ comment_id: id, per_page: MOST });
      const ours = data.filter(({ user }) => sameLogin(user?.login ?? "", us));
      const handedOn = ours.find(({ content }) => content === "rocket");
      const isLong = handedOn !== undefined && Date.parse(handedOn.created_at) + LISTS_LAG_MS <= at;
      return isLong && !ours.some(({ content }) => content === "confused");
    }),
  );
  return asked.filter((_, index) => seen[index]);
}
