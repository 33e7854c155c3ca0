import { sweep } from "../../platform/supervise.ts";
import type { RunnerLog } from "../../platform/runner-log.ts";
import { readState } from "../../stores/state-file.ts";
import { marksOf } from "../place.ts";
import { createCarriage } from "./carriage.ts";
import { readCarryNote } from "../../stores/carry-note.ts";
import { checkpointsOf } from "./checkpoints-of.ts";
import { finish } from "./finish.ts";
import { maskSecrets } from "./mask-secrets.ts";
import { readSurroundings, type Host } from "./surroundings.ts";

const READ_MS = 15_000;
/** All of post is to be over in a minute: other actions' posts share the time (`github.md` section 8). */
const RESERVE_MS = 60_000;

/**
 * The post stage of the Action: does what main could not, because it was cancelled or killed. Where main has done all of
 * it, nothing happens.
 */
export async function runPost(host: Host, log: RunnerLog): Promise<number> {
  await perform(host, log);
  return 0;
}

async function perform(host: Host, log: RunnerLog): Promise<void> {
  const job = await readSurroundings(host, log);
  const { place, settings } = job;
  const marks = marksOf(place);
  await sweep(marks.agent);
  await sweep(marks.checks);
  const [note, state] = await Promise.all([readCarryNote(place), readState(place.stateFile)]);
  if (note === undefined || state === undefined || note.carried === state.revision) return;

  maskSecrets(settings.config, log);
  log.line(`loop ${place.loopId}: carrying away what the main step could not`);
  const { base } = note;
  const carriage = await createCarriage(job, base);
  const ref = await carriage.ref?.read(READ_MS);
  if (ref?.answer === "found") carriage.point(ref.record.bulk);
  const follows = ref?.answer === "found" ? ref.commit : null;
  if (ref?.answer !== "unreachable" && follows !== note.follows) {
    job.notice("Another run has gone on with this loop meanwhile, so nothing of this one is carried away.");
    return;
  }
  const checkpoints = checkpointsOf({ job, carriage, follows, base, withinMs: READ_MS });
  await finish(state, { job, carriage, checkpoints, base, reserveMs: RESERVE_MS });
}
