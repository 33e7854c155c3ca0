import { describe, expect, test } from "vitest";
import { agentsNamedOutside } from "../../scripts/house/agents-named.ts";
import { importers } from "../../scripts/house/importers.ts";
import { measured } from "../../scripts/house/measure.ts";
import { outcomeSpellings } from "../../scripts/house/outcomes.ts";
import { type Row, tableOf } from "../../scripts/house/row.ts";
import { singlePlaces } from "../../scripts/house/single-places.ts";
import { sizes } from "../../scripts/house/sizes.ts";
import { totals } from "../../scripts/house/totals.ts";
import { parsed, type SourceFile } from "../../scripts/house/tree.ts";

function tree(files: Readonly<Record<string, string>>): readonly SourceFile[] {
  return Object.entries(files).map(([file, text]) => parsed(file, text));
}

function lines(count: number, line = "a();"): string {
  return `${line}\n`.repeat(count);
}

/** `[now, holds]` of the row that says this. */
function found(rows: readonly Row[], what: string): readonly [now: string | undefined, holds: boolean | undefined] {
  const row = rows.find((each) => each.what.includes(what));
  return [row?.now, row?.holds];
}

describe("sizes", () => {
  test("a file of 39 lines is short, one of 40 is not; 12 of 100 may be short, 13 not", () => {
    const files = (short: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`r${i}/a.ts`, lines(i < short ? 39 : 40)]));
    expect(found(sizes(tree(files(12))), "under 40")).toEqual(["12.0 %", true]);
    expect(found(sizes(tree(files(13))), "under 40")).toEqual(["13.0 %", false]);
  });

  test("a folder holds 25 files and no 26th; what lies in its folders is not counted", () => {
    const files = (count: number): Record<string, string> => ({
      "core/stop/a.ts": "",
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`core/${i}.ts`, ""])),
    });
    expect(found(sizes(tree(files(25))), "folder")).toEqual(["25", true]);
    expect(found(sizes(tree(files(26))), "folder")).toEqual(["26", false]);
  });

  test("a file has 400 lines and no 401st, blank ones and comments included", () => {
    expect(found(sizes(tree({ "a.ts": `${lines(200)}${lines(200, "//")}` })), "a file")).toEqual(["400", true]);
    expect(found(sizes(tree({ "a.ts": `${lines(400)}\n` })), "a file")).toEqual(["401", false]);
  });

  test.each([
    ["a declaration", (body: string) => `function f() {\n${body}}`],
    ["an expression", (body: string) => `const f = function () {\n${body}};`],
    ["an arrow", (body: string) => `const f = () => {\n${body}};`],
    ["a method", (body: string) => `class A { f() {\n${body}} }`],
  ])("a function has 60 lines and no 61st, without blank ones and comments: %s", (_, f) => {
    const small = f(`${lines(58)}${lines(20, "")}${lines(20, "// a")}${lines(20, "/* a */ // b")}`);
    expect(found(sizes(tree({ "a.ts": small })), "a function")).toEqual(["60", true]);
    expect(found(sizes(tree({ "a.ts": f(lines(59)) })), "a function")).toEqual(["61", false]);
  });

  test("a function that the linter is told to pass over is passed over", () => {
    const exempt = `// oxlint-disable-next-line max-lines-per-function -- a table\nfunction f() {\n${lines(59)}}`;
    expect(found(sizes(tree({ "a.ts": exempt })), "a function")).toEqual(["0", true]);
  });
});

