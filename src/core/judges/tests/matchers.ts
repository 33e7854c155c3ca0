/**
 * What an assertion holds of its subject.
 *
 * - `eq`: it is this value; `approx`: within a tolerance
 * - `contains`, `matches`, `length`, `type`: a part of it is
 * - `less`, `more`: it is on one side of a bound
 * - `throws`: it fails, with this error where one is given
 * - `called`: it was called, with these arguments where some are given
 * - `snapshot`: it is what was recorded
 * - `truthy`, `some`: it is anything but nothing
 * - `cond`: a condition, which says what it holds
 * - `other`: a matcher that no table knows
 */
const RELATIONS = [
  ...["eq", "approx", "contains", "matches", "length", "type", "less", "more", "throws", "called", "snapshot"],
  ...["truthy", "some", "cond", "other", "within"],
] as const;
export type Relation = (typeof RELATIONS)[number];

/** Where an assertion has its parts. */
export interface Matcher {
  readonly relation: Relation;
  readonly negated: boolean;
  /** the argument with the subject; null: none, or the block that follows */
  readonly subject: number | null;
  /** the argument with what is expected; a text: this is */
  readonly expected: number | string | null;
  readonly tolerance: number | null;
  /** the tolerance counts digits: fewer are wider */
  readonly digits: boolean;
}

/** By name; names may have a qualifier: `assert.equal`. */
export type Matchers = ReadonlyMap<string, Matcher>;

const isRelation = (text: string): text is Relation => RELATIONS.some((relation) => relation === text);

/**
 * Reads a table of assertions, one shape on a line: `names = relation subject expected tolerance`.
 *
 * Names are divided by spaces; `a|b.c` stands for `a.c b.c`. `!` before the relation negates it. Subject, expected and
 * tolerance are places among the arguments, from 0; `-`: there is none (of a subject: the block that follows); a
 * tolerance that ends in `d` counts digits; an expected `'x'` is x itself.
 *
 * @throws RangeError when a line has another form
 */
export function matcherTable(text: string): Matchers {
  const table = new Map<string, Matcher>();
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const [names = "", shape = ""] = line.split(" = ");
    const fields = shape.trim().split(" ");
    const [relation = "", subject = "-"] = fields;
    const [expected = "-", tolerance = "-"] = fields.slice(2);
    const plain = relation.replace(/^!/u, "");
    if (!isRelation(plain)) throw new RangeError(`No relation in: ${line}`);
    const matcher: Matcher = {
      relation: plain,
      negated: relation !== plain,
      subject: place(subject),
      expected: expected.startsWith("'") ? expected.slice(1, -1) : place(expected),
      tolerance: place(tolerance.replace(/d$/u, "")),
      digits: tolerance.endsWith("d"),
    };
    for (const name of names.trim().split(/ +/u).flatMap(qualified)) table.set(name, matcher);
  }
  return table;
}

function place(text: string): number | null {
  return text === "-" ? null : Number(text);
}

function qualified(name: string): readonly string[] {
  const [owners = "", own] = name.split(".");
  return own === undefined ? [name] : owners.split("|").map((owner) => `${owner}.${own}`);
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/u));
}
