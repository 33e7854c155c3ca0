import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { litterIn } from "./litter.ts";
import type { Ended } from "./stage.ts";
import type { Told } from "./troubles.ts";

/** What a loop is to do, and what it is judged by. */
export interface Task {
  /** `cap`: it is never done, and ends at its cap */
  readonly proof: "command" | "claim" | "cap";
  readonly commit: "iteration" | "end" | "never";
  /** how many it takes without trouble */
  readonly iterations: number;
}

const books = z.looseObject({
  status: z.string(),
  phase: z.string(),
  stop_reason: z.looseObject({ kind: z.string() }).nullable(),
  iteration: z.number(),
  revision: z.number(),
  iterations: z.array(z.looseObject({ iteration: z.number(), agent: z.string(), commit: z.string().nullable() })),
  spent: z.looseObject({ turns: z.number() }),
});
type Books = z.infer<typeof books>;

const KINDS = { command: "success_command", claim: "promise", cap: "max_iterations" } as const;

/** What did not hold once the last run is over, in words. */
export async function brokenBy(told: Told, task: Task, last: Ended): Promise<readonly string[]> {
  let state: Books;
  try {
    state = books.parse(JSON.parse(await readFile(told.stateFile, "utf8")));
  } catch (error) {
    return [`no state can be read at the end (exit ${last.code}): ${String(error).slice(0, 200)}`];
  }
  return [
    ...endingBroken(state, task, last),
    ...(await countsBroken(told, state)),
    ...(await historyBroken(told, state)),
    ...(await commitsBroken(told, task)),
    ...(await personBroken(told)),
    ...(await litterIn(told.stage)),
  ];
}

function endingBroken(state: Books, { proof }: Task, { code }: Ended): readonly string[] {
  const kind = state.stop_reason?.kind ?? state.status;
  return kind === KINDS[proof] ? [] : [`it ends as ${kind} (exit ${code}), not as ${KINDS[proof]}`];
}

/** No iteration is lost or counted twice, and no turn is paid twice. */
async function countsBroken({ stage }: Told, state: Books): Promise<readonly string[]> {
  const kept = state.iterations.map(({ iteration }) => iteration).join();
  const wanted = Array.from({ length: state.iteration }, (_, index) => index + 1).join();
  const turns = await stage.turns();
  const ended = state.iterations.filter(({ agent }) => agent !== "abandoned");
  return [
    ...(kept === wanted ? [] : [`iterations ${kept || "none"} are in the state, not ${wanted}`]),
    ...(new Set(turns).size === turns.length ? [] : [`the agent was paid twice: ${turns.join()}`]),
    ...(turns.every((turn) => turn <= state.iteration) ? [] : [`turns ${turns.join()} of ${state.iteration}`]),
    ...(state.spent.turns === ended.length ? [] : [`${state.spent.turns} turns are paid, ${ended.length} have ended`]),
  ];
}

const event = z.looseObject({ type: z.string(), revision: z.number(), iteration: z.number().optional() });

async function historyBroken({ eventsFile, isHistoryCut }: Told, state: Books): Promise<readonly string[]> {
  if (isHistoryCut) return [];
  const lines = (await readFile(eventsFile, "utf8")).trimEnd().split("\n");
  const events = lines.map((line) => event.parse(JSON.parse(line)));
  const revisions = events.map(({ revision }) => revision);
  const isWhole = revisions.every((revision, index) => revision === index + 1) && revisions.at(-1) === state.revision;
  const twice = ["turn_started", "turn_ended", "settled", "turn_abandoned"].filter((type) => {
    const of = events.filter((one) => one.type === type).map(({ iteration }) => iteration);
    return new Set(of).size !== of.length;
  });
  return [
    ...(isWhole
      ? []
      : [`the history has ${revisions.length} events up to ${revisions.at(-1)}, the state ${state.revision}`]),
    ...twice.map((type) => `an iteration has ${type} twice`),
  ];
}

/** Each file that a turn has made is in exactly one commit, and no iteration has two. */
async function commitsBroken({ stage }: Told, { commit, proof }: Task): Promise<readonly string[]> {
  const format = "--format=%x00%(trailers:key=Smithers-Iteration,valueonly,separator=%x2C)";
  const commits = (await stage.git("log", "--branches", format, "--name-only"))
    .split("\0")
    .slice(1)
    .map((text) => text.split("\n").filter((line) => line !== ""));
  const iterations = commits.flatMap(([first]) => (first !== undefined && /^\d+$/u.test(first) ? [first] : []));
  const made = commits.flatMap((lines) => lines.filter((line) => line.startsWith("parts/")));
  const left = await stage.git("status", "--porcelain", "--untracked-files=all", "--", "parts");
  if (commit === "never") return made.length === 0 ? [] : [`${made.length} files are committed, and none should be`];
  const isLeft = left !== "" && (commit === "iteration" || proof !== "cap");
  return [
    ...(isLeft ? [`outside of any commit: ${left.replaceAll("\n", ", ")}`] : []),
    ...(new Set(made).size === made.length ? [] : [`a file is in two commits: ${made.join(", ")}`]),
    ...(new Set(iterations).size === iterations.length ? [] : [`an iteration has two commits: ${iterations.join()}`]),
  ];
}

async function personBroken({ stage, notes }: Told): Promise<readonly string[]> {
  const now = await readFile(path.join(stage.repository, "notes.md"), "utf8");
  const stash = await stage.git("show", "stash@{0}:notes.md").catch(() => "");
  const staged = await stage.git("diff", "--cached", "--name-only");
  const fsck = await stage.git("fsck", "--no-dangling", "--connectivity-only").catch((error: unknown) => String(error));
  return [
    ...(now === notes ? [] : [`the person's file holds ${JSON.stringify(now)}, not ${JSON.stringify(notes)}`]),
    ...(stash === "stashed" ? [] : ["the person's stash is gone"]),
    ...(["", "notes.md"].includes(staged) ? [] : [`the index holds ${staged.replaceAll("\n", ", ")}`]),
    ...(/error|fatal|missing/u.test(fsck) ? [`the repository is damaged: ${fsck.slice(0, 300)}`] : []),
  ];
}

/** For whoever looks for the cause. */
export async function booksOf({ eventsFile }: Told): Promise<string> {
  const lines = (await readFile(eventsFile, "utf8").catch(() => "")).trimEnd().split("\n");
  const short = lines.map((line) => /"type":"(\w+)"/u.exec(line)?.[1] ?? "?");
  return short.join(" ");
}
