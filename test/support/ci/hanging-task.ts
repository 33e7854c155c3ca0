import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { tempFolder } from "../temp-folder.ts";

/** The files of a repository whose agent and check do as the switches of a `HangingTask` say. */
export const HANGING_FILES: Record<string, string> = {
  "README.md": "hello\n",
  "hang.sh": `trap '' INT TERM HUP
setsid sh -c 'trap "" INT TERM HUP; sleep 300' &
touch "$SWITCHES/$1-hangs"
sleep 300
`,
  "agent.sh": `echo turn >> turns.txt
turns=$(wc -l < turns.txt)
if [ -e "$SWITCHES/hang-in-turn-$((turns))" ]; then exec sh hang.sh turn; fi
if [ -e "$SWITCHES/never-done" ]; then echo 'There is more to do.'; exit 0; fi
if [ -e "$SWITCHES/two" ]; then touch two.txt; fi
touch done.txt
echo 'All is done.'
`,
  "check.sh": `if [ -e "$SWITCHES/hang-in-check" ]; then exec sh hang.sh check; fi
test -f done.txt
`,
};

/** A loop of its own, whose agent and check can be made to hang, deaf to signals and with a child in another session. */
export interface HangingTask extends AsyncDisposable {
  readonly inputs: Record<string, string>;
  /** for the `env` of a job */
  readonly env: Record<string, string>;
  /** `hang-in-turn-1` (2, 3 …), `hang-in-check`, `never-done`, `two` (writes two.txt as well) */
  turnOn(name: string): Promise<void>;
  turnOff(name: string): Promise<void>;
  /** whether the agent (`turn`) or the check hangs by now */
  readonly hangs: (what: "turn" | "check") => boolean;
}

/** @param loopId tells the loops of one repository apart */
export async function hangingTask(loopId: string): Promise<HangingTask> {
  const folder = await tempFolder("switches-");
  const file = (name: string): string => path.join(folder.path, name);
  return {
    inputs: {
      "loop-id": loopId,
      prompt: "Write done.txt.",
      "success-sh": "sh check.sh",
      "check-first": "off",
      provider: "command",
      "provider-command": '["sh","agent.sh"]',
      sandbox: "workspace-write",
      "pass-env": "SWITCHES",
      // It lies outside of the workspace.
      "check-access": `${folder.path}:rw`,
      "agent-access": `${folder.path}:rw`,
      "job-timeout-minutes": "60",
    },
    // The times that count here are the real ones.
    env: { SWITCHES: folder.path, NODE_OPTIONS: "" },
    turnOn: (name) => writeFile(file(name), ""),
    turnOff: (name) => rm(file(name)),
    hangs: (what) => existsSync(file(`${what}-hangs`)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