describe("importers", () => {
  const page = (importing: Readonly<Record<string, string>>, length = 60): readonly Row[] =>
    importers(tree({ "page.ts": lines(length), ...importing }));

  test("a page has one importer, by whatever import, and at most 60 lines", () => {
    expect(found(page({ "a.ts": `import { p } from "./page.ts";` }), "one importer")).toEqual(["1", true]);
    expect(found(page({ "x/a.ts": `type P = import("../page.ts").P;` }), "one importer")).toEqual(["1", true]);
    expect(found(page({ "a.ts": `await import("./page.ts");` }, 61), "one importer")).toEqual(["0", true]);
    const two = { "a.ts": `export * from "./page.ts";`, "b.ts": `import type { P } from "./page.ts";` };
    expect(found(page(two), "one importer")).toEqual(["0", true]);
    expect(found(page({}), "one importer")).toEqual(["0", true]);
  });

  test("25 pages may be, and no 26th", () => {
    const files = (count: number): Record<string, string> => {
      const names = Array.from({ length: count }, (_, i) => `p${i}.ts`);
      const user = names.map((name) => `import "./${name}";`).join("\n");
      return { ...Object.fromEntries(names.map((name) => [name, ""])), "user.ts": user };
    };
    expect(found(importers(tree(files(25))), "one importer")).toEqual(["25", true]);
    expect(found(importers(tree(files(26))), "one importer")).toEqual(["26", false]);
  });

  test("each circle is found once, through types and lazy imports too", () => {
    const files = {
      "a.ts": `import type { B } from "./x/b.ts";`,
      "x/b.ts": `await import("./c.ts");`,
      "x/c.ts": `export { a } from "../a.ts"; import "./b.ts";`,
      "d.ts": `import "./a.ts"; import "./e.ts";`,
      "e.ts": `import "./d.ts";`,
      "f.ts": `import "./d.ts";`,
    };
    const rows = importers(tree(files));
    expect(found(rows, "circles")).toEqual(["2", false]);
    expect(rows.find(({ what }) => what.includes("circles"))?.places).toEqual([
      "a.ts → x/b.ts → x/c.ts → a.ts",
      "d.ts → e.ts → d.ts",
    ]);
    expect(found(importers(tree({ ...files, "x/c.ts": "", "e.ts": "" })), "circles")).toEqual(["0", true]);
  });
});

describe("agents named outside", () => {
  const named = (files: Readonly<Record<string, string>>): readonly string[] =>
    agentsNamedOutside(tree({ "agents/codex/a.ts": "", "agents/pi-agent/a.ts": "", ...files })).places;

  test.each([
    ["an identifier", `const codex = 1;`],
    ["a part of an identifier", `readCodexHome();`],
    ["a constant", `const CODEX_HOME = 1;`],
    ["a property", `a.codex;`],
    ["an import", `import { a } from "../agents/codex/a.ts";`],
    ["a string without a space", `const a = "codex";`],
    ["a template without a space", "const a = `${b}/.codex/${c}`;"],
    ["a command line", `run("codex exec");`],
    ["a template that is a command line", "run(`codex exec ${file}`);"],
    ["what a message is made with", "const a = `the home of ${codex} is there`;"],
    ["a regular expression", `const a = /codex home/u;`],
    ["a comment", `// What codex does.`],
    ["a name of two words", `const piAgent = 1;`],
    ["a name of two words in a string", `const a = "pi-agent";`],
  ])("%s counts", (_, text) => {
    expect(named({ "carry/a.ts": `\n${text}\n` })).toEqual(["carry/a.ts:2"]);
  });

  test.each([
    ["its folder", "agents/codex/b.ts", `const codex = 1;`],
    ["the registry", "agents/registry.ts", `import { CODEX } from "./codex/a.ts";`],
    ["settings", "config/settings/a.ts", `const provider = "codex";`],
    ["another system's file", "config/foreign.ts", `const file = ".codex-solo.json";`],
    ["a message", "views/a.ts", `const a = "Install codex first.";`],
    ["a template that is a message", "views/a.ts", "const a = `codex ended with ${code}.`;"],
    ["a longer word", "views/a.ts", `const codexes = 1;`],
  ])("%s does not count", (_, file, text) => {
    expect(named({ [file]: text })).toEqual([]);
  });

  test("what follows from the settings has to ask them", () => {
    const rule = `if (provider === "codex") a();`;
    expect(named({ "config/rules.ts": rule, "config/foreign/a.ts": rule })).toEqual([
      "config/rules.ts:1",
      "config/foreign/a.ts:1",
    ]);
  });

  test("one agent that names another counts; lines are named once", () => {
    expect(named({ "agents/pi-agent/b.ts": `codex(codex);\na();\ncodex();` })).toEqual(["agents/pi-agent/b.ts:1,3"]);
  });
});

