import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { importsOf } from "../../scripts/house/imports.ts";

const SRC = path.join(import.meta.dirname, "../../src");

/** Who starts processes with Node's own means, and what: a program that `os/programs.ts` has found, or what its caller gives. */
const SPAWNS: Readonly<Record<string, string>> = {
  "commands/prd/editor.ts":
    "the editor or pager that the person's environment names: found outside, or by its whole path",
  "commands/report.ts": "what opens a page on this system, found outside",
  "commands/watch/beside.ts": "node itself, with the program's own script; stty and sh, found outside",
  "git/git.ts": "git, found outside",
  "os/process-tree.ts": "ps, found outside",
  "os/supervise.ts": "what the files below give it",
};

/** Who gives a program to `supervise`, `askProgram`, `runTool`, and where it has it from. */
const GIVES: Readonly<Record<string, string>> = {
  "agents/codex/program.ts": "findCodex",
  "agents/codex/provider.ts": "findCodex",
  "agents/command.ts": "findOuter, or a path that the person has written",
  "agents/npm-tool.ts": "findOuter",
  "agents/run-tool.ts": "its caller",
  "agents/scripted/provider.ts": "the script: it plays the agent, whose commands have the job's PATH",
  "agents/with-sandbox-repair.ts": "findOuter",
  "carry/toolkit.ts": "node itself",
  "checks/run-check.ts": "a check, which has the job's PATH",
  "job/drop-sudo.ts": "findOuter",
  "os/isolation/isolation.ts": "its probe, the shell of the machine by its whole path",
};
const STARTERS: ReadonlySet<string> = new Set(["supervise", "askProgram", "runTool"]);
const SPAWNERS: ReadonlySet<string> = new Set(
  "spawn spawnSync exec execSync execFile execFileSync fork execve getExecOutput".split(" "),
);

interface Found {
  readonly imports: readonly (string | undefined)[];
  readonly starts: boolean;
  /** names of programs that are written where one is started */
  readonly bare: readonly string[];
}

function found(file: string, source: string): Found {
  const { program } = parseSync(file, source);
  const bare: string[] = [];
  const commands: string[] = [];
  let starts = false;
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      const name =
        callee.type === "Identifier"
          ? callee.name
          : callee.type === "MemberExpression" && callee.property.type === "Identifier"
            ? callee.property.name
            : "";
      if (STARTERS.has(name)) starts = true;
      if (SPAWNERS.has(name) && first?.type === "Literal" && typeof first.value === "string") bare.push(first.value);
    },
    Property: ({ key, value }) => {
      if (key.type !== "Identifier" || key.name !== "command" || value.type !== "Literal") return;
      if (typeof value.value === "string" && !path.isAbsolute(value.value)) commands.push(value.value);
    },
  }).visit(program);
  return { imports: importsOf(program), starts, bare: starts ? [...bare, ...commands] : bare };
}

const ALL = globSync("**/*.ts", { cwd: SRC }).map((file): [string, Found] => [
  file,
  found(file, readFileSync(path.join(SRC, file), "utf8")),
]);
const filesThat = (is: (found: Found) => boolean) => ALL.filter(([, one]) => is(one)).map(([file]) => file);

test("processes are started in few files, and each program has a known origin [T12]", () => {
  const imports = (name: RegExp) =>
    filesThat((one) => one.imports.some((from) => from !== undefined && name.test(from)));
  expect(imports(/^(?:node:)?child_process$/u).toSorted()).toEqual(Object.keys(SPAWNS));
  expect(imports(/^@actions\/(?:exec|io)$/u)).toEqual(["agents/run-tool.ts"]);
  expect(filesThat((one) => one.starts).toSorted()).toEqual(Object.keys(GIVES));
});

test("no program is started by a bare name [T12]", () => {
  expect(ALL.flatMap(([file, { bare }]) => bare.map((name) => `${file}: ${name}`))).toEqual([]);
  expect(found("x.ts", `spawn("git", []); supervise({ command: "tar" }); child.execFile("ps");`).bare).toEqual([
    "git",
    "ps",
    "tar",
  ]);
});

test("what searches the whole PATH is only asked where a refused program is [T12]", () => {
  const searching = ALL.map(([file]) => file).filter((file) =>
    /\bfindProgram\b/u.test(readFileSync(path.join(SRC, file), "utf8")),
  );
  expect(searching.toSorted()).toEqual(["os/environment.ts", "os/programs.ts"]);
});
