import { type LintDocument, type Mistake, OURS } from "./document.ts";

const USES = /^\s*(?:-\s+)?uses:\s*(?<used>\S+)(?<comment>[^\n]*)$/u;
const PINNED = /@[0-9a-f]{40}$/u;

/** Our workflows and examples, and those in the documents, use the actions of others by the whole id of a commit, with its version beside it for people. */
export function checkPins(document: LintDocument): readonly Mistake[] {
  return document.text.split("\n").flatMap((text, index) => {
    const { used = "./", comment = "" } = USES.exec(text)?.groups ?? {};
    if (used === OURS || used.startsWith("./") || (PINNED.test(used) && /# v\d/u.test(comment))) return [];
    const message = `"${used}" is not pinned: write the commit's whole id, and its version as a comment`;
    return [{ line: index + 1, column: text.indexOf(used) + 1, message }];
  });
}
