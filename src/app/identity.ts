import type { Config, Sources } from "../config/config.ts";
import { readSaid, type Flags, type Said } from "../config/read.ts";
import { SETTING_BY_NAME } from "../config/settings.ts";
import { IDENTITY } from "../config/settings/task.ts";
import type { TaskIdentity } from "../core/task.ts";

/** Whether a flag, by the setting's name or an alias, says what the task is. */
export function isIdentityFlag(flag: string): boolean {
  return IDENTITY.has(SETTING_BY_NAME.get(flag)?.name ?? "");
}

/** What the agent has to do for a PRD where nobody says it: the stories say what there is. */
export function promptOfPrd(name: string): string {
  return `Deliver the PRD ${name}, story by story.`;
}

/** The settings that a person said for this very command, by name; the config file is not among the places. */
export function saidNow(places: Said): ReadonlySet<string> {
  return new Set(readSaid(places).flatMap(({ given }) => [...given.keys()]));
}

/** @param sources absent: nobody set anything */
export function configuredIdentity(
  config: Config,
  prompt: string,
  sources?: Pick<Sources, "promiseGuard">,
): TaskIdentity {
  const { todoFile, hardStopToken: token, hardStopMode: mode, hardStopWhen: when } = config;
  const chosen = sources !== undefined && sources.promiseGuard.from !== "default" ? { isGuardSet: true } : {};
  return {
    prompt,
    promise: { text: config.completionPromise, mode: config.promiseMode, guard: config.promiseGuard, ...chosen },
    // An empty token counts as not set: it never matches and nothing asks for it (S-10).
    doneToken: (config.doneToken ?? "").trim() === "" ? null : config.doneToken,
    checks: {
      successCommand: config.successCmd,
      successShell: config.successSh,
      quality: config.qualityCommands,
      ci: config.ciWorkflow,
    },
    todo: todoFile === null ? null : { path: todoFile, token, mode, when },
    plan: config.backlog === "checklist" ? { path: config.planFile, agentFile: config.agentFile } : null,
    prd: config.backlog === "prd" ? config.prd : null,
  };
}

const TODO = { token: "hard-stop-token", mode: "hard-stop-mode", when: "hard-stop-when" };
const PLAN = { path: "plan-file", agentFile: "agent-file" };

/** The task of a resumed loop: as stored, except for what a person says now (C25). */
export function resumedIdentity(
  stored: TaskIdentity,
  configured: TaskIdentity,
  said: ReadonlySet<string>,
): TaskIdentity {
  const { promise, checks, todo, plan } = stored;
  const { successCommand, successShell } = saidSuccess(said) ? configured.checks : checks;
  return {
    prompt: said.has("prompt") || said.has("prompt-file") ? configured.prompt : stored.prompt,
    promise: withSaid(said, promise, configured.promise, {
      text: "completion-promise",
      mode: "promise-mode",
      guard: "promise-guard",
      isGuardSet: "promise-guard",
    }),
    doneToken: said.has("done-token") ? configured.doneToken : stored.doneToken,
    checks: {
      ...withSaid(said, checks, configured.checks, { quality: "quality-commands", ci: "ci-workflow" }),
      successCommand,
      successShell,
    },
    todo: said.has("todo-file") ? configured.todo : todo && withSaid(said, todo, configured.todo ?? todo, TODO),
    plan: said.has("backlog") ? configured.plan : plan && withSaid(said, plan, configured.plan ?? plan, PLAN),
    prd: said.has("backlog") || said.has("prd") ? configured.prd : stored.prd,
  };
}

function saidSuccess(said: ReadonlySet<string>): boolean {
  return said.has("success-cmd") || said.has("success-sh");
}

/** What is stored, with the fields whose settings a person says now. */
function withSaid<T extends object>(
  said: ReadonlySet<string>,
  stored: T,
  configured: T,
  settings: Readonly<Partial<Record<keyof T, string>>>,
): T {
  const settingOf = new Map(Object.entries<string | undefined>(settings));
  const now = Object.entries(configured).filter(([field]) => said.has(settingOf.get(field) ?? ""));
  return { ...stored, ...Object.fromEntries(now) };
}

/**
 * Flags with which the rules over several settings see a resumed task as it is going to run: the stored checks and
 * promise, unless they are given now.
 */
export function storedFlags(said: ReadonlySet<string>, identity: TaskIdentity): Flags {
  const { promise, doneToken, checks, todo, plan, prd } = identity;
  const hasSuccess = saidSuccess(said);
  const looksForPromise = promise.mode !== "off" || said.has("promise-mode");
  const stored: Record<string, readonly string[]> = {
    ...(looksForPromise ? { "completion-promise": [promise.text] } : {}),
    "promise-mode": [promise.mode],
    "promise-guard": [promise.guard],
    "done-token": [doneToken ?? "none"],
  };
  if (checks.successCommand !== null && !hasSuccess) stored["success-cmd"] = [JSON.stringify(checks.successCommand)];
  if (checks.successShell !== null && !hasSuccess) stored["success-sh"] = [checks.successShell];
  if (checks.quality.length > 0) stored["quality-commands"] = [JSON.stringify(checks.quality)];
  if (plan !== null && !said.has("backlog")) {
    Object.assign(stored, { backlog: ["checklist"], "plan-file": [plan.path], "agent-file": [plan.agentFile] });
  }
  if (prd !== null && !said.has("backlog")) Object.assign(stored, { backlog: ["prd"], prd: [prd] });
  if (todo !== null) {
    stored["todo-file"] = [todo.path];
    stored["hard-stop-token"] = [todo.token];
    stored["hard-stop-mode"] = [todo.mode];
    stored["hard-stop-when"] = [todo.when];
  }
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !said.has(name)));
}
