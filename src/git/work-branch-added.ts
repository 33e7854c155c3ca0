import { printable } from "./change.ts";
import { succeeded } from "./private-git.ts";
import type { PlacesAdding } from "./work-branch-answers.ts";
import { checkedCommit, type Reach } from "./work-branch-reach.ts";

/** What a push adds to what everybody has already. */
export interface Added {
  readonly commit: string;
  /** commits that are on the remote, with all that they hold */
  readonly known: readonly string[];
}

/** Whether a byte string holds what is looked for. */
export type Holds = (text: string) => boolean;

/** Every line as git stores it; nothing that attributes or configuration name is run or left out. */
const PLAIN = [
  "--patch",
  "--unified=0",
  "--text",
  "-m",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
];
const MESSAGE = "a commit's message";
const NAME = "a file's name";

/**
 * Where something is in what `added` adds, in any of its commits: files, as people read their names, and messages. What
 * one commit brings and the next takes away is found as well, for it would be there to be read.
 */
export async function placesAdding({ remote, signal }: Reach, added: Added, holds: Holds): Promise<PlacesAdding> {
  const range = [checkedCommit(added.commit), "--not", ...added.known.map(checkedCommit)];
  const log = async (...how: string[]): Promise<string> => {
    const args = ["log", ...how, ...range, "--"];
    // A partial clone may have to fetch what the commits replace.
    return succeeded(args, await remote.try(args, { signal, online: true }));
  };
  const [messages, patch] = await Promise.all([log("--format=%B"), log("--format=", ...PLAIN)]);
  const inFiles = holds(patch) ? filesIn(patch, holds) : [];
  return { known: true, places: holds(messages) ? [...inFiles, MESSAGE] : inFiles };
}

function filesIn(patch: string, holds: Holds): readonly string[] {
  const found = new Set<string>();
  let file = NAME;
  for (const line of patch.split("\n")) {
    if (line.startsWith("+++ ")) file = holds(line) ? NAME : printable(line.slice("+++ b/".length));
    // What is taken away, and the function around a change, were there before.
    if (!line.startsWith("-") && !line.startsWith("@@") && holds(line)) found.add(file);
  }
  return [...found];
}
