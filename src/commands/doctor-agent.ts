import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { ProviderFailure } from "../core/agent.ts";
import { findCodex } from "../agents/codex/binary.ts";
import { codexHome } from "../agents/codex/home.ts";
import type { CodexOptions } from "../agents/codex/options.ts";
import { probeSandbox } from "../agents/codex/probes.ts";
import { oneLine } from "../views/plain-text.ts";
import type { Finding, Right } from "../views/gaps.ts";
import { codexOptionsOf, createProvider, type ProviderContext } from "../app/registry.ts";

const WITHIN_MS = 10_000;

/** Whether the agent that the settings name can take a turn: its program, its sandbox, its login. Spends nothing. */
export async function agentFindings(context: ProviderContext): Promise<readonly Finding[]> {
  const { provider: name } = context.config;
  const { provider } = await createProvider(context);
  const failure = await provider.preflight(new AbortController().signal);
  if (failure !== undefined) return [finding(`provider ${name}`, missing(failure))];
  if (name !== "codex") return [finding(`provider ${name}`, THERE)];
  const options = codexOptionsOf(context);
  // The preflight has found it.
  const command = findCodex(undefined, options.env["PATH"] ?? "") ?? "codex";
  const [version, broken, login] = await Promise.all([
    said(options, command, ["--version"]),
    probeSandbox(options, command, AbortSignal.timeout(WITHIN_MS)),
    loginOf(options, command),
  ]);
  const sandbox = options.sandbox === "danger-full-access" ? "no sandbox" : "the agent's sandbox";
  return [
    finding(`Codex (${oneLine(version.text)}, ${command})`, THERE),
    finding(`${sandbox} (${options.sandbox})`, broken === undefined ? THERE : missing(broken)),
    finding("a login or a key", login),
  ];
}

const THERE: Right = { right: "there" };

function finding(subject: string, right: Right): Finding {
  return { subject, right, permission: null, blocks: true };
}

function missing({ message, next }: ProviderFailure): Right {
  return { right: "missing", why: message.replace(/\.$/u, ""), next: next ?? "Correct what the message says." };
}

/** A provider of the person's own in Codex's settings has its own way to be paid. */
async function loginOf(options: CodexOptions, command: string): Promise<Right> {
  if (options.apiKey !== null) return THERE;
  const { done, text } = await said(options, command, ["login", "status"]);
  if (done) return THERE;
  const settings = await readFile(path.join(codexHome(options.env), "config.toml"), "utf8").catch(() => "");
  if (/^\s*(?:model_provider|profile)\s*=/mu.test(settings) || options.profile !== null) {
    return {
      right: "unknown",
      because: "untold",
      why: "Codex's own settings name a provider that may have a key of its own",
    };
  }
  if (!/not logged in/iu.test(text)) return { right: "unknown", because: "untold", why: "Codex does not say" };
  return { right: "missing", why: "Codex is not logged in", next: "Run codex login, or set CODEX_API_KEY." };
}

/** What a short call of Codex prints. */
async function said(
  { env, workspaceRoot }: CodexOptions,
  command: string,
  args: readonly string[],
): Promise<{ readonly done: boolean; readonly text: string }> {
  try {
    const options = { env, cwd: workspaceRoot, timeout: WITHIN_MS } as const;
    const { stdout } = await promisify(execFile)(command, args, options);
    return { done: true, text: stdout };
  } catch (error) {
    return { done: false, text: error instanceof Error && "stderr" in error ? String(error.stderr) : "" };
  }
}
