import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Command, Invocation } from "../app/command.ts";
import { locate, type Location } from "../app/locate.ts";
import { locateLoop } from "../app/loops/loops-of-repository.ts";
import { findLoop, type FoundLoop } from "../app/loops/stored-loop.ts";
import { settingsNow } from "../app/read-settings.ts";
import { keptSettings } from "../app/resume/kept.ts";
import { note, printJson, type Shell } from "../app/shell.ts";
import { seenFromAfar, viewOfFound } from "../app/view-of.ts";
import type { Config } from "../config/config.ts";
import type { Flags } from "../config/read.ts";
import { resolveSettings } from "../config/resolve.ts";
import { OperationalError } from "../core/errors.ts";
import { replaceFile } from "../os/own-file.ts";
import { findOuter } from "../os/programs.ts";
import { briefly } from "../views/plain-text.ts";
import type { RunView } from "../views/run-view.ts";
import { artifactAt, loopOr } from "./artifact-at.ts";

export const REPORT_HELP = `One file that needs no network and can be sent to somebody: the verdict with its proof, what to do, the rule that
stopped the loop, failing tests, changed files, charts, and every iteration with its checks, diff, prompt and last message.
It lies in the loop's folder as report.html; a loop that runs is shown as it is now. No secret that smithers knows is in it.
Of a downloaded artifact the page is made anew, as report-<loop-id>.html in the current folder. An encrypted one needs
its key in SMITHERS_STATE_KEY.

Examples:
  smithers report                      the only loop; prints where the page is
  smithers report fix --open           of the loop whose id begins so, shown in the browser
  smithers report smithers-loop-x.zip  of a loop that ran on GitHub, from its artifact`;

/** `smithers report`: writes the page about a loop or a downloaded artifact, and with `--open` shows it. */
export const report: Command = async (invocation, shell) => {
  const artifact = await artifactAt(invocation.operand, shell.cwd);
  const { loopId, file } = await (artifact === undefined
    ? ofLoop(invocation, shell)
    : ofArtifact(artifact, invocation, shell));
  if (invocation.json) printJson(shell, { schema: 1, loop_id: loopId, report: file });
  else shell.stdout.write(`${file}\n`);
  if (invocation.values.has("open") && !(await isOpened(file, shell)))
    note(shell, `No browser could be started. The page is unharmed: open ${file} by hand.`);
  return 0;
};

interface Page {
  readonly loopId: string;
  /** absolute */
  readonly file: string;
}

async function ofLoop({ operand, flags }: Invocation, shell: Shell): Promise<Page> {
  const named = operand === "" ? flags : { ...flags, "loop-id": [...(flags["loop-id"] ?? []), operand] };
  const location = await locateLoop(named, shell);
  const found = await loopOr(operand, shell.cwd, findLoop(location, "running"));
  const config = configOf(location);
  const view = await viewFor(found, config, named, shell);
  const { makeReport, writeReport } = await import("../app/write-report.ts");
  const page = await makeReport(found.place, view, { config, withTexts: true });
  return { loopId: found.place.loopId, file: await writeReport(found.place, page) };
}

/** Made from the artifact's events and files; a page that lies in it is not looked at. @param artifact absolute */
async function ofArtifact(artifact: string, { flags }: Invocation, shell: Shell): Promise<Page> {
  const config = configOf(await locate(flags, shell, "silent"));
  const { inRecording } = await import("./recording.ts");
  const { makeReport } = await import("../app/write-report.ts");
  return inRecording(artifact, shell, async (found) => {
    const { loopId } = found.place;
    const here = await viewOfFound(found, shell.env, { program: shell.program, flags: {}, providerArgs: [] });
    const view: RunView = { ...seenFromAfar(here), isRecorded: true };
    const page = await makeReport(found.place, view, { config, withTexts: true });
    return { loopId, file: await written(page, `report-${loopId}.html`, shell.cwd) };
  });
}

/** @returns the file, absolute @throws OperationalError when it cannot be written; what had that name is unharmed */
async function written(page: string, name: string, folder: string): Promise<string> {
  const file = path.join(folder, name);
  try {
    await replaceFile(folder, name, (to) => to.writeFile(page));
  } catch (error) {
    throw new OperationalError({
      code: "REPORT_UNWRITABLE",
      what: `The page cannot be written to ${file}: ${briefly(error)}. The artifact was not changed.`,
      next: "Make room for it there, or repeat the command in a folder that you may write to.",
    });
  }
  return file;
}

/** Without today's settings it is not known what has to stay secret. @throws UsageError when they are wrong */
function configOf(location: Location): Config {
  return settingsNow(location) ?? resolveSettings(location.input).config;
}

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
