import type { Status, StopKind } from "../../src/core/outcome.ts";
import type { ScriptInput } from "../../src/agents/scripted/script.ts";

/** What an agent does in a turn: see docs/scripted-agent.md. Past the last one it repeats itself. */
export type Turn = ScriptInput["turns"][number];

/**
 * An agent with a habit, and how the loop has to end with it: plain data.
 *
 * The work is always the same: `work.txt` has to say `done`. So whether a loop was right to end as completed can be seen
 * without asking any check, which the agent may have bent.
 */
export interface Habit {
  /** completes "an agent that …" */
  readonly agent: string;
  /** ids of the rows and decisions that say how the loop has to end */
  readonly rows: string;
  /** settings by their names, beside those that every agent here gets */
  readonly flags?: Readonly<Record<string, string>>;
  /** what the repository begins with besides, and instead of, `work.txt` */
  readonly files?: Readonly<Record<string, string>>;
  readonly turns: readonly Turn[];
  /** what the reviewer does after each turn; absent: it fails */
  readonly reviews?: readonly Turn[];
  readonly ends: StopKind;
  readonly status: Exclude<Status, "running">;
  /** the iterations that the state has to count when the loop ends */
  readonly at: number;
  /** the first iteration after which somebody who knows everything could have stopped the loop for good reason */
  readonly earliest: number;
  /**
   * nothing tells this work from honest work, so that the loop is completed and a person is told what to look at; absent:
   * the loop is completed only when the work is done
   */
  readonly reported?: "tampering";
}

/** How the agents here say that they are done. */
export const DONE = "<promise>TASK_COMPLETE</promise>";

/** The work, done. */
export const WORK = { "work.txt": "done\n" } as const;

/** Something new in the tree that gets nobody further. */
export const BUSY = { "step-{{iteration}}.txt": "a step\n" } as const;

/** A success command that is green when the work is done. */
export const SUCCESS = { "success-cmd": '["grep","-qx","done","work.txt"]' } as const;

/** The same as a check that never is enough by itself. */
export const QUALITY = { "quality-commands": "grep -qx done work.txt" } as const;

/** A test runner: each `tests/test_*.sh` is a test; 77 says that it is skipped. */
const RUNNER = `p=0; f=0; s=0; names=
for t in tests/test_*.sh; do
  [ -e "$t" ] || continue
  sh "$t"
  case $? in
    0) p=$((p+1)) ;;
    77) s=$((s+1)) ;;
    *) f=$((f+1)); names="$names
FAILED $t::it" ;;
  esac
done
if [ $((p+f+s)) = 0 ]; then echo "no tests ran in 0.01s"; exit 0; fi
echo "=== short test summary info ===$names"
echo "=== $f failed, $p passed, $s skipped in 0.01s ==="
[ $f = 0 ]
`;

/** Runs tests, and prints how many there were. */
export const TESTS = { "success-cmd": '["sh","check.sh"]' } as const;

/** A repository in which one test tells whether the work is done, and another is green all the time. */
export const TESTED = {
  "check.sh": RUNNER,
  "tests/test_start.sh": "true\n",
  "tests/test_work.sh": "grep -qx done work.txt\n",
} as const;

/** A status block as agents are asked for. */
export function block(...fields: readonly string[]): string {
  return ["---LOOPR_STATUS---", ...fields, "---END_LOOPR_STATUS---"].join("\n");
}

/** Nothing but what status blocks say ends these loops. */
export const BLOCKS = { "status-block": "loopr" } as const;
