import { expect, test } from "vitest";
import { marksIn, readDocument } from "../../src/prd/document.ts";
import { aDocument, AT, aStory } from "./documents.ts";

const issuesOf = (text: string) => readDocument(text, AT).issues;
/** `error userStories[0].id: …`, one line each */
const told = (text: string): readonly string[] =>
  issuesOf(text).map(({ severity, path, reason }) => `${severity} ${path}: ${reason}`);
const one = (overrides: Readonly<Record<string, unknown>>): string => aDocument([aStory("US-001", overrides)]);

test("a sound document is read as the engine needs it [D-42, D-43]", () => {
  const stories = [
    aStory("US-001", { checks: undefined, dependsOn: [], inProgress: true, note: "kept" }),
    aStory("US-002", {
      checks: [
        { criterion: 1, run: "npm test" },
        { criterion: "Its test passes", run: "make", timeout: 1.5 },
      ],
      ...{ dependsOn: ["US-001"], paths: ["src/**"], provider: "command", attempts: 3, pauseAfter: true, passes: true },
    }),
  ];
  const { document, issues } = readDocument(aDocument(stories, { branchName: "prd/web", provider: "codex" }), AT);
  expect(issues.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(document?.prd).toEqual({
    ...{ ...AT, project: "Web", description: "A site.", branchName: "prd/web", provider: "codex" },
    stories: [
      {
        ...{ id: "US-001", title: "Add part 1", description: "As a reader I want this part." },
        ...{ criteria: ["The page shows the part", "Its test passes"], checks: [], priority: 1, passes: false },
        ...{ dependsOn: [], paths: null, provider: null, attempts: 1, pauseAfter: false },
      },
      {
        ...{ id: "US-002", title: "Add part 2", description: "As a reader I want this part." },
        criteria: ["The page shows the part", "Its test passes"],
        checks: [
          { criterion: 0, run: "npm test", timeoutMs: null },
          { criterion: 1, run: "make", timeoutMs: 90_000 },
        ],
        ...{ priority: 2, passes: true, dependsOn: ["US-001"], paths: ["src/**"], provider: "command" },
        ...{ attempts: 3, pauseAfter: true },
      },
    ],
  });
});

test("what nobody has to write is null, and nothing is wrong with a document without it [D-43]", () => {
  const { document, issues } = readDocument(aDocument(), AT);
  expect(issues).toEqual([]);
  expect(document?.prd).toMatchObject({
    branchName: null,
    provider: null,
    stories: [{ dependsOn: null, paths: null }],
  });
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ["an id of another form", { id: "1" }, 'error userStories[0].id: "id" is the text "1", and has to be US- and'],
  ["no id", { id: undefined }, 'error userStories[0].id: "id" is missing'],
  ["no criterion", { acceptanceCriteria: [] }, "an empty list, and has to be a list with at least one entry"],
  ["an empty criterion", { acceptanceCriteria: [" ", "b"] }, 'Entry 1 of "acceptanceCriteria" is the text " "'],
  ["a priority as a text", { priority: "1" }, '"priority" is the text "1", and has to be a number, without quotes'],
  ["priority 0", { priority: 0 }, '"priority" is the number 0, and has to be at least 1'],
  ["half a priority", { priority: 1.5 }, '"priority" is the number 1.5, and has to be a whole number'],
  ["passes as a text", { passes: "no" }, '"passes" is the text "no", and has to be true or false, without quotes'],
  ["a title with a line break", { title: "a\nb" }, '"title" is the text "a\\nb", and has to be one line'],
  ["a title with a tab", { title: "a\tb" }, "has to be one line"],
  ["an empty title", { title: "  " }, "has to be one line"],
  ["a glob that leaves", { paths: ["../x"] }, "error userStories[0].paths"],
  ["an unknown agent", { provider: "gpt" }, '"provider" is the text "gpt", and has to be one of "codex"'],
  ["no attempt", { attempts: 0 }, '"attempts" is the number 0, and has to be at least 1'],
  ["too many attempts", { attempts: 17 }, '"attempts" is the number 17, and has to be at most 16'],
  ["pauseAfter as null", { pauseAfter: null }, '"pauseAfter" is null, and has to be true or false'],
  ["a check without a command", { checks: [{ criterion: 1 }] }, 'checks[0].run: "run" is missing'],
  ["a blank command", { checks: [{ criterion: 1, run: " " }] }, "has to be a command"],
  ["a check of criterion 3 of 2", { checks: [{ criterion: 3, run: "x" }] }, "US-001 has 2 criteria, and no number 3"],
  ["a check of another text", { checks: [{ criterion: "x", run: "x" }] }, "no criterion with exactly this text"],
  [
    "a check of a list",
    { checks: [{ criterion: [], run: "x" }] },
    '"criterion" is an empty list, and has to be a whole',
  ],
  [
    "no time",
    { checks: [{ criterion: 1, run: "x", timeout: 0 }] },
    '"timeout" is the number 0, and has to be more than 0',
  ],
  ["an unknown dependency", { dependsOn: ["US-009"] }, 'US-001 depends on "US-009", and there is no such story'],
  ["itself", { dependsOn: ["US-001"] }, "error userStories[0].dependsOn[0]: US-001 depends on itself"],
])("%s is an error with its place [D-12]", (_, overrides, expected) => {
  const text = one(overrides);
  expect(told(text)).toEqual([expect.stringContaining(expected)]);
  expect(readDocument(text, AT).document).toBeUndefined();
});

test("quotes and $(…) in a title are text", () => {
  expect(issuesOf(one({ title: `Say "hi", it's $(rm -rf /) \`x\`` }))).toEqual([]);
});

test("all problems are told at once, each with its line and a cure [D-12]", () => {
  const text = aDocument([aStory("US-001", { title: 3 }), aStory("US-001", { priority: "x" }), null], { project: 1 });
  const issues = issuesOf(text);
  expect(issues.map(({ path }) => path)).toEqual([
    ...["project", "userStories[0].title", "userStories[1].id", "userStories[1].priority", "userStories[2]"],
  ]);
  const lines = text.split("\n");
  const at = issues.map(({ line }) => lines[Number(line) - 1]?.trim());
  expect(at).toEqual(['"project": 1,', '"title": 3,', '"id": "US-001",', '"priority": "x",', "null"]);
  expect(issues.every(({ cure }) => cure !== "")).toBe(true);
});

test("stories that wait for each other are named in their circle", () => {
  const ring = (id: string, other: string) => aStory(id, { dependsOn: [other] });
  const text = aDocument([
    ring("US-001", "US-003"),
    ring("US-002", "US-001"),
    ring("US-003", "US-002"),
    aStory("US-004"),
  ]);
  const errors = told(text).filter((line) => line.startsWith("error"));
  expect(errors).toEqual([
    "error userStories[1].dependsOn[0]: these stories wait for each other in a circle: US-001 → US-003 → US-002 → US-001",
  ]);
});

test.each<[string, string, string]>([
  [
    "equal priorities",
    aDocument([aStory("US-001"), aStory("US-002", { priority: 1 })]),
    "has the priority of US-001, 1",
  ],
  [
    "a wrong order",
    aDocument([aStory("US-001", { dependsOn: ["US-002"] }), aStory("US-002")]),
    "US-001 (priority 1) waits for US-002 (priority 2)",
  ],
  ["no command", one({ checks: [] }), "US-001 names no command of its own"],
  ["nine criteria", one({ acceptanceCriteria: Array.from({ length: 9 }, (_, i) => `It says ${i}`) }), "has 9 criteria"],
  ["a vague word", one({ acceptanceCriteria: ["It is Fast, etc.", "b"] }), 'nobody can check "fast", "etc"'],
  ["a misspelt key", one({ depends_on: [] }), '"depends_on" means nothing to the loop'],
  ["a key with an s", one({ acceptanceCriteria: ["a", "b"], check: [] }), ""],
  ["no story", aDocument([]), "there is no story"],
])("%s is a warning, and the document is read", (_, text, expected) => {
  const warnings = told(text);
  expect(warnings.filter((line) => line.includes(expected))).toHaveLength(expected === "" ? 0 : 1);
  expect(warnings.filter((line) => line.startsWith("error"))).toEqual([]);
  expect(readDocument(text, AT).document).toBeDefined();
});

test("a key that was meant to be another one is told by the right name, where that is not there", () => {
  const story = aStory("US-001", { acceptanceCriterias: ["a"], acceptanceCriteria: undefined, Titel: "x" });
  const cures = issuesOf(aDocument([story], { branch_name: "x" })).map(({ cure }) => cure);
  expect(cures.filter((cure) => cure.includes("Did you mean"))).toEqual([
    'Did you mean "acceptanceCriteria"? Other keys are kept, and nobody reads them.',
    'Did you mean "branchName"? Other keys are kept, and nobody reads them.',
  ]);
});

test("a criterion with a command of its own may say what it likes, and so may a story that is done", () => {
  expect(issuesOf(one({ acceptanceCriteria: ["a", "It is fast"] }))).toEqual([]);
  expect(issuesOf(one({ acceptanceCriteria: ["It is fast", "b"], checks: [], passes: true }))).toEqual([]);
});

test.each([
  ['{ "a": 1, }', "line 1, column 11: a comma is too much"],
  ['{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: a comma or } is missing"],
  ["{ 'a': 1 }", "line 1, column 3: a name in double quotes is missing"],
  ["{ \"a\": 'b' }", "line 1, column 8: texts stand in double quotes"],
  ['{ "a" 1 }', "line 1, column 7: a colon is missing"],
  ['// x\n{ "a": 1 }', "line 1, column 1: JSON has no comments"],
  ['{ "a": "b }', "line 1, column 8: the text that begins here has no closing quote"],
  ['{ "a": "b\nc" }', "line 1, column 10: a text has to end on its line"],
  ['{ "a": "\\q" }', "line 1, column 9: a backslash"],
  ['{ "a": true } x', "line 1, column 15: there is more behind its end"],
  ["", "line 1, column 1: it ends too early"],
  ["[".repeat(100_000), "line 1, column 65: more than 64 lists and objects"],
])("of a text that is no JSON, line and column are told: %.20s", (text, expected) => {
  expect(told(text)).toEqual([expect.stringContaining(expected)]);
});

test("a name that stands twice in an object is an error, because readers differ in which one counts", () => {
  const text = aDocument().replace('"priority": 1', '"passes": true,\n      "priority": 1');
  expect(issuesOf(text)).toMatchObject([{ severity: "error", line: 21, reason: expect.stringContaining('"passes"') }]);
});

test.each(["3", "null", "[]", '"x"'])("what is no object is told: %s", (text) => {
  expect(told(text)).toEqual([expect.stringMatching(/^error : it is .*, and has to be an object/u)]);
});

test("only the first hundred problems are told, and how many more there are", () => {
  const issues = issuesOf(aDocument(Array.from({ length: 300 }, () => null)));
  expect(issues).toHaveLength(101);
  expect(issues.at(-1)).toMatchObject({ severity: "error", line: null, reason: "200 more were found" });
});

test("more than 2,000 stories are refused, and nothing else is looked at", () => {
  const text = aDocument(Array.from({ length: 2_001 }, () => null));
  expect(told(text)).toEqual(["error userStories: there are 2001 stories, and at most 2000 are read"]);
});

test("what a text says of each story is found by its id, with a byte order mark as without; what is no story has none", () => {
  const marks = new Map([
    ["US-001", { passes: true, inProgress: false }],
    ["US-002", { passes: false, inProgress: true }],
  ]);
  const stories = [aStory("US-001", { passes: true }), aStory("US-002", { inProgress: true }), 3, { id: 4 }];
  for (const bom of ["", "\uFEFF"]) expect(marksIn(`${bom}${aDocument(stories)}`)).toEqual(marks);
  for (const text of ["", "[]", "null", "{}", '{"userStories":{}}']) expect(marksIn(text)).toEqual(new Map());
});
