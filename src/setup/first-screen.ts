/** `smithers --help` in 24 lines of 80 columns: all commands, ten flags, three examples. */
export const FIRST_SCREEN = `Runs a coding agent in a loop until the work is proved done.

smithers "<what to do>" [options]    or    smithers <command> [options]
  start    run (as without a command), loop, resume, prd, setup, import
  watch    watch, status, list, logs, diff, explain, report, stats
  end      pause, stop, cancel, reset-circuit, reset-session, prune
  set up   doctor, trust, install-helpers, completion, help, version

  --full-auto                let the agent change the files of this folder
  --success-cmd <json>       what proves the work when it exits 0
  --quality-commands <text>  a command that has to be green before "done" counts
  --max-iterations <number>  how many turns at most; 30 if you say nothing
  --max-tokens <number>      how much it may use, over all its runs
  --commit <when>            commit never, each iteration, or at the end
  --provider <name>          who takes the turns; command is any program
  --dry-run                  show settings, prompt and command; start nothing
  --json                     the result for machines, on stdout
  --help-all                 all of it; smithers help <command or topic>: a part

  smithers "Make the tests pass." --success-cmd '["npm","test"]' --full-auto
  smithers resume            go on with what the loop was given
  smithers watch             look at a loop that runs in another terminal
`;

const WORDS: ReadonlySet<string> = new Set(["-h", "--help"]);

/** Whether the words ask for help on the program as a whole: `--help`, or `help` without a topic. */
export function isAskedForFirstScreen(script: string, words: readonly string[]): boolean {
  if (/(?:^|[/\\])daedalus$/u.test(script)) return false;
  return words.length === 1 && (words[0] === "help" || WORDS.has(words[0] ?? ""));
}
