import { DONE, done, failed, type Result } from "../core/result.ts";
import type { Github } from "../github/client.ts";
import type { Refused } from "../github/refusal.ts";
import { prdStatusReply, type PrdStanding } from "../views/github/prd-status.ts";
import { type Relayed, writeReply } from "./acknowledge.ts";
import type { PrdIntent } from "./intent.ts";
import { readPrdRecord } from "./prd-record.ts";
import { standingOf } from "./prd-standing.ts";
import { choosePrd, listPrds, readStories } from "./prds.ts";
import { NO_DEFAULT_BRANCH, type RelayJob, startWorkflow, unable, unwilling } from "./relay-job.ts";

/**
 * Answers what is asked of a PRD, or starts the workflow that does it. A PRD is what the default branch says, wherever
 * the comment is: no pull request's head is worked on, so none is pinned.
 */
export async function answerOfPrd(job: RelayJob, intent: PrdIntent): Promise<Relayed> {
  const { github, context } = job;
  const { name, verb, story } = intent.ask;
  const { defaultBranch: branch } = context.event;
  if (branch === null) return unable(NO_DEFAULT_BRANCH);
  const names = await listPrds(github);
  if (!names.ok) return unable(`The PRDs on ${branch} cannot be listed: ${names.trouble.because}.`);
  const chosen = choosePrd(name, names.value, branch);
  if (!chosen.ok) return unwilling(chosen.trouble.because, chosen.trouble.next);
  const read = await readStanding(github, branch, chosen.value);
  if (!read.ok) return unable(`How ${chosen.value} stands cannot be read: ${read.trouble.because}.`);
  const { standing, untold } = read.value;
  if (verb === "status") return tellStanding(job, intent, standing);
  const doable = whyNot(intent, standing);
  if (!doable.ok && untold !== null) return unable(`Whether the last run is over cannot be told: ${untold}.`);
  if (!doable.ok) return unwilling(doable.trouble.because, doable.trouble.next);
  const workflow = job.relayPrdTo ?? job.relayTo ?? context.workflow.file;
  // The words stay in the comment, where the workflow reads them itself.
  const prd = { name: chosen.value, verb, story, branch: null, words: "" };
  const asked = {
    command: "prd",
    loop: null,
    pr: null,
    head: null,
    request: intent.request,
    issue: null,
    self: false,
    prd,
  } as const;
  return startWorkflow(job, intent, workflow, asked);
}

interface ReadStanding {
  readonly standing: PrdStanding;
  /** why it is not known whether a run is under way, as part of a sentence; null: it is */
  readonly untold: string | null;
}

async function readStanding(github: Github, branch: string, name: string): Promise<Result<ReadStanding, Refused>> {
  const [stories, found] = await Promise.all([readStories(github, name), readPrdRecord(github, name)]);
  if (!stories.ok) return stories;
  if (!found.ok) return found;
  if (stories.value === null) {
    return failed({
      kind: "refused",
      because: `.daedalus/prds/${name}/prd.json on ${branch} is missing, too large or no PRD`,
    });
  }
  return done({
    standing: standingOf(name, stories.value, found.value),
    untold: found.value?.untold ?? null,
  });
}

async function tellStanding({ github, log }: RelayJob, intent: PrdIntent, standing: PrdStanding): Promise<Relayed> {
  const written = await writeReply(github, intent, prdStatusReply(standing), log);
  if (!written.ok) return unable(`How ${standing.name} stands could not be said: ${written.trouble.because}.`);
  const passed = standing.stories.filter(({ state }) => state === "passed").length;
  return done(`PRD ${standing.name}: ${passed} of ${standing.stories.length} stories passed.`);
}

/** What can be told before a machine is paid for; the workflow looks again at everything. */
function whyNot({ ask: { verb, story } }: PrdIntent, standing: PrdStanding): Result<undefined, Unasked> {
  const { name, running, unclosed, stories } = standing;
  if (verb !== "run") {
    if (stories.some(({ id }) => id === story)) return DONE;
    const next = `/smithers prd ${name} status shows those that there are.`;
    return failed({ because: `${name} has no story ${story ?? ""}.`, next });
  }
  if (running) return failed({ because: `A run of ${name} is under way.`, next: "Nothing: it goes on by itself." });
  if (!unclosed && stories.length > 0 && stories.every(({ state }) => state === "passed")) {
    return failed({ because: `All stories of ${name} have passed.`, next: "Add stories to it, then run it again." });
  }
  return DONE;
}

interface Unasked {
  readonly because: string;
  readonly next: string;
}
