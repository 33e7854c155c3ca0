import type { Ports } from "../../ports.ts";
import type { LoopState, Snapshot } from "../../state.ts";
import type { Tally, Task } from "../../task.ts";
import type { Claim } from "../claim.ts";
import { normalised } from "../markup.ts";
import { promiseToken } from "../promise.ts";
import { type Contradiction, contradictionOf, named } from "./contradiction.ts";
import { contradictionsOfLists } from "./list-contradictions.ts";
import { contradictedNumbers } from "./promise-numbers.ts";
import { followList } from "./follow-list.ts";
import { itemsOf } from "./listed-items.ts";
import type { WorkList } from "./work-list.ts";
import { writtenFiles } from "./written-files.ts";

const READ_LIMIT = 65_536; // no more of a message is read, from its end

/** What a turn has left that its claim is held against. */
interface Claimed {
  readonly claim: Claim;
  /** the agent's last message */
  readonly message: string;
  readonly tally: Tally | null;
  readonly snapshot: Snapshot | null;
}

type Asked = Pick<Ports, "lists" | "workspace" | "digest">;

/**
 * What contradicts a turn's claim (C46 to C49): the plan and the todo file, the tree, and its own numbers. Asked of a turn
 * that says that it is done, because only then what it says decides. What cannot be measured contradicts nothing.
 */
export async function contradictionsOf(
  { claim, message, tally, snapshot }: Claimed,
  { task, state }: { readonly task: Task; readonly state: LoopState },
  { lists, workspace, digest }: Asked,
): Promise<readonly Contradiction[]> {
  const { prompt, todo, promise, doneToken } = task.identity;
  const text = normalised(message.slice(-READ_LIMIT));
  const token = todo?.token ?? null;
  const { begun } = state.boundary;
  const change = begun === null || snapshot === null ? null : { begun, now: snapshot, workspace };
  const said = claim.done ? promiseToken(promise) : doneToken;
  return [
    ...contradictionsOfLists(await lists.read(), state.lists, { prompt, token }, digest),
    ...(change === null ? [] : await ofNames(writtenFiles(text), change)),
    ...(change === null ? [] : await ofBlock(claim, state, change)),
    ...(claim.done || claim.token_done ? contradictedNumbers(text, said, tally) : []),
  ];
}

interface Since {
  readonly begun: Snapshot;
  readonly now: Snapshot;
  readonly workspace: Ports["workspace"];
}

/** C47. */
async function ofNames(names: readonly string[], { begun, now, workspace }: Since): Promise<readonly Contradiction[]> {
  if (names.length === 0) return [];
  const found = await workspace.named(begun, now, names);
  if (found === null) return [];
  const missing = names.filter((name) => found.get(name) === "missing");
  const unchanged = names.filter((name) => found.get(name) === "unchanged");
  return [
    ...(missing.length === 0 ? [] : [contradictionOf("missing_files", "", missing)]),
    ...(unchanged.length === 0 ? [] : [contradictionOf("unchanged_files", "", unchanged)]),
  ];
}

/** C48: of this turn or of the whole loop, whichever the agent means. */
async function ofBlock({ block }: Claim, state: LoopState, { begun, now, workspace }: Since) {
  const says = block?.files_modified ?? 0;
  const isWork = (before: Snapshot): boolean => before.tree !== now.tree || before.nested !== now.nested;
  if (says === 0 || (state.snapshot !== null && isWork(state.snapshot))) return [];
  if (begun.nested !== now.nested) return [];
  const files = begun.tree === now.tree ? 0 : ((await workspace.compare(begun, now))?.files ?? says);
  if (files >= says) return [];
  return [{ kind: "nothing_modified" as const, file: "", named: named([`FILES_MODIFIED: ${says}`]), count: files }];
}

/** The lists as a turn has left them: what it ticked is open no more. @returns undefined: nothing is followed */
export async function followedLists(
  { lists }: LoopState,
  { identity: { todo } }: Task,
  { lists: port, digest }: Pick<Ports, "lists" | "digest">,
): Promise<readonly WorkList[] | undefined> {
  if (lists.length === 0) return undefined;
  const files = await port.read();
  return lists.map((list) => {
    const file = files.find(({ path }) => path === list.path);
    return file === undefined ? list : followList(list, itemsOf(file, todo?.token ?? null, digest));
  });
}
