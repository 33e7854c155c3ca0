import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { findCodex } from "../src/agents/codex/program.ts";
import { gitRepository, type GitRepository } from "../test/support/git-repository.ts";
import {
  addFile,
  answer,
  message,
  startModelServer,
  type ModelRequest,
  type Reply,
} from "../test/support/model-server.ts";
import { atMost, median, plain, type Figure } from "./figure.ts";
import { runSmithers } from "./smithers.ts";

const ITERATIONS = 20;
const PAIRS = 3;
const CHECK = ["sh", "-c", `sleep 1; test -f work-${ITERATIONS}.txt`];

/** A whole loop with real Codex against a shell loop that does the same work. */
export async function measureLoop(say: (line: string) => void): Promise<readonly Figure[]> {
  const ratios: number[] = [];
  const costs: number[] = [];
  for (let pair = 1; pair <= PAIRS; pair++) {
    const shell = await timed(shellLoop);
    const ours = await timed(smithersLoop);
    ratios.push(ours / shell);
    costs.push((ours - shell) / ITERATIONS);
    say(`pair ${pair}: shell ${Math.round(shell)} ms, ours ${Math.round(ours)} ms`);
  }
  return [
    plain(`a loop of ${ITERATIONS} iterations, ours against a shell loop, pairs`, PAIRS, ""),
    atMost("whole loop against a shell loop", median(ratios), "x", 1.1),
    atMost("our own cost an iteration", median(costs), "ms", 100),
  ];
}

type Loop = (repository: GitRepository, env: NodeJS.ProcessEnv) => Promise<void>;

async function timed(loop: Loop): Promise<number> {
  const script = modelThatAddsFiles();
  await using server = await startModelServer(script);
  await using repository = await gitRepository();
  const home = path.join(repository.path, ".git", "codex-home");
  await mkdir(home, { recursive: true });
  await writeFile(path.join(home, "config.toml"), configOf(server.url));
  const env = { ...process.env, HOME: home, CODEX_HOME: home, MOCK_API_KEY: "sk-test" };
  const began = performance.now();
  await loop(repository, env);
  const took = performance.now() - began;
  const commits = Number(await repository.git("rev-list", "--count", "HEAD"));
  if (commits !== ITERATIONS + 1) throw new Error(`${commits - 1} commits instead of ${ITERATIONS}`);
  return took;
}

/** Each turn adds one file and says so. */
function modelThatAddsFiles(): (request: ModelRequest) => Reply {
  return ({ prompts, outputs }) => {
    const name = `work-${prompts.length}.txt`;
    return outputs.length === 0 ? answer([addFile(name, "a line\n")]) : answer([message(`Added ${name}.`)]);
  };
}

const smithersLoop: Loop = async (repository, env) => {
  await runSmithers(
    repository.path,
    [
      "Add a file in each iteration.",
      `--success-cmd=${JSON.stringify(CHECK)}`,
      "--no-check-first",
      "--full-auto",
      "--commit=iteration",
      `--max-iterations=${ITERATIONS + 5}`,
      `--session-max-iterations=${ITERATIONS + 5}`,
      "--max-same-error=0",
      "--pass-env=MOCK_API_KEY",
    ],
    0,
    { ...env, PATH: `${path.join(import.meta.dirname, "../node_modules/.bin")}:${env["PATH"] ?? ""}` },
  );
};

const SHELL_LOOP = `
set -e
mkdir -p .git/out
id=
for n in $(seq 1 50); do
  if [ -z "$id" ]; then
    echo "Add a file in each iteration." | "$CODEX" exec --json -s workspace-write -o .git/out/last.txt - > .git/out/$n.jsonl
    id=$(sed -n 's/.*"thread_id":"\\([^"]*\\)".*/\\1/p' .git/out/$n.jsonl | head -n 1)
  else
    echo "Continue." | "$CODEX" exec --json -s workspace-write -o .git/out/last.txt resume "$id" - > .git/out/$n.jsonl
  fi
  green=0
  sh -c 'sleep 1; test -f work-${ITERATIONS}.txt' || green=1
  git add -A
  git commit -q -m "iteration $n"
  [ $green = 0 ] && exit 0
done
exit 1
`;

const shellLoop: Loop = async (repository, env) => {
  const codex = findCodex("codex", path.join(import.meta.dirname, "../node_modules/.bin"));
  if (codex === undefined) throw new Error("Codex is not installed; run npm ci.");
  const child = spawn("bash", ["-c", SHELL_LOOP], {
    cwd: repository.path,
    env: { ...env, CODEX: codex },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4096);
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`The shell loop ended with ${String(code)}:\n${stderr}`);
};

function configOf(url: string): string {
  return `model = "gpt-5.5"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "${url}"
env_key = "MOCK_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[features]
plugins = false
unbounded_connection_retries = false
`;
}
