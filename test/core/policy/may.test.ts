import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../../src/core/policy/command.ts";
import {
  type ActorKind,
  type Actor,
  AUTHORISATION,
  kindOf,
  letsWork,
  may,
  openToTriggers,
  type Way,
} from "../../../src/core/policy/may.ts";
import { PRD_VERBS } from "../../../src/core/policy/prd-ask.ts";

const NOBODY: Actor = {
  permission: "none",
  bot: false,
  listed: false,
  ourselves: false,
  author: false,
  fork: false,
  edited: false,
};

/** Somebody of each kind. */
const ACTORS: Readonly<Record<ActorKind, Actor>> = {
  admin: { ...NOBODY, permission: "admin" },
  write: { ...NOBODY, permission: "write" },
  bot_listed: { ...NOBODY, bot: true, listed: true },
  edited_comment: { ...NOBODY, permission: "write", edited: true },
  fork_head: { ...NOBODY, permission: "admin", fork: true },
  triage: { ...NOBODY, permission: "triage" },
  author_without_rights: { ...NOBODY, permission: "read", author: true },
  read: { ...NOBODY, permission: "read" },
  none: NOBODY,
  unknown: { ...NOBODY, permission: "unknown" },
  bot_not_listed: { ...NOBODY, bot: true },
  ourselves: { ...NOBODY, bot: true, listed: true, ourselves: true },
};

/** The authorisation table: what happens, in the order of `WAYS`. */
const TABLE: Readonly<Record<ActorKind, string>> = {
  admin: "person person trigger person trigger person",
  write: "person person trigger person trigger person",
  bot_listed: "person person trigger trigger trigger person",
  edited_comment: "told person trigger person trigger told",
  fork_head: "told told ignored refused refused told",
  triage: "ignored ignored ignored ignored ignored ignored",
  author_without_rights: "ignored ignored ignored ignored ignored ignored",
  read: "ignored ignored ignored ignored ignored ignored",
  none: "ignored ignored ignored ignored ignored ignored",
  unknown: "ignored ignored ignored ignored ignored ignored",
  bot_not_listed: "ignored ignored ignored trigger ignored ignored",
  ourselves: "ignored ignored ignored trigger ignored ignored",
};
const WAYS: readonly Way[] = ["comment", "label", "workflow_run", "dispatch", "event", "review"];
const CELLS = Object.entries(TABLE).flatMap(([kind, row]) =>
  row.split(" ").map((expected, column) => ({ kind, way: WAYS[column] ?? "comment", expected })),
);

function inWord(way: Way, asker: Actor): string {
  const decision = may(way, asker);
  if (decision.kind === "allowed") return decision.as;
  if (decision.kind === "ignored") return "ignored";
  return decision.reply ? "told" : "refused";
}

describe("who may ask", () => {
  test.for(CELLS)("$kind by $way is $expected [T4]", ({ kind, way, expected }) => {
    const [, asker = NOBODY] = Object.entries(ACTORS).find(([name]) => name === kind) ?? [];
    expect(kindOf(asker)).toBe(kind);
    expect(inWord(way, asker)).toBe(expected);
  });

  test("people are told whole sentences; the log's texts are part of one", () => {
    const decisions = Object.values(AUTHORISATION).flatMap((row) => Object.values(row));
    const said = decisions.flatMap((decision) => (decision.kind === "refused" ? [decision.reason] : []));
    const logged = decisions.flatMap((decision) => (decision.kind === "ignored" ? [decision.why] : []));
    expect(said.filter((sentence) => !/^[A-Z].*\.$/u.test(sentence))).toEqual([]);
    expect(logged.filter((part) => !/^[a-z].*[^.]$/u.test(part))).toEqual([]);
  });

  test.for([
    { name: "a stranger's edited comment", asker: { ...ACTORS.read, edited: true }, kind: "read" },
    { name: "a stranger at a fork", asker: { ...ACTORS.none, fork: true }, kind: "none" },
    {
      name: "a stranger who is the author of a fork",
      asker: { ...ACTORS.read, author: true, fork: true },
      kind: "author_without_rights",
    },
    { name: "an author who could not be looked up", asker: { ...ACTORS.unknown, author: true }, kind: "unknown" },
    { name: "an author with rights", asker: { ...ACTORS.write, author: true }, kind: "write" },
    { name: "a bot with somebody's permission", asker: { ...ACTORS.admin, bot: true }, kind: "bot_not_listed" },
    { name: "a listed bot at a fork", asker: { ...ACTORS.bot_listed, fork: true }, kind: "fork_head" },
    { name: "a person whose name is on the list", asker: { ...ACTORS.read, listed: true }, kind: "read" },
    { name: "an edited comment at a fork", asker: { ...ACTORS.edited_comment, fork: true }, kind: "fork_head" },
  ])("$name counts as $kind [T4]", ({ asker, kind }) => {
    expect(kindOf(asker)).toBe(kind);
  });

  test("what an agent works after, and what is open to a trigger [C25]", () => {
    expect(COMMANDS.filter((command) => letsWork(command))).toEqual([
      "continue",
      "start",
      "fix",
      "prd",
      "reset-circuit",
      "accept",
    ]);
    expect(PRD_VERBS.filter((verb) => letsWork("prd", verb))).toEqual(["run", "retry", "accept"]);
    expect([...COMMANDS, ...PRD_VERBS].filter(openToTriggers)).toEqual(["continue", "start", "run"]);
  });
});
