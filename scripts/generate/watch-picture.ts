import { PLAIN, terminalPicture } from "../terminal-picture.ts";

/** As the view colours them. */
const TONES: readonly (readonly [RegExp, string])[] = [
  [/^✗|^Failing:/u, "#ff7b72"],
  [/^(?:greet|Status:|Next:) /u, "#f0f6fc"],
  [/^\? help|rows below$/u, "#8b949e"],
];

const TITLE = "smithers watch: a loop at its second iteration, with the check that failed, the circuit, and the keys";

/** `docs/images/watch.svg`. @param screen as the tests have seen it on a real terminal of 80×24 */
export function watchPicture(screen: string): string {
  const lines = screen.trimEnd().split("\n");
  const fillOf = (line: string): string => TONES.find(([pattern]) => pattern.test(line))?.[1] ?? PLAIN;
  return terminalPicture({ title: TITLE, columns: 80, lines, fillOf });
}
