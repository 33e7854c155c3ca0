import { INPUT_PREFIX } from "../../config/inputs.ts";
import { environmentName } from "../../config/setting.ts";
import { readContext, type GithubContext } from "../../github/context.ts";
import type { RunnerLog } from "../../platform/runner-log.ts";
import { refusePlatform } from "./refuse-platform.ts";
import type { Host } from "./surroundings.ts";

/** Events by which people, and checks that fail, ask something of a loop that runs elsewhere. */
const ASKING: ReadonlySet<string> = new Set(["issue_comment", "workflow_run"]);
/** What happens to a pull request that is a relay's: it asks for something, or leaves something to clean up. */
const OF_PULL_REQUESTS: ReadonlySet<string> = new Set(["labeled", "closed"]);

/**
 * The main stage of the Action: runs the loop, or hands on what an event asks of one.
 *
 * @returns the exit code
 */
export async function runAction(host: Host, log: RunnerLog): Promise<number> {
  refusePlatform(host.platform);
  const context = readContext(host.env);
  if (isRelay(host, context)) return (await import("./run-relay.ts")).runRelay(host, log, context);
  return (await import("./run-worker.ts")).runWorker(host, log);
}

/** What the setting `job` says, else what the event is like. */
function isRelay({ env }: Host, { eventName, event }: GithubContext): boolean {
  const said = env[`${INPUT_PREFIX}JOB`]?.trim() || env[environmentName("job")]?.trim();
  if (said === "loop" || said === "relay") return said === "relay";
  return ASKING.has(eventName) || (eventName === "pull_request" && OF_PULL_REQUESTS.has(event.action));
}
