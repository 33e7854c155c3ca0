import type { Invocation } from "../app/command.ts";
import type { Composition } from "../app/compose.ts";
import { generationOf, homeOf, type Plan } from "../app/plan.ts";
import { quoted, resumeCommand } from "../app/resume/command.ts";
import { keptSettings } from "../app/resume/kept.ts";
import { printJson, type Shell } from "../app/shell.ts";
import { toTask, workingHours } from "../app/to-task.ts";
import { formatSettings } from "../config/describe.ts";
import { propertyName } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { NO_USAGE, type TurnRequest } from "../core/agent.ts";
import { runLoop } from "../core/loop.ts";
import { outcomeOf, type StopReason } from "../core/outcome.ts";
import type { Ports, Provider } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import type { Task } from "../core/task.ts";

/**
 * `--dry-run`: the resolved settings with their sources, the first prompt and the exact command of the agent. Writes
 * nothing and starts nothing.
 */
export async function dryRun(
  plan: Plan,
  { ports, registered }: Composition,
  { json, flags }: Invocation,
  shell: Shell,
): Promise<number> {
  const { place, settings, prd, taskRequest, stored, opening } = plan;
  const generation = generationOf(plan);
  const task = toTask({ ...settings, place, prd, generation, taskRequest }, workingHours(settings.config, Date.now()));
  const first =
    opening.do === "leave"
      ? opening.reason
      : await firstMove(task, ports, opening.do === "resume" ? stored : undefined);
  const command = "prompt" in first ? registered.commandLine(first) : null;
  if (json) {
    printJson(shell, asJson(plan, first, command));
    return 0;
  }
  const lines = asText(plan, first, command ?? []);
  if (opening.do === "leave" && stored !== undefined) {
    const kept = await keptSettings(homeOf(plan), shell);
    lines.push(opening.because.replaceAll("<resume>", resumeCommand(shell.program, { flags, kept }, stored)));
  }
  shell.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

type FirstMove = TurnRequest | StopReason; // what a run would do first: take this turn, or stop at once

function asText({ place, opening, settings }: Plan, first: FirstMove, command: readonly string[]): string[] {
  const lines = [
    "Dry run: nothing is written and no agent is started.",
    `Loop: ${place.loopId} (${opening.do}), kept in ${place.stateFile}`,
    "",
    "Settings (value, where it comes from):",
    ...formatSettings(settings).map((line) => `  ${line}`),
    "",
  ];
  if ("prompt" in first) {
    lines.push("Command of the agent; the prompt goes to its stdin:", `  ${command.map(quoted).join(" ")}`, "");
    lines.push("First prompt:", first.prompt);
  } else {
    const { status, sentence } = outcomeOf(first);
    lines.push(`No turn would be taken: ${status} (${first.kind}). ${sentence}`);
  }
  return lines;
}

const SECRETS: ReadonlySet<string> = new Set(SETTINGS.filter((row) => row.secret).map((row) => propertyName(row.name)));

function asJson({ place, opening, settings }: Plan, first: FirstMove, command: readonly string[] | null): object {
  const { environmentSecrets: _, ...config } = settings.config;
  const shown = Object.entries(config).map(([name, value]) => [
    name,
    SECRETS.has(name) && value !== null ? "(set, not shown)" : value,
  ]);
  return {
    schema: 1,
    dry_run: true,
    loop_id: place.loopId,
    opening: opening.do,
    state_file: place.stateFile,
    settings: Object.fromEntries(shown),
    sources: settings.sources,
    command,
    prompt: "prompt" in first ? first.prompt : null,
    stop_reason: "prompt" in first ? null : first,
  };
}

/**
 * Runs the real loop up to the first turn, with ports that neither write nor start anything, so that `--dry-run` shows
 * the very prompt that a run would send. The checks are not asked; they count as red.
 */
async function firstMove(planned: Task, ports: Ports, stored: LoopState | undefined): Promise<FirstMove> {
  // Nothing is measured, so nothing can be accepted.
  const { acceptsProof: _, ...task } = planned;
  const end = new AbortController();
  const requests: TurnRequest[] = [];
  const provider: Provider = {
    name: ports.provider.name,
    preflight: async () => undefined,
    async *runTurn(request) {
      requests.push(request);
      end.abort();
      yield { type: "turn.failed", failure: NOT_ASKED, ...NOTHING };
    },
  };
  const reason = await runLoop(task, { ...ports, ...harmless(ports, stored), provider }, end.signal);
  return requests[0] ?? reason;
}

const NOT_ASKED = { kind: "cancelled", message: "dry run", retryable: false } as const;
const NOTHING = { exitCode: null, lastMessage: "", usage: NO_USAGE, sessionUsage: null } as const;

function harmless(
  { progress, backlog }: Ports,
  stored: LoopState | undefined,
): Omit<Ports, "provider" | "tests" | "hardStops" | "lists" | "matcher" | "clock" | "digest"> {
  return {
    store: { load: async () => stored, async append() {} },
    backlog: { ...backlog, sync: async () => [] },
    reviewer: { ask: async () => ({ type: "turn.failed", failure: NOT_ASKED, ...NOTHING }) },
    gate: { judge: async () => ({ result: "failed", checks: [] }) },
    workspace: {
      snapshot: async () => null,
      compare: async () => ({ files: 0, added: 0, removed: 0, stat: "", only_tests: false }),
      refusal: async () => null,
      keepPatch: async () => undefined,
      setAside: async () => null,
      changedOtherwise: async () => [],
      pendingFiles: async () => 0,
      named: async () => null,
      holding: async () => new Set(),
      testFiles: async () => null,
      changedTexts: async () => null,
      commit: async () => undefined,
    },
    control: { async *watch() {} },
    reporter: { report() {}, observe() {}, async flush() {} },
    progress: { record: async () => undefined, tail: async (bytes) => progress.tail(bytes) },
  };
}
