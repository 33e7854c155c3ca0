import type { Finding } from "./issues.ts";

/** What a story says of its turn, as far as that can be read. */
export interface Turn {
  /** its place in the list */
  readonly index: number;
  readonly id: string;
  readonly priority: number | undefined;
  readonly dependsOn: readonly string[];
  readonly passes: boolean;
}

const CYCLES = 10;

/** What is wrong with the order in which stories can be worked on (D-12). */
export function orderFindings(turns: readonly Turn[]): readonly Finding[] {
  const first = new Map<string, Turn>();
  for (const turn of turns) if (!first.has(turn.id)) first.set(turn.id, turn);
  return [
    ...turns.flatMap((turn) => repeatedId(turn, first.get(turn.id) ?? turn)),
    ...equalPriorities(turns),
    ...turns.flatMap((turn) => turn.dependsOn.flatMap((_, entry) => wrongDependency(turn, entry, first))),
    ...cycles(first),
  ];
}

function repeatedId(turn: Turn, first: Turn): readonly Finding[] {
  if (turn === first) return [];
  const reason = `${turn.id} is the id of userStories[${first.index}] already`;
  return [{ severity: "error", at: [...place(turn), "id"], reason, cure: "Give each story an id of its own." }];
}

function equalPriorities(turns: readonly Turn[]): readonly Finding[] {
  const holders = new Map<number, Turn>();
  return turns.flatMap((turn): Finding[] => {
    const { priority, id } = turn;
    if (priority === undefined) return [];
    const holder = holders.get(priority);
    if (holder === undefined) holders.set(priority, turn);
    if (holder === undefined || holder.id === id) return [];
    const reason = `${id} has the priority of ${holder.id}, ${priority}: ${holder.id} goes first, because it stands first`;
    const cure = "Give each story a priority of its own; the lowest number goes first.";
    return [{ severity: "warning", at: [...place(turn), "priority"], reason, cure }];
  });
}

function wrongDependency(turn: Turn, entry: number, first: ReadonlyMap<string, Turn>): readonly Finding[] {
  const named = turn.dependsOn[entry] ?? "";
  const other = first.get(named);
  const at = [...place(turn), "dependsOn", entry];
  if (named.trim() === "") return []; // its shape is wrong
  if (other === undefined) {
    const reason = `${turn.id} depends on ${JSON.stringify(named.slice(0, 60))}, and there is no such story`;
    return [{ severity: "error", at, reason, cure: "Name the id of another story of this file, or remove the entry." }];
  }
  if (named === turn.id) {
    const reason = `${turn.id} depends on itself, so it could never begin`;
    return [{ severity: "error", at, reason, cure: "Remove the entry." }];
  }
  if (turn.passes || other.passes || turn.priority === undefined || other.priority === undefined) return [];
  if (turn.priority >= other.priority) return [];
  const reason = `${turn.id} (priority ${turn.priority}) waits for ${named} (priority ${other.priority}), so it comes later than its number says`;
  return [{ severity: "warning", at, reason, cure: `Give ${named} the lower number.` }];
}

/** Circles of stories that wait for each other; each is named once, from the story that stands first in the search. */
function cycles(stories: ReadonlyMap<string, Turn>): readonly Finding[] {
  const found: Finding[] = [];
  const done = new Set<string>();
  for (const id of stories.keys()) {
    const way: { readonly id: string; next: number }[] = [{ id, next: 0 }];
    const onWay = new Set([id]);
    for (let step = way.at(-1); step !== undefined && found.length < CYCLES; step = way.at(-1)) {
      const turn = stories.get(step.id);
      const next = done.has(step.id) ? undefined : turn?.dependsOn[step.next];
      step.next += 1;
      if (turn === undefined || next === undefined) {
        done.add(step.id);
        onWay.delete(step.id);
        way.pop();
      } else if (onWay.has(next)) {
        if (next !== turn.id)
          found.push(
            cycleOf(
              turn,
              next,
              way.map((one) => one.id),
            ),
          );
      } else if (!done.has(next) && stories.has(next)) {
        onWay.add(next);
        way.push({ id: next, next: 0 });
      }
    }
  }
  return found;
}

const SHOWN = 12;

/** @param way of which the end, from `back` on, is the circle */
function cycleOf(turn: Turn, back: string, way: readonly string[]): Finding {
  const circle = way.slice(way.indexOf(back));
  const shown = circle.length > SHOWN ? [...circle.slice(0, SHOWN - 1), `… (${circle.length} in all)`] : circle;
  return {
    severity: "error",
    at: [...place(turn), "dependsOn", turn.dependsOn.indexOf(back)],
    reason: `these stories wait for each other in a circle: ${[...shown, back].join(" → ")}`,
    cure: "Remove the entry that is the least needed, so that one of them can begin.",
  };
}

function place({ index }: Turn): readonly [string, number] {
  return ["userStories", index];
}
