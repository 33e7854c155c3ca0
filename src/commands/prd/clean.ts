import type { Command } from "../../app/command.ts";
import { note, printJson, printLines } from "../../app/shell.ts";
import { type PrdRemnant, prdRemnants } from "../../app/prd-clean.ts";
import { prdLoopId } from "../../app/loops/loop-id.ts";
import type { Result } from "../../core/result.ts";
import { prdFolder } from "../../prd/folder.ts";
import { placeOf } from "../../store/place.ts";
import { line, oneLine } from "../../views/plain-text.ts";
import { chosenPrd, prdProgramOf, workspaceOf } from "./place.ts";

/** `removal`: what came of it; null: nobody has tried. */
type Cleaned = PrdRemnant & { readonly removal: Result | null };

/** `smithers prd clean`: shows what the work on a PRD has left on this machine, and removes it with `--yes`. */
export const clean: Command = async (invocation, shell) => {
  const root = await workspaceOf(invocation, shell);
  const name = await chosenPrd(root, invocation.operand, "clean", shell);
  const place = placeOf(root, prdLoopId(name), null);
  const about = { place, name, folder: prdFolder(name), env: shell.env, unmerged: true };
  const found = await prdRemnants(about);
  const cleaned: Cleaned[] = [];
  // One after the other, in their order.
  for (const one of found)
    cleaned.push({ ...one, removal: invocation.yes && one.remove !== undefined ? await one.remove() : null });
  const left = cleaned.flatMap(({ name: what, removal }) =>
    removal?.ok === false ? [`${what} is left: ${removal.trouble.because}.`] : [],
  );
  const goes = cleaned.filter(({ remove }) => remove !== undefined);
  if (invocation.json) printJson(shell, asJson(name, cleaned));
  else {
    const rows = cleaned.map(({ kind, name: what, why, remove }) =>
      line(oneLine(`${remove === undefined ? "stays" : kind.padEnd(5)}  ${what}  ${why}`), remove ? "plain" : "dim"),
    );
    const command = `${prdProgramOf(shell)} clean ${name} --yes`;
    const last =
      goes.length === 0
        ? "There is nothing to remove."
        : invocation.yes
          ? `Removed ${goes.length - left.length} of ${goes.length}.`
          : `Nothing was removed. ${command} removes what does not stay.`;
    printLines(shell, [...rows, line(last)]);
    for (const text of left) note(shell, oneLine(text));
  }
  return left.length === 0 ? 0 : 1;
};

function asJson(prd: string, cleaned: readonly Cleaned[]): object {
  const found = cleaned.map(({ kind, name, why, remove, removal }) => ({
    ...{ kind, name, why, stays: remove === undefined, removed: removal?.ok === true },
    left_because: removal?.ok === false ? removal.trouble.because : null,
  }));
  return { schema: 1, prd, found };
}
