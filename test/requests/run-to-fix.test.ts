import { describe, expect, test } from "vitest";
import { findRunToFix } from "../../src/requests/run-to-fix.ts";
import { type Asking, asking, commented, HEAD, labeled, LATER } from "../support/asking.ts";
import { aRun, moment, type RunRow } from "../support/github-api/server.ts";
import { answers, inputs, relayed } from "./relay-stage.ts";
import { input, refusal, verify } from "./run-request-stage.ts";

const CI = { name: "CI", path: ".github/workflows/ci.yml", sha: HEAD, branch: "feature", event: "push" };
const LINT = { ...CI, name: "Lint", path: ".github/workflows/lint.yml" };
const RED = { conclusion: "failure" };

async function withRuns(...rows: readonly (Partial<RunRow> & Pick<RunRow, "id">)[]): Promise<Asking> {
  const at = await asking();
  at.api.world.runs.push(...rows.map((row) => aRun({ ...CI, ...RED, ...row })));
  return at;
}

/** The run that is found, and what else is red; or why there is none. */
async function found(at: Asking, text = "") {
  const answer = await findRunToFix(at.github, { sha: HEAD, own: ["smithers.yml"] }, text);
  if (!answer.ok) return `${answer.trouble.kind}: ${answer.trouble.because} ${answer.trouble.next ?? ""}`;
  const { run, others, words } = answer.value;
  return { run: run.id, others: others.map(({ id }) => id), words };
}

