import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { CODEX_VERSION } from "../../../src/config/settings/agent.ts";
import { type AgentEvent, NO_USAGE } from "../../../src/core/agent.ts";
import { ProcessTree } from "../../../src/os/process-tree.ts";
import { findCodex } from "../../../src/agents/codex/program.ts";
import { type CodexOptions, resetsPath } from "../../../src/agents/codex/command-line.ts";
import { CodexProvider } from "../../../src/agents/codex/provider.ts";
import {
  aTurnRequest,
  type Behaviour,
  collect,
  LAST_MESSAGE,
  providerContract,
  theEnd,
  theFailure,
} from "../../contract/provider-contract.ts";
import { codexHome, type CodexHomeOptions } from "../../support/codex-home.ts";
import { gitRepository } from "../../support/git-repository.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import {
  addFile,
  answer,
  command,
  cut,
  endEarly,
  failed,
  incomplete,
  malformed,
  message,
  mute,
  patch,
  reasoning,
  type Script,
  silent,
  startModelServer,
  unauthorized,
} from "../../support/model-server.ts";

/** The real Codex in a repository, with a scripted model. */
async function realCodex(script: Script, overrides: Partial<CodexOptions> = {}, home: CodexHomeOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startModelServer(script));
  const { env } = stack.use(await codexHome(server, home));
  const repository = stack.use(await gitRepository());
  const options: CodexOptions = {
    workspaceRoot: repository.path,
    folder: path.join(repository.path, ".git", "loop"),
    mark: path.basename(repository.path),
    env,
    sandbox: "workspace-write",
    model: null,
    profile: null,
    approval: null,
    network: false,
    skipGitRepoCheck: false,
    extraArgs: [],
    ...overrides,
  };
  const owned = stack.move();
  return {
    server,
    repository,
    options,
    folder: options.folder,
    mark: options.mark,
    provider: new CodexProvider(options),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const sessionOf = (events: readonly AgentEvent[]) =>
  events.find((event) => event.type === "session.started")?.sessionId ?? "";
const tokens = (requests: number) => ({
  input: 100 * requests,
  cachedInput: 40 * requests,
  output: 20 * requests,
  reasoning: 5 * requests,
});

const CONTRACT: Readonly<Record<Behaviour, Script>> = {
  completes: [message(LAST_MESSAGE)],
  fails: [unauthorized()],
  hangs: [silent()],
  missing: [],
};
providerContract("codex", (behaviour) =>
  realCodex(CONTRACT[behaviour], behaviour === "missing" ? { binary: "/nowhere/codex" } : {}),
);

describe("turns of the real Codex [W-59]", () => {
  test("a turn edits files, the next one goes on with the session [R-20, W-35]", async () => {
    await using it = await realCodex([
      answer([reasoning("Hm."), message("Looking."), command("cat README.md; exit 3")]),
      answer([addFile("new.txt", "new\n"), patch("*** Update File: README.md\n@@\n-hello\n+hello again")]),
      message("First."),
      message("Second."),
    ]);
    const first = await collect(it.provider, aTurnRequest({ prompt: "Begin." }));
    // How often it says what it has used depends on time.
    expect(first.map((event) => event.type).filter((type) => type !== "usage")).toEqual([
      "notice",
      "session.started",
      "reasoning",
      "message",
      "command.started",
      "command.ended",
      "files.changed",
      "files.changed",
      "message",
      "turn.completed",
    ]);
    expect(first.find((event) => event.type === "command.ended")).toMatchObject({ exitCode: 3, output: "hello\n" });
    expect(theEnd(first)).toMatchObject({
      lastMessage: "First.",
      usage: tokens(3),
      sessionUsage: tokens(3),
      exitCode: 0,
    });
    expect(await readFile(path.join(it.repository.path, "README.md"), "utf8")).toBe("hello again\n");
    expect(await it.repository.git("status", "--short")).toBe(" M README.md\n?? new.txt");

    const sessionId = sessionOf(first);
    const second = await collect(
      it.provider,
      aTurnRequest({ iteration: 2, prompt: "Go on.", sessionId, sessionUsage: theEnd(first).sessionUsage }),
    );
    expect(sessionOf(second)).toBe(sessionId);
    expect(theEnd(second)).toMatchObject({ lastMessage: "Second.", usage: tokens(1), sessionUsage: tokens(4) });
    expect(second.findLast((event) => event.type === "usage")).toEqual({ type: "usage", usage: tokens(1) });
    expect(it.server.requests.at(-1)?.prompts).toEqual(["Begin.", "Go on."]);
    expect(it.server.requests.map((request) => request.threadId)).toEqual(Array(4).fill(sessionId));
    // Codex would offer the model to set itself a goal, with rules of its own for when it is reached.
    const offered = it.server.requests.map(({ body }) => JSON.stringify(body["tools"]));
    expect(offered.filter((tools) => tools === "[]" || /[a-z]_goal/u.test(tools))).toEqual([]);
  });

  test("the sandbox holds for a resumed turn, keys do not reach commands, and nothing is left behind [C15]", async () => {
    const show = command('sleep 0.5; touch new.txt && echo "key=$MOCK_API_KEY home=${HOME:+set}"');
    await using it = await realCodex([message("First."), show, message("Second.")]);
    const first = await collect(it.provider, aTurnRequest());
    const second = await collect(it.provider, aTurnRequest({ iteration: 2, sessionId: sessionOf(first) }));
    expect(second.find((event) => event.type === "command.ended")).toMatchObject({
      exitCode: 0,
      output: "key= home=set\n",
    });
    expect((await readdir(it.repository.path)).toSorted()).toEqual([".git", "README.md", "new.txt"]);
  });

  test("a session that is not here is lost, and no model is asked [C2]", async () => {
    await using it = await realCodex([]);
    const sessionId = "00000000-0000-7000-8000-000000000000";
    expect(theFailure(await collect(it.provider, aTurnRequest({ sessionId }))).kind).toBe("session_lost");
    expect(it.server.requests).toEqual([]);
  });
});

describe("failures of the real Codex [D-19]", () => {
  test("a refused key is asked for once [D-36]", async () => {
    await using it = await realCodex([unauthorized()]);
    const events = await collect(it.provider, aTurnRequest());
    expect(theFailure(events)).toMatchObject({ kind: "auth", retryable: false });
    expect(theEnd(events)).toMatchObject({ usage: NO_USAGE, exitCode: 1 });
    expect(it.server.requests).toHaveLength(1);
  });

  test.each([
    ["a socket that is cut", cut(), "transport"],
    ["a stream that ends early", endEarly(), "transport"],
    ["a stream that is not JSON", malformed(), "transport"],
    ["an answer that is too long", incomplete("half of it"), "truncated"],
    ["a server that never answers", mute(), "idle"],
  ] as const)("%s", async (_name, reply, kind) => {
    await using it = await realCodex([reply]);
    const end = theEnd(await collect(it.provider, aTurnRequest({ idleTimeoutMs: 1_500 })));
    expect(end).toMatchObject({ failure: { kind }, lastMessage: kind === "truncated" ? "half of it" : "" });
  });

  test("a full context is worth a resume", async () => {
    await using it = await realCodex([
      failed("context_length_exceeded", "too long"),
      message("summary"),
      message("Done."),
    ]);
    const events = await collect(it.provider, aTurnRequest());
    expect(theFailure(events)).toMatchObject({ kind: "context_full", retryable: true });
    const resumed = await collect(it.provider, aTurnRequest({ sessionId: sessionOf(events) }));
    expect(theEnd(resumed)).toMatchObject({ type: "turn.completed", lastMessage: "Done." });
  });

  test("a model that is down fails quickly although Codex would reconnect for ever [D-36]", async () => {
    await using it = await realCodex([], {}, { retries: "default" });
    await it.server.close();
    const began = performance.now();
    const events = await collect(it.provider, aTurnRequest());
    expect(theFailure(events)).toMatchObject({ kind: "transport", retryable: true });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("an abort in the middle of a command leaves no process and no folders, and what was used counts [C14]", async () => {
    await using it = await realCodex([command("sleep 300 & sleep 301")]);
    const stop = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of it.provider.runTurn(aTurnRequest(), stop.signal)) {
      events.push(event);
      if (event.type !== "command.started") continue;
      await vi.waitUntil(() => new ProcessTree(it.mark).alive().length > 2);
      stop.abort();
    }
    expect(theFailure(events).kind).toBe("cancelled");
    expect(theEnd(events)).toMatchObject({ usage: tokens(1), sessionUsage: tokens(1) });
    expect(new ProcessTree(it.mark).alive()).toEqual([]);
    expect((await readdir(it.repository.path)).toSorted()).toEqual([".git", "README.md"]);
  });
});

describe("before anything is spent [C15]", () => {
  test.runIf(process.platform === "linux")("a sandbox that cannot start fails the turn, with the cure", async () => {
    await using it = await realCodex([message("never said")]);
    // The real Codex where no user namespace can be made, as on a machine that forbids them.
    const native = findCodex(undefined, it.options.env["PATH"] ?? "");
    const wrapper = path.join(it.repository.path, ".git", "codex");
    const inside = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" "$@"';
    await writeFile(wrapper, `#!/bin/sh\nexec unshare -U -r sh -c '${inside}' '${native}' "$@"\n`);
    await chmod(wrapper, 0o755);
    const provider = new CodexProvider({ ...it.options, binary: wrapper });
    expect(theFailure(await collect(provider, aTurnRequest()))).toMatchObject({
      kind: "sandbox_broken",
      retryable: false,
      message: expect.stringContaining("bwrap: "),
      next: expect.stringContaining("kernel.apparmor_restrict_unprivileged_userns=0"),
    });
    expect(it.server.requests).toEqual([]);
  });

  test("a configuration that Codex refuses is not a broken sandbox", async () => {
    await using it = await realCodex([]);
    const provider = new CodexProvider({ ...it.options, env: { ...it.options.env, CODEX_HOME: "/nowhere" } });
    expect(theFailure(await collect(provider, aTurnRequest()))).toMatchObject({
      kind: "bad_request",
      next: expect.stringContaining("CODEX_HOME"),
    });
  });

  test("preflight tells a program that does not answer", async () => {
    await using it = await realCodex([]);
    const provider = new CodexProvider({ ...it.options, binary: "false" });
    expect(await provider.preflight(new AbortController().signal)).toMatchObject({
      kind: "not_installed",
      message: expect.stringContaining("--version"),
      next: expect.stringContaining(`npm install -g @openai/codex@${CODEX_VERSION}`),
    });
  });
});

test("the proxy with the key ends when the turn cannot be isolated, too [T2]", async () => {
  await using it = await realCodex([]);
  const isolation: CodexOptions["isolation"] = async () => ({
    launcher: async () => {
      throw new Error("no room for a layer");
    },
    ...{ refusal: async () => undefined, lacks: "", overlays: true, changesHome: false },
  });
  const provider = new CodexProvider({ ...it.options, key: "sk-a-key-of-the-job", isolation });
  const servers = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
  const before = servers();
  await expect(collect(provider, aTurnRequest())).rejects.toThrow("no room for a layer");
  expect(servers()).toBe(before);
});

test("what is put on the PATH reaches the commands of a turn, also where a login shell forgets it [C97]", async () => {
  await using tools = await tempFolder("tools-");
  const tool = path.join(tools.path, "my-tool");
  await writeFile(tool, "#!/bin/sh\necho found >> found.txt\n");
  await chmod(tool, 0o755);
  await using codex = await realCodex([command("my-tool"), message("done"), command("my-tool"), message("done")]);
  // The usual home of tests has no login shell either.
  const settings = path.join(codex.options.env["CODEX_HOME"] ?? "", "config.toml");
  await writeFile(settings, (await readFile(settings, "utf8")).replace("allow_login_shell = false\n", ""));
  const env = { ...codex.options.env, PATH: `${tools.path}:${codex.options.env["PATH"] ?? ""}` };
  const found = async (pathResets: boolean): Promise<number> => {
    await collect(new CodexProvider({ ...codex.options, env, pathResets }), aTurnRequest());
    const text = await readFile(path.join(codex.repository.path, "found.txt"), "utf8").catch(() => "");
    return text.split("found").length - 1;
  };
  const forgets = resetsPath(await readFile("/etc/profile", "utf8").catch(() => ""));
  const before = await found(false);
  expect(before).toBe(forgets ? 0 : 1);
  expect(await found(true)).toBe(before + 1);
});