describe("single places", () => {
  const places = (files: Readonly<Record<string, string>>, what: string): readonly string[] | undefined =>
    singlePlaces(tree(files)).find((row) => row.what.includes(what))?.places;

  test("reading the records of a raw diff, cut or matched", () => {
    const files = {
      "cut.ts": `const [oldMode = "", newMode = "", before = "", after = ""] = raw.slice(1).split(" ");`,
      "matched.ts": String.raw`const record = /^:(\d{6}) (\d{6}) (\S+) (\S+) (\w)/u;`,
      "other.ts": String.raw`const [id, tree, ...parents] = text.split(" "); const at = /:(\d+):(\d+)/u; run("--raw");`,
    };
    expect(places(files, "raw diff")).toEqual(["cut.ts", "matched.ts"]);
    expect(found(singlePlaces(tree(files)), "raw diff")).toEqual(["2", false]);
    expect(found(singlePlaces(tree({ "cut.ts": files["cut.ts"] })), "raw diff")).toEqual(["1", true]);
  });

  test("reading contents in a batch, but not sizes", () => {
    const files = {
      "a.ts": `run(["cat-file", "--batch"]);`,
      "b.ts": `run(["cat-file", "--batch=%(objectname)"]);`,
      "c.ts": "run([`--batch-command`]);",
      "d.ts": `run(["cat-file", "--batch-check=%(objectsize)"]);`,
    };
    expect(places(files, "--batch")).toEqual(["a.ts", "b.ts", "c.ts"]);
  });

  test("laying a tree over the work tree, but not reading one into an index", () => {
    const files = {
      "a.ts": `const bring = ["-m", "-u", head]; git.run(["read-tree", ...bring]);`,
      "b.ts": `git.run([...careful, "read-tree", "-mu", head]);`,
      "c.ts": `git.run(["checkout-index", "-f"]);`,
      "d.ts": `git.run(["apply", "--index"]);`,
      "e.ts": `git.run(["read-tree", head]); const verb = "apply";`,
    };
    expect(places(files, "lay a tree")).toEqual(["a.ts", "b.ts", "c.ts", "d.ts"]);
  });
});

