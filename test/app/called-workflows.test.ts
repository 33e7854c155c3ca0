import { describe, expect, test } from "vitest";
import { findingLines, gapsIn } from "../../src/views/gaps.ts";
import { ALL, found, type Given, without, workflow } from "./workflow-stage.ts";

describe("where a workflow calls another one, each line is told of the file that lacks it [C111, C180]", () => {
  const STATUS = "permissions: statuses: write";
  const GOOD = "{ group: g, queue: max }";
  const KILLS = "{ group: h, cancel-in-progress: true }";
  const LINES = {
    none: "concurrency: { group: smithers, queue: max }",
    queue: "concurrency: queue: max",
    kills: "concurrency: cancel-in-progress: false",
  };
  const HELD =
    /^GAP +the workflow w\.yml: GitHub cancels the run at once: .+Add concurrency: (?<line>\{.+\}), in place/u;
  const CALLED = "on: { workflow_call: {} }";
  /** @param said of the caller's file and of its job, besides what the job may do */
  const caller = (said = "", job = "", may = ALL, of = "w.yml") =>
    `on: schedule\n${said}\njobs: { c: { uses: ./.github/workflows/${of}, permissions: { ${may} }${job} } }\n`;

  test.for<[what: string, calls: string, called: Given, lacks: readonly (readonly [file: string, line: string])[]]>([
    ["which takes less than its caller gives", caller(), { may: without("statuses: write") }, [["w", STATUS]]],
    ["whose caller gives less than it takes", caller("", "", without("statuses: write")), {}, [["c", STATUS]]],
    [
      "both lack it",
      caller("", "", without("statuses: write")),
      { may: without("statuses: write") },
      [
        ["c", STATUS],
        ["w", STATUS],
      ],
    ],
    ["only the called one waits", caller(), { concurrency: GOOD }, []],
    ["only the caller waits", caller(`concurrency: ${GOOD}`), { concurrency: "" }, []],
    ["only the caller's job waits", caller("", `, concurrency: ${GOOD}`), { concurrency: "" }, []],
    ["nobody waits", caller(), { concurrency: "" }, [["c", LINES.none]]],
    ["the caller drops who waits", caller("concurrency: h"), { concurrency: GOOD }, [["c", LINES.queue]]],
    ["the called one drops who waits", caller(`concurrency: ${GOOD}`), { concurrency: "h" }, [["w", LINES.queue]]],
    ["the caller kills", caller(`concurrency: ${KILLS}`), { concurrency: GOOD }, [["c", LINES.kills]]],
    ["the caller's job kills", caller("", `, concurrency: ${KILLS}`), { concurrency: GOOD }, [["c", LINES.kills]]],
    ["the called one kills", caller(`concurrency: ${GOOD}`), { concurrency: KILLS }, [["w", LINES.kills]]],
  ])("%s", async ([, calls, given, lacks]) => {
    const files = { "c.yml": calls, "w.yml": workflow({ on: CALLED, ...given }) };
    const told = lacks.map(([file, line]) =>
      expect.stringMatching(
        new RegExp(`^GAP {6}the workflow ${file}\\.yml: .+${line.replaceAll(/[{}]/gu, String.raw`\$&`)}$`, "u"),
      ),
    );
    const all = findingLines(await found(files));
    const fine = ["c", "w"].filter((file) => lacks.every(([other]) => other !== file));
    expect(all.filter((line) => line.startsWith("GAP"))).toEqual(told);
    expect(all.filter((line) => line.startsWith("ok"))).toEqual(
      fine.map((file) => `ok       the workflow ${file}.yml`),
    );
    expect(findingLines(await found(files, { file: "c.yml", job: "loop" }))).toEqual(told);
  });

  test.for<[what: string, calls: string, called: string, line?: string]>([
    [
      "the same name",
      caller("concurrency: { group: Loop, queue: max }"),
      "{ group: loop, queue: max }",
      '{ group: "loop-job", queue: max }',
    ],
    [
      "the same expression, which gives the caller's name in both",
      caller("", ", concurrency: { group: '${{ github.workflow }}', queue: max }"),
      "{ group: '${{ github.workflow }}', queue: max }",
      '{ group: "${{ github.workflow }}-job", queue: max }',
    ],
    ["another name", caller("concurrency: { group: a, queue: max }"), "{ group: b, queue: max }"],
    [
      "inputs, which are others in each",
      caller("concurrency: { group: '${{ inputs.name }}', queue: max }"),
      "{ group: '${{ inputs.name }}', queue: max }",
    ],
  ])("a group that its own run holds already: %s", async ([, calls, concurrency, line]) => {
    const files = { "c.yml": calls, "w.yml": workflow({ on: CALLED, concurrency }) };
    const gaps = findingLines(gapsIn(await found(files)));
    const told = gaps.map((gap) => HELD.exec(gap)?.groups?.["line"]);
    expect(told).toEqual(line === undefined ? [] : [line]);
    const cured = { ...files, "w.yml": workflow({ on: CALLED, concurrency: line ?? concurrency }) };
    expect(gapsIn(await found(cured))).toEqual([]);
  });

  test("in one file it is held as well, also by an input", async () => {
    const group = "{ group: '${{ inputs.name }}', queue: max }";
    const files = { "w.yml": workflow({ concurrency: group, job: `concurrency: ${group}` }) };
    expect(findingLines(gapsIn(await found(files)))).toEqual([expect.stringContaining('"${{ inputs.name }}-job"')]);
  });

  test("through several files: what starts the first one is what the last one hears", async () => {
    const on = "on: { workflow_dispatch: { inputs: { smithers: {} } }, issue_comment: {} }";
    const first = caller("concurrency: h", "", without("issues: write"), "b.yml").replace("on: schedule", on);
    const between = caller().replace("on: schedule", CALLED);
    const last = workflow({ on: CALLED, concurrency: "{ group: 'g-${{ github.run_id }}', queue: max }" });
    const files = { "a.yml": first, "b.yml": between, "w.yml": last };
    const told = findingLines(await found(files));
    const lines = ["issues: write", LINES.queue, 'group: "smithers-'];
    expect(told).toEqual([
      ...lines.map((line) => expect.stringMatching(new RegExp(`^GAP +the workflow a\\.yml: .+${line}`, "u"))),
      ...["b", "w"].map((file) => `ok       the workflow ${file}.yml`),
    ]);
  });

  test.for<[what: string, on: string, files: Readonly<Record<string, string>>]>([
    ["it can start itself", "on: { workflow_call: {}, schedule: [] }", { "c.yml": caller(`concurrency: ${GOOD}`) }],
    ["nothing here calls it, and what does elsewhere is not known", CALLED, {}],
  ])("a workflow that others call is looked at by itself where %s", async ([, on, files]) => {
    const all = findingLines(await found({ ...files, "w.yml": workflow({ on, concurrency: "" }) }));
    expect(all.filter((line) => line.startsWith("GAP"))).toEqual([
      expect.stringMatching(/^GAP +the workflow w\.yml: two runs of one loop would work at once/u),
    ]);
  });

  test("files that call each other, again and again, end all the same", async () => {
    const calls = (of: string) =>
      `on: schedule\njobs:\n${Array.from({ length: 50 }, (_, nth) => `  j${nth}: { uses: ./.github/workflows/${of} }\n`).join("")}`;
    const names = Array.from({ length: 12 }, (_, nth) => `c${nth}.yml`);
    const all = names.map((name, nth) => [name, calls(names[nth + 1] ?? "w.yml")] as const);
    const told = await found({
      ...Object.fromEntries(all),
      "x.yml": calls("y.yml"),
      "y.yml": calls("x.yml"),
      "w.yml": workflow({ on: CALLED }),
    });
    expect(told.length).toBeGreaterThan(12);
  });
});
