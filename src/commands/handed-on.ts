import { COMMANDS } from "./table.ts";

/** A command line, cut in two. */
export interface CutCommandLine {
  readonly words: readonly string[];
  /** for the agent's program (L-04) */
  readonly handedOn: readonly string[];
}

/** Cuts off what stands behind `--` where the command hands it on to the agent's program. */
export function cutHandedOn(words: readonly string[]): CutCommandLine {
  const command = COMMANDS.find(({ name }) => name === words[0]);
  const end = command?.handsOn === true ? words.indexOf("--") : -1;
  return end === -1 ? { words, handedOn: [] } : { words: words.slice(0, end), handedOn: words.slice(end + 1) };
}
