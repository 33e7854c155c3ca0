import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { end, FILES, pullsOf, tipOf, work } from "./publish-stage.ts";

/** What the agent was told is next to its work. */
const TURN = { files: { "done.txt": "{{iteration}}\n", "told.txt": "{{prompt}}" } };
/**
 * Red both times before the first turn; green, and then red on the same files, behind the first one; and from then on green.
 * What it counts with is ignored by git.
 */
const CHECK =
  "echo x >> count; n=$(wc -l < count); test $n -eq 3 -o $n -gt 4 && echo ok 7 || { echo not ok 7 in time; exit 1; }";
const INPUTS = { script: "told.json", "success-sh": CHECK, "flake-check": "once" };

/** One test is red until the work is done; two others are red at one time each, the first of them also behind what is given. */
const TESTS = `import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
const nth = readFileSync("count", "utf8").length;
test("is done", () => { if (!existsSync("done.txt")) throw new Error("not done"); });
test("in time", () => { if (nth === 1 || nth === Number(process.argv[2])) throw new Error("late"); });
test("in order", () => { if (nth === 2) throw new Error("early"); });
`;
const testsRedAt = (nth: number): string => `printf x >> count; node three.mjs ${nth}`;

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({
    files: { ...FILES, "three.mjs": TESTS, ".gitignore": "count\n", "told.json": JSON.stringify({ turns: [TURN] }) },
  });
});
afterAll(() => end(ci));

describe("a check that is green behind a turn, and red when it is asked again", { timeout: 120_000 }, () => {
  test("is no proof: the loop ends, and both outputs are told where the work is [C103, C119]", async () => {
    const job = await work(ci, "flaky", INPUTS);
    expect(job.outputs).toMatchObject({ status: "blocked", "stop-reason": "flaky", iterations: "1" });
    const [pull] = pullsOf(ci, "smithers/flaky");
    expect(pull).toMatchObject({ state: "open", pull: { draft: true } });
    expect(pull?.body).toMatch(/### Flaky[^]*was red and green on the same files[^]*not ok 7 in time[^]*ok 7/u);
    expect(pull?.body).not.toContain("Verified");
    expect(await ci.remote.git("show", `${await tipOf(ci, "smithers/flaky")}:told.txt`)).not.toContain(
      "This check is flaky",
    );
  });

  test("sends the agent for its cause where that is asked for, and counts when it stays green [C103, C119]", async () => {
    const job = await work(ci, "wanted", { ...INPUTS, "fix-flakes": "true" });
    expect(job.outputs).toMatchObject({ status: "completed", "stop-reason": "success_command", iterations: "2" });
    const prompt = await ci.remote.git("show", `${await tipOf(ci, "smithers/wanted")}:told.txt`);
    expect(prompt).toMatch(/This check is flaky[^]*Find what differs from run to run[^]*<green-output>\nok 7/u);
    const [pull] = pullsOf(ci, "smithers/wanted");
    expect(pull?.body).toContain("The commands were asked again once on the same files, and were green.");
  });
});

test("a red that is another each time is worked on for what failed every time, and the rest is told as flaky [C166]", async () => {
  const job = await work(ci, "partly", { ...INPUTS, "success-sh": testsRedAt(0) });
  expect(job.outputs).toMatchObject({ status: "completed", "stop-reason": "success_command", iterations: "1" });
  const prompt = await ci.remote.git("show", `${await tipOf(ci, "smithers/partly")}:told.txt`);
  expect(prompt).toMatch(
    /Some of what is red is flaky[^]*<flaky-tests>\n[^<]*in order[^<]*in time[^<]*<\/flaky-tests>/u,
  );
  const [pull] = pullsOf(ci, "smithers/partly");
  expect(pull?.body).toMatch(
    /### Flaky[^]*was red on the same files for different tests[^]*in order[^]*in time[^]*Red every time[^]*is done/u,
  );
}, 120_000);

test("a test that is known to be flaky is asked again where it is all that fails behind a turn, and such a green is no proof [C166, C103]", async () => {
  const job = await work(ci, "known", { ...INPUTS, "success-sh": testsRedAt(3) });
  expect(job.outputs).toMatchObject({ status: "blocked", "stop-reason": "flaky", iterations: "1" });
  expect(job.log.match(/Asking the checks again, the whole of them/gu)).toHaveLength(2);
  const tip = await tipOf(ci, "smithers/known");
  expect(await ci.remote.git("show", `${tip}:done.txt`)).toBe("1");
  const [pull] = pullsOf(ci, "smithers/known");
  expect(pull).toMatchObject({ state: "open", pull: { draft: true } });
  expect(pull?.body).toMatch(
    /### Flaky[^]*was red and green on the same files[^]*- `three\.mjs > in time`\n\n<[^]*Error: late[^]*ℹ fail 0/u,
  );
  expect(pull?.body).not.toMatch(/^Verified|Red every time|> in order/mu);
}, 120_000);
