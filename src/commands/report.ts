import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import type { Command } from "../app/command.ts";
import { locateLoop } from "../app/loops/loops-of-repository.ts";
import { findLoop, type FoundLoop } from "../app/loops/stored-loop.ts";
import { settingsNow } from "../app/read-settings.ts";
import { keptSettings } from "../app/resume/kept.ts";
import { note, printJson, type Shell } from "../app/shell.ts";
import { viewOfFound } from "../app/view-of.ts";
import type { Config } from "../config/config.ts";
import type { Flags } from "../config/read.ts";
import { resolveSettings } from "../config/resolve.ts";
import { findOuter } from "../os/programs.ts";
import type { RunView } from "../views/run-view.ts";

export const REPORT_HELP = `One file that needs no network and can be sent to somebody: the verdict with its proof, what to do, the rule that
stopped the loop, failing tests, changed files, charts, and every iteration with its checks, diff, prompt and last message.
It lies in the loop's folder as report.html; a loop that runs is shown as it is now. No secret that smithers knows is in it.

Examples:
  smithers report             the only loop; prints where the page is
  smithers report fix --open  of the loop whose id begins so, shown in the browser`;

/** `smithers report`: writes the page about a loop, and with `--open` shows it. */
export const report: Command = async (invocation, shell) => {
  const location = await locateLoop(invocation.flags, shell);
  const found = await findLoop(location, "running");
  // Without today's settings it is not known what has to stay secret.
  const config = settingsNow(location) ?? resolveSettings(location.input).config;
  const view = await viewFor(found, config, invocation.flags, shell);
  const { writeReport } = await import("../app/write-report.ts");
  const file = await writeReport(found.place, view, { config, withTexts: true });
  if (invocation.json) printJson(shell, { schema: 1, loop_id: found.place.loopId, report: file });
  else shell.stdout.write(`${file}\n`);
  if (invocation.values.has("open") && !(await isOpened(file, shell)))
    note(shell, `No browser could be started. The page is unharmed: open ${file} by hand.`);
  return 0;
};

async function viewFor(found: FoundLoop, config: Config, flags: Flags, shell: Shell): Promise<RunView> {
  const kept = await keptSettings(found.place, shell);
  const settings = found.state.stories === null ? {} : { settings: config };
  return viewOfFound(found, shell.env, { program: shell.program, flags, kept, providerArgs: [], ...settings });
}

/** What shows a page in the person's browser, by platform; the first that is there is taken. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  linux: ["xdg-open", "wslview", "gio"],
};

const OPENING_MS = 3_000;

/** Whether a program has taken the page to show it. */
async function isOpened(file: string, { env }: Shell): Promise<boolean> {
  const names = OPENERS[process.platform] ?? [];
  const program = names.map((name) => findOuter(name, env["PATH"])).find((one) => one !== undefined);
  if (program === undefined) return false;
  const args = program.file.endsWith("/gio") ? ["open", file] : [file];
  const child = spawn(program.file, args, { env: { ...env, PATH: program.path }, stdio: "ignore", detached: true });
  child.unref();
  const ended = new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
  // Some stay until the browser is closed.
  return Promise.race([ended, setTimeout(OPENING_MS, true)]);
}