describe("spellings of “it worked”", () => {
  const [UNIONS, BESIDE] = ["in unions", "beside the reason"];
  const rows = (text: string, more: Readonly<Record<string, string>> = {}): readonly Row[] =>
    outcomeSpellings(tree({ "a.ts": text, ...more }));
  const spelled = (text: string, more: Readonly<Record<string, string>> = {}): readonly string[] =>
    rows(text, more).flatMap(({ places }) => places);

  test.each([
    ["a union", `type A = { pushed: true } | { pushed: false; why: string };`, "pushed"],
    ["a union where only one says so", `type A = { done: true } | { why: string };`, "done"],
    ["intersected members", `type A = ({ put: true } & B) | ({ readonly put: false } & C);`, "put"],
    ["members in Readonly", `type A = Readonly<{ there: true }> | Readonly<{ there: false }>;`, "there"],
    ["named members", `interface Y { known: true }\ntype N = { known: false };\ntype A = Y | N;`, "known"],
    ["a quoted name", `type A = { "kept": true } | { "kept": false };`, "kept"],
    ["a word", `type A = { state: "pushed" } | { state: "failed"; why: string };`, "state"],
    ["a reason and nothing else", `type A = { value: B } | { readonly why: string; next: string };`, "why"],
    ["a boolean beside a reason", `interface A { pushed: boolean; why?: string }`, "pushed"],
    ["a boolean beside a reason or null", `let a: { "saved": boolean; name: B; detail: string | null };`, "saved"],
    ["what a function returns", `function f(): Promise<{ found: true } | { found: false }> {}`, "found"],
  ])("%s", (_, text, name) => {
    const line = text.split("\n").length;
    expect(spelled(text)).toEqual([`${name}: a.ts:${line}`]);
  });

  test("named members of another file", () => {
    const text = `import { type Y, type N } from "./b.ts";\nexport type A = Y | N;`;
    const other = { "b.ts": `export interface Y { seen: true }\nexport interface N { seen: false }` };
    expect(spelled(text, other)).toEqual(["seen: a.ts:2"]);
  });

  test.each([
    ["Result", `type Result<T> = { ok: true; value: T } | { ok: false; trouble: string };`],
    ["a plain boolean", `interface A { alive: boolean; name: string }`],
    ["a quality", `interface A { isSealed: boolean; whyNot: string }`],
    ["a state of three ends", `type A = { state: "a" } | { state: "b" } | { state: "c"; why: string };`],
    ["a state of which one end is two", `type A = { state: "a" | "b" } | { state: "c"; why: string; next: string };`],
    [
      "a boolean in one of a state's ends",
      `type A = { to: "b" } | { to: "c" } | { to: "d"; why: string; told: boolean };`,
    ],
    ["two that both say why", `type A = { goes: B; why: string } | { because: string };`],
    ["a state by its name", `type A = { state: "found" } | { state: "absent" };`],
    ["what all members say", `type A = { big: true; a: 1 } | { big: true; b: 1 };`],
  ])("%s is not one", (_, text) => {
    expect(spelled(text)).toEqual([]);
    expect(found(rows(text), UNIONS)).toEqual(["1", true]);
  });

  test("two spellings are one too many", () => {
    expect(found(rows(`type A = { put: true } | { put: false };`), UNIONS)).toEqual(["2", false]);
  });

  test("two places with a boolean beside a reason may be, and no third", () => {
    const type = (name: string): string => `interface ${name} { put: boolean; why: string }\n`;
    expect(found(rows(`${type("A")}${type("B")}`), BESIDE)).toEqual(["2", true]);
    expect(found(rows(`${type("A")}${type("B")}${type("C")}`), BESIDE)).toEqual(["3", false]);
  });
});

test("imports against the layers are a line of the measure", () => {
  const rows = measured(tree({ "core/a.ts": `import fs from "node:fs";` }));
  expect(found(rows, "layers")).toEqual(["1", false]);
  expect(found(measured(tree({ "core/a.ts": "" })), "layers")).toEqual(["0", true]);
});

test("the table says what holds and, of what is missed, where", () => {
  const row = {
    what: "files",
    now: "3",
    limit: "≤ 1",
    holds: false,
    places: Array.from({ length: 14 }, (_, i) => `p${i}`),
  };
  const held = { what: "circles", now: "0", limit: "≤ 0", holds: true, places: ["never told"] };
  const told = tableOf([row, held], { all: false });
  expect(told.split("\n").slice(0, 6)).toEqual([
    "what     now  limit",
    "files      3    ≤ 1  MISSED",
    "circles    0    ≤ 0  holds",
    "",
    "files:",
    "  p0",
  ]);
  expect(told.split("\n").slice(-2)).toEqual(["  p11", "  … and 2 more (npm run house -- --all)"]);
  expect(told).not.toContain("never told");
  expect(tableOf([row], { all: true })).toMatch(/ {2}p13$/u);
});

test("the totals are told room by room, with what has come since they were recorded", () => {
  const now = tree({ "core/a.ts": lines(10), "core/b.ts": lines(5), "cli.ts": lines(1), "live/a.ts": lines(3) });
  const then = { core: { files: 1, lines: 20 }, entries: { files: 1, lines: 1 } };
  expect(totals(now, then).split("\n")).toEqual([
    "room                      files          lines",
    "core                          2    +1       15      -5",
    "entries                       1     0        1       0",
    "live                          1    +1        3      +3",
    "all of src                    4    +2       19      -2",
    "goal of the second house  ≤ 380  -376  ≤ 36500  -36481",
  ]);
});
