import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import type { Script } from "../support/model-server.ts";
import type { Finished } from "../support/run-smithers.ts";
import { KEY, workbench, type Workbench } from "./workbench.ts";

/** Nobody special. */
const SOMEBODY = 1001;
const AS_SOMEBODY = ["setpriv", `--reuid=${SOMEBODY}`, `--regid=${SOMEBODY}`, "--clear-groups"];

/** What of the machine an agent would like to change, below its user's home, and what is in there. */
const WANTED = {
  "_temp/_runner_file_commands/set_env": "a command of the runner",
  "_actions/dist/post.js": "what runs after the job",
  ".bashrc": "what a shell begins with",
  // What Codex runs wherever it is used.
  ".codex/hooks.json": "{}",
} as const;

/** All that an agent tries: to read secrets, to change what runs later, to stay behind as long as the workspace is there. */
const ATTACK = `
{ cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -e CANARY -e ${KEY}
cat "$HOME"/_temp/smithers/hand-over/* "$HOME"/.ssh/id
node -e 'require("net").connect(process.env.HOME + "/agent.sock").on("data", (d) => console.log(String(d)))'
} > loot.txt 2>/dev/null
for file in ${Object.keys(WANTED).join(" ")}; do echo owned >> "$HOME/$file"; done 2>/dev/null
env -i setsid sh -c 'while echo alive >> beats.txt; do sleep 0.01; done' > /dev/null 2>&1 &
sleep 0.1
true`;

/** What became of the attack. */
interface Outcome {
  readonly loot: string;
  /** names of what was changed, of those that the agent wants */
  readonly changed: readonly string[];
  /** whether the agent's daemon has begun, and goes on */
  readonly daemon: "running" | "ended" | "none";
}

/** A workbench on the machine of somebody whom an agent attacks. */
export interface HostileMachine extends AsyncDisposable {
  readonly bench: Workbench;
  run(args: readonly string[]): Promise<Finished>;
  outcome(): Promise<Outcome>;
}

/** @param user whose machine it is; the agent has the script `attack.sh` in its workspace */
export async function hostileMachine(script: Script, user: "root" | "somebody"): Promise<HostileMachine> {
  await using stack = new AsyncDisposableStack();
  const bench = stack.use(await workbench(script, { files: { "attack.sh": ATTACK } }));
  const home = bench.home.path;
  const secrets = { "_temp/smithers/hand-over/hand-over.json": "CANARY-hand-over", ".ssh/id": "CANARY-ssh" };
  for (const [name, text] of Object.entries({ ...WANTED, ...secrets })) {
    await mkdir(path.dirname(path.join(home, name)), { recursive: true });
    await writeFile(path.join(home, name), text);
  }
  const agent = createServer((socket) => socket.end("CANARY-socket"));
  await once(agent.listen(path.join(home, "agent.sock")), "listening");
  stack.defer(() => void agent.close());
  const uid = user === "root" ? 0 : SOMEBODY;
  for (const folder of [home, bench.repository.path]) execFileSync("chown", ["-R", `${uid}:${uid}`, folder]);
  const env = {
    RUNNER_TEMP: path.join(home, "_temp"),
    SSH_AUTH_SOCK: path.join(home, "agent.sock"),
    SECRET: "CANARY-environment",
  };
  const beats = async () => (await bench.read("beats.txt").catch(() => "")).length;
  const owned = stack.move();
  return {
    bench,
    run: (args) => bench.run(args, { env, wrapper: user === "root" ? [] : AS_SOMEBODY }),
    async outcome() {
      const before = await beats();
      // Two programs take longer than a few beats.
      for (const _ of [1, 2]) await bench.repository.git("-c", "safe.directory=*", "status");
      const changed: string[] = [];
      for (const [name, text] of Object.entries(WANTED))
        if ((await readFile(path.join(home, name), "utf8")) !== text) changed.push(name);
      const daemon = before === 0 ? "none" : (await beats()) > before ? "running" : "ended";
      return { loot: await bench.read("loot.txt"), changed, daemon };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