describe("which of several failed runs is repaired [C114]", () => {
  test.for<
    readonly [name: string, rows: readonly (Partial<RunRow> & Pick<RunRow, "id">)[], run: number, others: number[]]
  >([
    ["the newest", [{ id: 80 }, { id: 81, ...LINT }], 81, [80]],
    ["of one workflow only its last", [{ id: 80 }, { id: 81 }], 81, []],
    ["what was green since is not red", [{ id: 80, ...LINT }, { id: 81 }, { id: 82, conclusion: "success" }], 80, []],
    ["what is not over decides nothing", [{ id: 81 }, { id: 82, conclusion: null, status: "in_progress" }], 81, []],
    ["what was cancelled decides nothing", [{ id: 81 }, { id: 82, conclusion: "cancelled" }], 81, []],
    [
      "a push's green is none of the pull request's",
      [
        { id: 81, event: "pull_request" },
        { id: 82, conclusion: "success" },
      ],
      81,
      [],
    ],
    [
      "an older run that was run again, and is red, is the newest",
      [
        { id: 80, attempt: 2, startedAt: moment(50) },
        { id: 81, conclusion: "success", startedAt: moment(40) },
      ],
      80,
      [],
    ],
    [
      "a fork's is looked at in nothing, green or red",
      [{ id: 80 }, { id: 81, headRepositoryId: 2 }, { id: 82, headRepositoryId: 2, conclusion: "success" }],
      80,
      [],
    ],
    [
      "one of the loop's own, and one of another commit, are not meant",
      [{ id: 80 }, { id: 81, path: ".github/workflows/smithers.yml" }, { id: 82, sha: LATER }],
      80,
      [],
    ],
  ])("%s", async ([, rows, run, others]) => {
    await using at = await withRuns(...rows);
    expect(await found(at, "mind the clock")).toEqual({ run, others, words: "mind the clock" });
  });

  test.for<readonly [text: string, run: number, words: string]>([
    ["80", 80, ""],
    ["#80\nmind the clock", 80, "mind the clock"],
    ["https://github.com/octo/demo/actions/runs/80", 80, ""],
    ["https://github.com/octo/demo/actions/runs/80/job/9?pr=7#step:3:1\n\nmind", 80, "mind"],
    ["ci.yml", 80, ""],
    ["CI.yml", 80, ""],
    ["ci", 80, ""],
    ['"CI"\nmind the clock', 80, "mind the clock"],
    ["CI is red because of the clock", 81, "CI is red because of the clock"],
    ["3 tests are red", 81, "3 tests are red"],
    ["\u200B", 81, "\u200B"],
    // An older one, and one that is green since, are theirs to choose by id.
    ["79", 79, ""],
    ["70", 70, ""],
  ])("the first line names it: %j", async ([text, run, words]) => {
    const docs = { ...CI, name: "Docs", path: ".github/workflows/docs.yml" };
    await using at = await withRuns(
      ...[{ id: 70, ...docs }, { id: 71, ...docs, conclusion: "success" }, { id: 79 }, { id: 80 }],
      { id: 81, ...LINT },
    );
    expect(await found(at, text)).toMatchObject({ run, words });
  });

  test.for<readonly [text: string, said: string]>([
    [
      "99",
      "“99” is no run of another workflow for the commit that is there now. What is red there can be named so: /smithers fix 80.",
    ],
    ["71", "“71” is not red for the commit that is there now."],
    ["docs.yml", "“docs.yml” is not red"],
    ["Slow", "“Slow” has not ended"],
    ["60", "“60” is no run of another workflow"],
  ])("what is named and not red is told, and nothing else is taken for it: %j", async ([text, said]) => {
    const docs = { ...CI, name: "Docs", path: ".github/workflows/docs.yml" };
    await using at = await withRuns(
      ...[{ id: 60, sha: LATER }, { id: 71, ...docs, conclusion: "success" }, { id: 80 }],
      { id: 90, name: "Slow", path: ".github/workflows/slow.yml", conclusion: null, status: "queued" },
    );
    expect(await found(at, text)).toContain(`none: ${said}`);
  });

  test("nothing red is told as it is: nothing has failed, or it is green since", async () => {
    await using at = await withRuns({ id: 80 }, { id: 81, conclusion: "success" });
    expect(await found(at)).toContain("none: What had failed for the commit that is there now is green since.");
    expect(await found(at, "81")).toContain("Wait until CI has failed");
    at.api.world.runs.length = 0;
    expect(await found(at)).toContain("none: No run of another workflow has failed");
    at.api.fail(
      "actions/list-workflow-runs-for-repo",
      { status: 403, body: { message: "Resource not accessible" } },
      9,
    );
    expect(await found(at)).toMatch(/^untold: .*actions: read/u);
  });

  test("names that somebody has made to mislead choose nothing but a failed run, and are only text in the answer", async () => {
    const name = "@octo [x](https://evil) `` <img> /smithers fix 1\u202E\nfixes #3";
    await using at = await withRuns(
      { id: 80, name: "mind the clock" },
      { id: 81, name, path: ".github/workflows/x.yml" },
    );
    expect(await found(at, "mind the clock, please")).toMatchObject({ run: 81 });
    const comment = at.comment("/smithers fix mind the clock");
    await relayed(at, commented(comment));
    expect(inputs(at)).toMatchObject([{ run: 80 }]);
    const [reply = ""] = answers(at, comment.id).replies;
    expect(reply).toContain("`/smithers fix 81`");
    expect(reply).not.toMatch(/@octo|[^\\]\]\(https:\/\/evil|[^\\]<img>|https:\/\/evil|fixes #3|^\/smithers|\u202E/mu);
  });
});

describe("people see which one it is [C114]", () => {
  test.for(["comment", "label"])("the relay answers a %s once, where it could have been another one", async (way) => {
    await using at = await withRuns({ id: 80 }, { id: 81, ...LINT });
    const before = at.comment("Some words.");
    if (way === "label") await at.label("smithers:fix", "wendy");
    const event =
      way === "label" ? labeled("smithers:fix", "wendy") : commented(at.comment("/smithers fix", { author: "wendy" }));
    const { exitCode, lines } = await relayed(at, event);
    const { replies } = answers(at, before.id);
    expect({ exitCode, replies: replies.length, run: inputs(at) }).toMatchObject({
      exitCode: 0,
      replies: 1,
      run: [{ run: 81 }],
    });
    expect(replies[0]).toMatch(
      /It is \[Lint\]\(\S+\/81\/html\), run `81`\.[^]*- \[CI\]\(\S+\/80\/html\): `\/smithers fix 80`/u,
    );
    expect(lines.join("\n")).toMatch(/To be repaired: \S+\/81\/html\. Also red for that commit: \S+\/80\/html\./u);
  });

  test("a choice that was none is not spoken of, and one that cannot be written costs nothing", async () => {
    await using at = await withRuns({ id: 80 });
    const comment = at.comment("/smithers fix ci.yml");
    await relayed(at, commented(comment));
    expect(answers(at, comment.id)).toEqual({ reactions: ["eyes", "rocket"], replies: [] });
    at.api.world.runs.push(aRun({ ...LINT, ...RED, id: 81 }));
    at.api.fail(
      "issues/create-comment",
      { status: 403, body: { message: "Resource not accessible by integration" } },
      9,
    );
    const { exitCode } = await relayed(at, commented(at.comment("/smithers fix")));
    expect({ exitCode, asked: inputs(at).length }).toEqual({ exitCode: 0, asked: 2 });
  });
});

describe("the worker looks at the choice again [C114, T7]", () => {
  test("words that name a run count, whatever the dispatch says; without them the relay's choice stays while it is red", async () => {
    await using at = await withRuns({ id: 80 }, { id: 81, ...LINT });
    const named = at.comment("/smithers fix ci.yml\nmind the clock").id;
    const bare = at.comment("/smithers fix mind the clock").id;
    const asked = async (id: number, run: number) => verify(at, input(`comment:${id}`, { command: "fix", run }));
    expect(await asked(named, 81)).toMatchObject({ failed: { id: 80 }, guidance: "mind the clock" });
    expect(await asked(bare, 80)).toMatchObject({ failed: { id: 80 }, guidance: "mind the clock" });
    expect(await asked(at.comment("/smithers fix 80").id, 80)).toMatchObject({ failed: { id: 80 }, guidance: null });
    at.api.world.runs.push(aRun({ ...CI, ...RED, id: 89 }));
    expect(await asked(bare, 80)).toMatchObject({ failed: { id: 89 } });
    at.api.world.runs.push(aRun({ ...CI, id: 90, conclusion: "success" }));
    expect(await refusal(asked(bare, 80))).toContain("NOTHING_TO_FIX Run 80 is green since.");
    expect(await refusal(asked(named, 80))).toContain("NOTHING_TO_FIX “ci.yml” is not red");
    // Whoever starts the workflow by hand has named it themselves.
    expect(await verify(at, input(null, { command: "fix", run: 80 }), "wendy")).toMatchObject({ failed: { id: 80 } });
    at.api.fail("actions/list-workflow-runs-for-repo", { status: 500, body: {} }, 9);
    expect(await refusal(asked(bare, 80))).toContain("REQUEST_UNVERIFIED");
  });

  test.each([
    [
      "is green since",
      { id: 80 },
      { id: 90, conclusion: "success" },
      "What had failed for the commit that is there now is green since.",
    ],
    [
      "was run again and waits",
      { id: 80, attempt: 2, conclusion: null, status: "queued" },
      null,
      "Run 80 was run again since, and is not red now.",
    ],
    ["was run again and is green", { id: 80, attempt: 2, conclusion: "success" }, null, "Run 80 was run again since"],
  ] as const)("a run that %s is told to who wanted it repaired, once [C147, C88]", async (_how, row, later, said) => {
    await using at = await withRuns(row);
    if (later !== null) at.api.world.runs.push(aRun({ ...CI, ...later }));
    const { id } = at.comment("/smithers fix", { author: "wendy" });
    const stranger = at.comment("/smithers fix", { author: "rob" });
    for (const _ of ["first", "again"]) {
      expect(await refusal(verify(at, input(`comment:${id}`, { command: "fix", run: 80 })))).toContain(said);
      await refusal(verify(at, input(`comment:${stranger.id}`, { command: "fix", run: 80 })));
    }
    const { reactions, replies } = answers(at, stranger.id);
    expect([answers(at, id).reactions, reactions]).toEqual([["confused"], []]);
    expect(replies).toEqual([expect.stringContaining(`What a comment has asked for came too late. ${said}`)]);
  });
});
