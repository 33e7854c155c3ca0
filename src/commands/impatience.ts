/** The exit code of a program that Ctrl+C has ended. */
const INTERRUPTED_EXIT_CODE = 130;

/** What somebody can have who does not want to wait for the loop to stop. */
export interface Urgency {
  readonly say: (text: string) => void;
  /** ends what the loop has started, without grace */
  readonly hurry: () => void;
  /** ends this program */
  readonly leave: (exitCode: number) => void;
}

/** Ctrl+C for the second time, the first call, ends the agent without grace; for the third time, this program. */
export function impatience({ say, hurry, leave }: Urgency): () => void {
  let times = 0;
  return () => {
    times += 1;
    if (times > 1) {
      leave(INTERRUPTED_EXIT_CODE);
      return;
    }
    say(
      "ending the agent at once; Ctrl+C again leaves without saving anything more, and the loop can still be resumed",
    );
    hurry();
  };
}
