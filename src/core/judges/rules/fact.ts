import type { BendKind } from "../bend.ts";

/** Something in a file that makes a check stricter or takes away from it. */
export interface Fact {
  readonly kind: BendKind;
  /** what it is about, in the same words wherever it stands: what goes in one place and comes in another has moved */
  readonly about: string;
  /** where in the file, whatever the order and the form: what stands there before and after is compared, of one kind */
  readonly at: string;
  /** above 0: it judges, and the more the stricter; below 0: it takes away */
  readonly level: number;
  /** from 1 */
  readonly line: number;
  /** whether it says something only beside another in its place: one that is gone, or takes away anew, is no loss */
  readonly paired?: boolean;
  /** of a command: the script or target that it stands in; "": the file has none */
  readonly scope?: string;
}

/** A fact that a check has lost: it is weaker, gone, or something new takes away. */
export interface Loss {
  readonly was: Fact | null;
  readonly now: Fact | null;
}

interface Difference {
  readonly losses: readonly Loss[];
  readonly gains: readonly Fact[];
}

/** What a file's facts have lost, and what they have gained that may have come from elsewhere. */
export function difference(before: readonly Fact[], after: readonly Fact[]): Difference {
  const olds = grouped(before);
  const news = grouped(after);
  const losses: Loss[] = [];
  const gains: Fact[] = [];
  for (const place of new Set([...olds.keys(), ...news.keys()])) {
    const { left, come } = unpaired(olds.get(place) ?? [], news.get(place) ?? []);
    for (let at = 0; at < Math.max(left.length, come.length); at += 1) {
      const was = left[at] ?? null;
      const now = come[at] ?? null;
      if (now === null && was?.paired === true) continue;
      if (was === null && now?.paired === true && now.level < 0) continue;
      if ((now?.level ?? 0) < (was?.level ?? 0)) losses.push({ was, now });
      else if (was === null || now === null) gains.push(...[was, now].flatMap((fact) => (fact === null ? [] : [fact])));
    }
  }
  return { losses, gains };
}

/** Takes off losses that are gains elsewhere: what was only moved. Losses of one place that only became less stay. */
export function unmoved<L extends Loss>(losses: readonly L[], gains: readonly Fact[]): readonly L[] {
  const free = new Map<string, Fact[]>();
  for (const gain of gains) listIn(free, subject(gain)).push(gain);
  return losses.filter(({ was, now }) => {
    const fact = was ?? now;
    if (fact === null || (was !== null && now !== null)) return true;
    const others = free.get(subject(fact)) ?? [];
    const at = others.findIndex(({ level }) => (was === null ? level < 0 && level <= fact.level : level >= was.level));
    if (at !== -1) others.splice(at, 1);
    return at === -1;
  });
}

function grouped(facts: readonly Fact[]): ReadonlyMap<string, Fact[]> {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) listIn(groups, `${fact.kind}\n${fact.at}`).push(fact);
  return groups;
}

/** Without those that are as strict as before. */
function unpaired(before: readonly Fact[], after: readonly Fact[]): { left: readonly Fact[]; come: readonly Fact[] } {
  const levels = new Map<number, number>();
  for (const { level } of before) levels.set(level, (levels.get(level) ?? 0) + 1);
  const come = after.filter(({ level }) => !takeOne(levels, level));
  // What stood first is what stayed.
  const left = before.toReversed().filter(({ level }) => takeOne(levels, level));
  return { left: left.toReversed(), come };
}

function takeOne(counts: Map<number, number>, key: number): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}

function subject({ kind, about }: Fact): string {
  return `${kind}\n${about}`;
}

function listIn<V>(lists: Map<string, V[]>, key: string): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
