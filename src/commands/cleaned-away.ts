import { locate, type Location } from "../app/locate.ts";
import { quoted } from "../app/resume/command.ts";
import type { Shell } from "../app/shell.ts";
import type { Flags } from "../config/read.ts";
import type { CarriedRecord } from "../core/carry.ts";
import { isLoopId, loopRefOf } from "../core/names.ts";
import { UsageError } from "../core/errors.ts";
import { commitsOfLoop, type LoopCommits } from "../git/checkout/loop-commits.ts";
import { counted } from "../views/amounts.ts";
import { githubPlace } from "./github-place.ts";

const WITHIN_MS = 15_000;

/** A loop that is not on this machine, as its ref on GitHub has it. */
export interface LoopElsewhere {
  readonly record: CarriedRecord;
  /** where it was found, and what that means, in whole sentences */
  readonly told: string;
}

/** What is known of a loop whose files are not on this machine. */
interface Traces {
  readonly commits: LoopCommits | undefined;
  readonly elsewhere: LoopElsewhere | undefined;
  /** what GitHub has besides, or why it was not asked; whole sentences */
  readonly remarks: readonly string[];
}

/**
 * Looks for a loop that a command did not find here: on its ref and among the artifacts on GitHub, and in the history of
 * what is checked out.
 *
 * @param thrown what the command has thrown; anything but a loop that is not there is thrown again
 * @returns the loop as its ref has it
 * @throws UsageError `LOOP_CLEANED_AWAY` with what is left of it and what `run` would do; `thrown` where nothing is known
 */
export async function findElsewhere(thrown: unknown, flags: Flags, shell: Shell): Promise<LoopElsewhere> {
  const { location, traces } = await tracesOf(thrown, flags, shell);
  if (traces.elsewhere !== undefined) return traces.elsewhere;
  if (traces.commits === undefined && traces.remarks.length === 0) throw thrown;
  throw cleanedAway(location, traces, shell);
}

/** As `findElsewhere`, for a command that would go on with the loop: that is refused, wherever the loop is. */
export async function refuseElsewhere(thrown: unknown, flags: Flags, shell: Shell): Promise<never> {
  const { record, told } = await findElsewhere(thrown, flags, shell);
  const { loop_id: loopId } = record;
  throw new UsageError({
    code: "LOOP_ELSEWHERE",
    what: `${told} Nothing was begun here: two machines would do its work twice, and pay for it twice.`,
    next: `Let it go on there: by /smithers continue on its pull request, or by the next run of its workflow. ${anew(loopId, shell)}`,
  });
}

/**
 * What a person has to know when a run begins a loop anew whose files are gone, in whole sentences; undefined: nothing
 * says that there was one.
 */
export async function beginsAnew(root: string, loopId: string): Promise<string | undefined> {
  const commits = await commitsOfLoop(root, loopId);
  return commits && `${inHistory(commits)} Its files are not here, so it starts again: ${FRESH}.`;
}

async function tracesOf(thrown: unknown, flags: Flags, shell: Shell) {
  const isMissing = thrown instanceof UsageError && thrown.problems.some(({ code }) => code === "LOOP_UNKNOWN");
  if (!isMissing) throw thrown;
  const location = await locate(flags, shell, "silent");
  if (location.stateFile !== null) throw thrown;
  const commits = await commitsOfLoop(location.root, location.loopId);
  const loopId = location.loopId ?? commits?.loopId ?? null;
  const onGithub = loopId === null || !isLoopId(loopId) ? NOTHING : await lookOnGithub(location, loopId, shell);
  return { location, traces: { commits, ...onGithub } };
}

const NOTHING: Omit<Traces, "commits"> = { elsewhere: undefined, remarks: [] };

async function lookOnGithub({ root }: Location, loopId: string, shell: Shell): Promise<Omit<Traces, "commits">> {
  const place = await githubPlace(undefined, root, shell);
  // Nobody has asked for it, and the loop may never have been there.
  if (typeof place === "string") return NOTHING;
  const [{ createGithub }, { readRecord }, { newestOfLoop }] = await Promise.all([
    import("../github/client.ts"),
    import("../requests/find-loop.ts"),
    import("../carry/find-artifact.ts"),
  ]);
  const { owner, name, token, apiUrl, serverUrl } = place;
  const signal = AbortSignal.timeout(WITHIN_MS);
  const github = createGithub({ token, apiUrl, repository: { owner, name, id: 0 }, signal });
  const ref = loopRefOf(loopId);
  const found = await readRecord(github, loopId);
  if (!found.ok)
    return { ...NOTHING, remarks: [`Whether ${ref} on GitHub holds it is not known: ${found.trouble.because}.`] };
  if (found.value !== null) {
    const { state, saved_at: at, run } = found.value.record;
    const how = `${state.status} after ${counted(state.iteration, "iteration")}, saved at ${at} by run ${run.id}`;
    const told = `Loop ${loopId} is not on this machine. ${ref} on ${owner}/${name} holds it, unharmed: ${how}.`;
    return { ...NOTHING, elsewhere: { record: found.value.record, told } };
  }
  const artifact = await newestOfLoop(github, loopId);
  if (artifact === undefined) return NOTHING;
  const at = `${serverUrl}/${owner}/${name}/actions/runs/${artifact.runId}/artifacts/${artifact.id}`;
  return {
    ...NOTHING,
    remarks: [`The artifact ${artifact.name} has its files: ${at}. Its workflow's next run goes on from there.`],
  };
}

const FRESH = "iteration 1, fresh counts and a fresh session, on the work as it is checked out";

function inHistory({ loopId, count, iteration, newest }: LoopCommits): string {
  return `${counted(count, "commit")} of loop ${loopId} ${count === 1 ? "is" : "are"} in the history of what is checked out, up to iteration ${iteration} (${newest.slice(0, 12)}).`;
}

function anew(loopId: string, { program }: Shell): string {
  return `${program} run --loop-id ${quoted(loopId)} "<prompt>" would start it again: ${FRESH}.`;
}

function cleanedAway({ root, loopId: named }: Location, { commits, remarks }: Traces, shell: Shell): UsageError {
  const loopId = named ?? commits?.loopId ?? "";
  const gone =
    commits === undefined
      ? ""
      : ` ${inHistory(commits)} They are unharmed. Its files were removed, as git clean -ffdx does: state, counts, notes and session are gone.`;
  return new UsageError({
    code: "LOOP_CLEANED_AWAY",
    what: [`There is no loop ${loopId} in ${root}.${gone}`, ...remarks].join(" "),
    next: `Correct --loop-id or --cd if another one is meant. ${anew(loopId, shell)}`,
  });
}
