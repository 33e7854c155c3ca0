import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../src/os/environment.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openTerminal } from "../support/terminal.ts";
import { cli } from "./run-cli.ts";

const PATH = process.env["PATH"] ?? "";
/** Where a shell is not installed, nobody can be completed in it. */
const has = (shell: string): boolean => findProgram(shell, PATH) !== undefined;
const SANDBOXES = ["read-only", "workspace-write", "danger-full-access"];

test.runIf(has("fish"))("fish completes commands, flags and values [C73]", async () => {
  await using folder = await tempFolder();
  const { stdout: script } = await cli(["completion", "fish"], folder.path);
  const complete = (line: string): readonly string[] => {
    const env = { PATH, HOME: folder.path };
    const said = execFileSync("fish", ["-N", "-c", `${script}\ncomplete -C '${line}'`], {
      ...{ encoding: "utf8" as const, env, cwd: folder.path },
    });
    return said
      .trim()
      .split("\n")
      .map((row) => row.replace(/\t.*$/u, ""));
  };
  expect(complete("smithers re")).toEqual(["report", "reset-circuit", "reset-session", "resume"]);
  expect(complete("smithers status --j")).toEqual(["--json"]);
  expect(complete("smithers logs --fo")).toEqual(["--follow"]);
  expect(complete("smithers run --mon")).toEqual(["--monitor"]);
  expect(complete("waylon-smithers --max-it")).toEqual(["--max-iterations"]);
  expect(complete("smithers run --sandbox ").toSorted()).toEqual(SANDBOXES.toSorted());
});

test.runIf(has("zsh"))("zsh completes commands, flags, values and files, as a person types [C73]", async () => {
  await using folder = await tempFolder("zsh-");
  const { stdout: script } = await cli(["completion", "zsh"], folder.path);
  await writeFile(path.join(folder.path, "completion"), script);
  await writeFile(path.join(folder.path, "notes.md"), "");
  const size = { columns: 120, rows: 40 };
  await using terminal = await openTerminal(folder.path, { PATH, HOME: folder.path, LANG: "C.UTF-8" }, size);
  await terminal.enter("exec zsh -f");
  await terminal.enter("autoload -Uz compinit && compinit -u && source ./completion");
  const completes = async (typed: string, shown: RegExp): Promise<void> => {
    await terminal.isAsked();
    terminal.press(`${typed}\t`);
    await terminal.shows(shown);
    // Leaves the line, and begins another one.
    terminal.press("\u0003");
  };
  await completes("smithers resu", /\$ smithers resume ?$/mu);
  await completes("smithers status --js", /\$ smithers status --json ?$/mu);
  await completes("smithers --max-it", /\$ smithers --max-iterations ?$/mu);
  await completes("waylon-smithers run --sandbox work", /--sandbox workspace-write ?$/mu);
  expect(terminal.screen()).not.toContain("_smithers:");
  await completes("smithers run --prompt-file no", /--prompt-file notes\.md ?$/mu);
});
