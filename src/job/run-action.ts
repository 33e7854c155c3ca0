import { INPUT_PREFIX } from "../config/action.ts";
import { environmentName } from "../config/setting.ts";
import { UsageError } from "../core/errors.ts";
import { FROM_FORK } from "../core/policy/may.ts";
import { readContext, type GithubContext } from "../github/context.ts";
import { revokeAppTokens } from "../github/app/app-token.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { whyNotStarted } from "../requests/authorise.ts";
import { commandOf } from "../requests/intent.ts";
import type { About, Host } from "./run-stage.ts";

/** Events by which people, and checks that fail, ask something of a loop that runs elsewhere. */
const ASKING: ReadonlySet<string> = new Set(["issue_comment", "pull_request_review", "workflow_run"]);
/** What happens to a pull request that is a relay's: it asks for something, or leaves something to clean up. */
const OF_PULL_REQUESTS: ReadonlySet<string> = new Set(["labeled", "closed"]);

/**
 * The main stage of the Action: runs the loop, or relays what an event asks of one. No loop runs for events of a fork's
 * pull request, whatever the setting says; that is not a mistake, so the job is green.
 *
 * @param about as for `Stage`
 * @returns the exit code
 */
export async function runAction(host: Host, log: RunnerLog, about: About): Promise<number> {
  refusePlatform(host.platform);
  const context = readContext(host.env);
  try {
    return await runStep(host, log, about, context);
  } finally {
    await revokeAppTokens();
  }
}

/** @returns as `runAction` */
async function runStep(host: Host, log: RunnerLog, about: About, context: GithubContext): Promise<number> {
  const said = settingOfJob(host);
  if (isRelay(said, context)) return (await import("../requests/relay.ts")).runRelay(host.env, log, context);
  // What another job of this run has done is published whatever somebody has switched off since.
  const isAsked = said !== "publish";
  const whyNot = isForks(context) ? FROM_FORK : isAsked ? await whyNotStarted(host.env, context, log) : null;
  if (whyNot !== null) {
    log.notice(`${whyNot} Nothing was done.`);
    return 0;
  }
  if (said === "publish") return (await import("./run-publish.ts")).runPublish(host, log, about);
  if (said === "plan") return (await import("./waves/run-plan.ts")).runPlan(host, log);
  if (said === "land") return (await import("./waves/run-land.ts")).runLand(host, log);
  return (await import("./run-job.ts")).runMain(host, log, about);
}

/** Whether an event is about a pull request whose branch is in another repository, or in one that is gone. */
function isForks({ event: { pullRequest }, repository }: GithubContext): boolean {
  const head = pullRequest?.head ?? null;
  return head !== null && head.repository?.id !== repository.id;
}

/** The value of the setting `job`; undefined: it is not set. */
function settingOfJob({ env }: Host): string | undefined {
  return env[`${INPUT_PREFIX}JOB`]?.trim() || env[environmentName("job")]?.trim() || undefined;
}

const WORKING: ReadonlySet<string | undefined> = new Set(["loop", "run", "publish", "plan", "land"]);

/** The value of the setting `job`, else what fits the event. */
function isRelay(said: string | undefined, { eventName, event }: GithubContext): boolean {
  if (said === "relay" || WORKING.has(said)) return said === "relay";
  // Other labels on issues are nobody's request: what runs for them, the workflow itself says.
  if (eventName === "issues" && event.action === "labeled") return commandOf(event.label ?? "", "issue") !== undefined;
  return ASKING.has(eventName) || (eventName === "pull_request" && OF_PULL_REQUESTS.has(event.action));
}

/**
 * Refuses to run where ending a whole process tree is not implemented yet (D-38).
 *
 * @param platform as in `process.platform`
 * @throws UsageError on Windows
 */
export function refusePlatform(platform: NodeJS.Platform): void {
  if (platform !== "win32") return;
  const what =
    "The Action does not run on Windows yet: an agent and everything it starts could not be ended in time there. Nothing was done.";
  const next = "Give the job runs-on: ubuntu-latest, or a macOS runner.";
  throw new UsageError([{ code: "WINDOWS_NOT_SUPPORTED", what, next }]);
}
