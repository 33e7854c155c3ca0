import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { OUTPUTS } from "../../src/config/action.ts";
import { startCi } from "../support/ci/ci.ts";
import { everythingStored } from "../support/ci/stored.ts";

const KEY = "sk-live-0123456789abcdef";
const STATE_KEY = "a long and random text / for +sealing";
const SECRETS = [KEY, "token-that-writes", STATE_KEY].flatMap((secret) => [
  secret,
  Buffer.from(secret).toString("base64"),
]);

/** What an agent or a check may print, on either stream. */
const HOSTILE = [
  "::set-output name=status::owned",
  "::save-state name=isPost::owned",
  "  ::set-env name=PATH::owned",
  "::add-mask::e",
  "::error file=a.ts,line=1::owned",
  "::stop-commands::owned",
  "##[error]owned",
  "text ##[set-output name=status]owned",
  "#\u200B#[error]owned",
  "::endgroup::",
  "\u001B[2K\r::warning::owned",
  "a\r::error::owned",
  "\u2028::error::owned",
  "::SET-OUTPUT NAME=status::owned",
];

const INPUTS = {
  prompt: "Write done.txt.\n::set-output name=status::owned\n##[error]owned",
  provider: "command",
  "full-auto": "true",
  "api-key": KEY,
  // In isolation it would find nothing that has to be hidden, and no file of the runner.
  "agent-isolation": "off",
};

const program = async (name: string): Promise<string> =>
  readFile(path.join(import.meta.dirname, "../fixtures/agents", name), "utf8");

test("nothing that agent, check, prompt, paths and commits say reaches the runner as a command [T10, T11]", async () => {
  await using ci = await startCi({
    files: { "hostile.mjs": await program("hostile.mjs"), "lines.json": JSON.stringify(HOSTILE) },
  });
  await using machine = await ci.machine();
  const inputs = {
    ...INPUTS,
    "provider-command": '["node","hostile.mjs","agent"]',
    "success-sh": "node hostile.mjs && test -f done.txt",
  };
  const { main, posts, log, outputs, conclusion } = await machine.run({ inputs });
  expect([conclusion, outputs["status"], outputs["iterations"]]).toEqual(["success", "completed", "1"]);
  expect(log).toContain("owned");
  const names = new Set(main.commands.map(({ name }) => name));
  expect([...names].toSorted()).toEqual(["add-mask", "endgroup", "group", "notice"]);
  expect(main.commands.filter(({ data }) => data.includes("owned") || data === "e")).toEqual([]);
  expect(Object.keys(outputs).toSorted()).toEqual(OUTPUTS.map(({ name }) => name).toSorted());
  expect(main).toMatchObject({ state: {}, env: {}, path: [], problems: [] });
  expect(posts[0]?.commands).toEqual([]);
  expect(log.length).toBeLessThan(200_000);
});

test.each([
  ["as they are", {}],
  ["sealed", { "state-key": STATE_KEY }],
])("whatever an agent finds out, no service gets to keep a secret (files %s) [T2, T16]", async (_how, more) => {
  await using ci = await startCi({ publishes: false, files: { "thief.mjs": await program("thief.mjs") } });
  await using machine = await ci.machine();
  const inputs = {
    ...INPUTS,
    prompt: `Use ${KEY}.`,
    "provider-command": '["node","thief.mjs"]',
    "success-sh": "cat stolen.txt; exit 1",
    "max-iterations": "2",
    commit: "never",
  };
  const { log, main, outputs } = await machine.run({ inputs: { ...inputs, ...more } });
  expect(outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "2" });
  const stored = await everythingStored(ci);
  expect(stored.length).toBeGreaterThan(5);
  const shown = [log, main.summary].map((text) => ({ where: text.slice(0, 20), bytes: Buffer.from(text) }));
  const held = [...stored, ...shown].flatMap(({ where, bytes }) =>
    SECRETS.filter((secret) => bytes.includes(secret)).map((secret) => `${where}: ${secret}`),
  );
  expect(held).toEqual([]);
});
