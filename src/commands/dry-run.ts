import { formatSettings } from "../config/describe.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { Composition } from "../app/compose.ts";
import { rehearse, type Rehearsal } from "../app/rehearse.ts";
import { quoted, resumeCommand } from "../app/resume-command.ts";
import { printJson, type Shell } from "../app/shell.ts";
import { generationOf, type Plan } from "../app/start-or-resume.ts";
import { toTask, workingHours } from "../app/to-task.ts";
import type { Invocation } from "../app/command.ts";

/**
 * `--dry-run`: the resolved settings with their sources, the first prompt and the exact command of the agent. Writes
 * nothing and starts nothing.
 */
export async function dryRun(
  plan: Plan,
  { ports, registered }: Composition,
  { json, flags }: Pick<Invocation, "json" | "flags">,
  shell: Shell,
): Promise<number> {
  const { place, settings, asked, stored, opening } = plan;
  const generation = generationOf(plan);
  const task = toTask({ ...settings, place, generation, asked }, workingHours(settings.config, Date.now()));
  const progress = { record: async () => undefined, tail: async (bytes: number) => ports.progress.tail(bytes) };
  const rehearsal: Rehearsal =
    opening.do === "leave"
      ? { first: "stop", reason: opening.reason }
      : await rehearse(task, { ...ports, progress }, opening.do === "resume" ? stored : undefined);
  const commandLine = rehearsal.first === "turn" ? registered.commandLine(rehearsal.request) : null;
  if (json) printJson(shell, asJson(plan, rehearsal, commandLine));
  else {
    const lines = [...asText(plan, rehearsal, commandLine), ...whyLeft(plan, flags, shell)];
    shell.stdout.write(`${lines.join("\n")}\n`);
  }
  return 0;
}

function asText(plan: Plan, rehearsal: Rehearsal, commandLine: readonly string[] | null): readonly string[] {
  const lines = [
    "Dry run: nothing is written and no agent is started.",
    `Loop: ${plan.place.loopId} (${plan.opening.do}), kept in ${plan.place.stateFile}`,
    "",
    "Settings (value, where it comes from):",
    ...formatSettings(plan.settings).map((line) => `  ${line}`),
    "",
  ];
  if (rehearsal.first === "stop") {
    const { status, sentence } = outcomeOf(rehearsal.reason);
    return [...lines, `No turn would be taken: ${status} (${rehearsal.reason.kind}). ${sentence}`];
  }
  return [
    ...lines,
    "Command of the agent; the prompt goes to its stdin:",
    `  ${(commandLine ?? []).map(quoted).join(" ")}`,
    "",
    "First prompt:",
    rehearsal.request.prompt,
  ];
}

function whyLeft({ opening, stored }: Plan, flags: Invocation["flags"], { program }: Shell): readonly string[] {
  if (opening.do !== "leave" || stored === undefined) return [];
  return [opening.because.replaceAll("<resume>", resumeCommand(program, flags, stored))];
}

function asJson(plan: Plan, rehearsal: Rehearsal, commandLine: readonly string[] | null): object {
  const { config, sources } = plan.settings;
  return {
    schema: 1,
    dry_run: true,
    loop_id: plan.place.loopId,
    opening: plan.opening.do,
    state_file: plan.place.stateFile,
    settings: { ...config, apiKey: config.apiKey === null ? null : "(set, not shown)" },
    sources,
    command: commandLine,
    prompt: rehearsal.first === "turn" ? rehearsal.request.prompt : null,
    stop_reason: rehearsal.first === "stop" ? rehearsal.reason : null,
  };
}
