// Our way: the Codex provider, with the program that prints events in Codex's place.
import { CodexProvider } from "../../src/agents/codex/provider.ts";

const [binary = "", folder = ""] = process.argv.slice(2);
const provider = new CodexProvider({
  binary,
  workspaceRoot: folder,
  folder,
  mark: `bench-${process.pid}`,
  env: { PATH: process.env["PATH"] ?? "", BENCH_MIB: process.env["BENCH_MIB"] ?? "512" },
  sandbox: "danger-full-access",
  model: null,
  profile: null,
  approval: null,
  network: false,
  skipGitRepoCheck: true,
  extraArgs: [],
});
const request = {
  iteration: 1,
  prompt: "Print.",
  sessionId: null,
  sessionUsage: null,
  timeoutMs: 600_000,
  idleTimeoutMs: 600_000,
};
const began = performance.now();
let events = 0;
for await (const event of provider.runTurn(request, new AbortController().signal)) {
  events += 1;
  if (event.type === "turn.failed") throw new Error(event.failure.message);
}
process.stdout.write(JSON.stringify({ ms: performance.now() - began, events, rss: process.resourceUsage().maxRSS }));
