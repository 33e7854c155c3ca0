import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { TurnRequest } from "../../src/core/agent.ts";
import type { CodexOptions } from "../../src/agents/codex/command-line.ts";
import { CodexProvider } from "../../src/agents/codex/provider.ts";
import { aTurnRequest, collect } from "../contract/provider-contract.ts";
import { codexRecordingFile } from "./codex-recording.ts";
import { tempFolder } from "./temp-folder.ts";

/** Shell text that prints a recording of Codex. */
export const play = (name: string) =>
  `cat '${codexRecordingFile(name, "jsonl")}'; cat '${codexRecordingFile(name, "stderr.txt")}' >&2 2>/dev/null`;
/** Shell text that prints events. */
export const say = (...events: readonly unknown[]) =>
  events.map((event) => `echo '${JSON.stringify(event)}'`).join("\n");
/** A session, as Codex names them. */
export const ID = "00000000-0000-7000-8000-00000000000a";
export const thread = (id: string) => ({ type: "thread.started", thread_id: id });
export const text = (text: string) => ({ type: "item.completed", item: { id: "i", type: "agent_message", text } });
export const ran = (aggregated_output: string) => ({
  type: "item.completed",
  item: { id: "i", type: "command_execution", command: "c", aggregated_output, exit_code: 1, status: "failed" },
});
export const done = (input: number) => ({ type: "turn.completed", usage: { input_tokens: input, output_tokens: 0 } });
/** Stores the file of `-o` in `$out`, as Codex finds it among its arguments. */
export const OUT = 'while [ "$1" != -o ]; do shift; done; out=$2';

/** A provider whose Codex is a shell script. */
export async function scripted(script: string, overrides: Partial<CodexOptions> = {}) {
  const folder = await tempFolder("replay-");
  const binary = path.join(folder.path, "codex");
  const workspaceRoot = path.join(folder.path, "workspace");
  await mkdir(workspaceRoot);
  await writeFile(binary, `#!/bin/sh\n${script}\n`);
  await chmod(binary, 0o755);
  const options: CodexOptions = {
    binary,
    workspaceRoot,
    folder: path.join(folder.path, "loop"),
    mark: path.basename(folder.path),
    env: { PATH: process.env["PATH"] ?? "", HOME: folder.path },
    sandbox: "danger-full-access",
    model: null,
    profile: null,
    approval: null,
    network: false,
    skipGitRepoCheck: false,
    extraArgs: [],
    ...overrides,
  };
  const provider = new CodexProvider(options);
  const run = (request: Partial<TurnRequest> = {}) => collect(provider, aTurnRequest(request));
  const written = (name: string) => readFile(path.join(options.folder, name), "utf8");
  return { ...folder, options, provider, run, written };
}
