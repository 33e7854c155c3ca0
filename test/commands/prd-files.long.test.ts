import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { run } from "../../src/commands/run.ts";
import { status } from "../../src/commands/status.ts";
import { gitRepository } from "../support/git-repository.ts";
import { inProcess } from "../support/in-process.ts";

const FOLDER = ".daedalus/prds/shop";
const CLAIM = "<promise>TASK_COMPLETE</promise>";

const story = (id: string, title: string, more: object = {}) => ({
  ...{ id, title, description: "", acceptanceCriteria: ["It is there"], priority: 1, passes: false },
  ...more,
});
const PRD = {
  project: "Shop",
  description: "A shop.",
  userStories: [
    story("US-001", "Add a cart", { checks: [{ criterion: 1, run: "test -f cart" }] }),
    story("US-002", "Pay by card"),
    story("US-003", "Send it", { dependsOn: ["US-002"] }),
  ],
};

/** A repository with the PRD `shop`, and what runs it with the turns of a script. */
async function aShop(files: Readonly<Record<string, string>> = {}) {
  const documents = { [`${FOLDER}/prd.json`]: `${JSON.stringify(PRD, undefined, 2)}\n`, "check.sh": "exit 0\n" };
  const repository = await gitRepository({ ...documents, ...files });
  const script = path.join(repository.path, ".git", "script.json");
  const read = (name: string): Promise<string> => readFile(path.join(repository.path, name), "utf8");
  const flags = { backlog: "prd", prd: "shop", provider: "scripted", script, "quality-commands": "sh check.sh" };
  return {
    ...{ repository, read },
    async run(turns: readonly object[], more: Readonly<Record<string, string>> = {}) {
      await writeFile(script, JSON.stringify({ turns, then: "repeat" }));
      return inProcess(run, repository.path, { ...flags, "check-sandbox": "off", trust: "on", ...more });
    },
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  };
}

const BUILT = { files: { cart: "x" }, lastMessage: CLAIM };
/** It tampers with everything that is written beside the documents, and with what tells git to leave that alone. */
const FORGES = {
  commands: [
    `for f in agent.log events.jsonl progress.md; do echo forged >> ${FOLDER}/$f; done`,
    "echo > .git/info/exclude",
  ],
  files: { pay: "x" },
  lastMessage: CLAIM,
};
const ASKS = { lastMessage: "NEEDS HUMAN: which carrier?" };

test("log, events and notes lie beside the documents, and no commit or measure takes them in [D-03, D-31, D-39, D-45]", async () => {
  await using shop = await aShop();
  const { repository, read } = shop;
  const first = await shop.run([BUILT], { "max-stories": "1" });
  expect(first.stdout).toContain("  [x] US-001 Add a cart: passed, proved 1 of 1: red before, green after; commit ");
  expect(first.stdout).toContain("Next: Review the commits, then go on with the rest: smithers prd run shop");
  const { code, stdout } = await shop.run([BUILT, FORGES, ASKS]);
  expect(stdout).toContain("PRD shop: 2 of 3 stories passed; 1 blocked.");
  expect(stdout).toContain("smithers prd retry shop US-003");
  expect(code).toBe(4);
  expect(await repository.git("log", "--format=%s", "--name-only", "main")).toBe(
    [
      ...["feat: [US-002] - Pay by card", "", `${FOLDER}/prd.json`, "pay"],
      ...["feat: [US-001] - Add a cart", "", `${FOLDER}/prd.json`, "cart"],
      ...["start", "", `${FOLDER}/prd.json`, "check.sh"],
    ].join("\n"),
  );
  const log = await read(`${FOLDER}/agent.log`);
  expect(log).toMatch(/^20\d\d-\d\d-\d\dT.* loop prd-shop started/mu);
  expect(log).toMatch(/ loop prd-shop resumed/u);
  expect(log).toMatch(/^20.* \[1\/\d+\] check passed \(exit 0, .*\): sh check\.sh$/mu);
  expect(log).toMatch(/US-002 has passed: Pay by card$/mu);
  const events = (await read(`${FOLDER}/events.jsonl`)).split("\n").filter((text) => text.startsWith("{"));
  expect(events.map((text) => JSON.parse(text).revision)).toEqual(events.map((_, index) => index + 1));
  const notes = await read(`${FOLDER}/progress.md`);
  expect(notes).toContain("- story: US-002 Pay by card: passed");
  expect(notes).not.toContain("forged");
  const loop = ".codex/waylon-smithers/loops/prd-shop";
  expect(notes.endsWith(await read(`${loop}/progress.md`))).toBe(true);
  expect(await read(`${loop}/agent.log`)).not.toContain("forged\n20");
}, 60_000);

test("what git tracks under these names is neither measured nor committed, and what failed is kept there [D-24, D-31]", async () => {
  const gate = "test ! -f broken || { echo boom: the cart is broken; exit 1; }\n";
  await using shop = await aShop({ [`${FOLDER}/progress.md`]: "theirs\n", "check.sh": gate });
  const turns = [
    { files: { broken: "x" }, lastMessage: CLAIM },
    { ...BUILT, delete: ["broken"] },
  ];
  const { code, stderr } = await shop.run(turns, { story: "US-001" });
  for (const name of ["events.jsonl", "progress.md"]) {
    expect(await shop.read(`${FOLDER}/${name}`)).toContain("boom: the cart is broken");
  }
  expect(code).toBe(0);
  expect(stderr).toContain(`git tracks ${FOLDER}/progress.md: it is written all the same`);
  expect(await shop.read(`${FOLDER}/progress.before.md`)).toBe("theirs\n");
  expect(await shop.repository.git("show", `main:${FOLDER}/progress.md`)).toBe("theirs");
}, 60_000);

test("status tells the stories from the document of now, and without it from the state [D-13]", async () => {
  await using shop = await aShop();
  await shop.run([BUILT], { story: "US-001" });
  const [ada] = PRD.userStories;
  const edited = { ...PRD, userStories: [{ ...ada, passes: true }, story("US-004", "Wrap it")] };
  const file = path.join(shop.repository.path, FOLDER, "prd.json");
  await writeFile(file, JSON.stringify(edited));
  const loop = { "loop-id": "prd-shop" };
  const before = await inProcess(status, shop.repository.path, loop);
  expect(before.stdout).toMatch(
    /PRD shop: 1 of 2 stories passed\.\n {2}\[x\] US-001 .*\n {2}\[ \] US-004 Wrap it: pending\n/u,
  );
  expect(before.stdout).toContain(", on main, last commit ");
  await writeFile(file, "{ damaged");
  const after = await inProcess(status, shop.repository.path, { ...loop, json: "on" });
  expect(JSON.parse(after.stdout)).toMatchObject({
    branch: "main",
    stories: { total: 3, passed: 1, passed_by_proof: 1, stories: [{ id: "US-001", status: "passed" }] },
  });
}, 60_000);
