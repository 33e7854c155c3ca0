import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { status } from "../../../src/commands/status.ts";
import { gitRepository } from "../../support/git-repository.ts";
import { type GivenFlags, inProcess } from "../../support/in-process.ts";
import { aPrdText, aStory, prd } from "./documents.ts";

const FOLDER = ".daedalus/prds/shop";
const CLAIM = "Done.\n\n<promise>TASK_COMPLETE</promise>";
/** Writes a file of its own for each turn, and claims the story. */
const COMMAND = JSON.stringify(["sh", "-c", `cat > /dev/null; echo x > command.$SMITHERS_ITERATION; echo '${CLAIM}'`]);
const THROUGH = { "provider-command": COMMAND, "agent-isolation": "off" };

/** A repository with the PRD `shop`, whose script writes `scripted.N` in iteration N. */
async function shop(stories: readonly object[], toml = "") {
  const turns = [{ files: { "scripted.{{iteration}}": "x\n" }, lastMessage: CLAIM }];
  const repo = await gitRepository({
    ".gitignore": "script.json\n",
    ".smithers.toml": toml,
    [`${FOLDER}/prd.json`]: aPrdText(stories),
  });
  await writeFile(path.join(repo.path, "script.json"), JSON.stringify({ turns, then: "repeat" }));
  const flags = { script: "script.json", "quality-commands": "true", "weak-proof": "flag", json: "on" };
  return {
    repo,
    run: async (more: GivenFlags, trust: GivenFlags = { trust: "on" }) =>
      prd("run", repo.path, { ...flags, ...trust, ...more }),
    files: async () =>
      (await repo.git("ls-files", "command.*", "scripted.*")).split("\n").filter((name) => name !== ""),
    read: async (name: string) => readFile(path.join(repo.path, FOLDER, name), "utf8"),
    begun: () => existsSync(path.join(repo.path, ".codex")),
    [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
  };
}

test("each story is worked on by the agent that it names, which log, events and summary tell [D-36, D-41, D-46]", async () => {
  const stories = [aStory(1), aStory(2, { provider: "command" }), aStory(3, { provider: "scripted" })];
  await using it = await shop(stories, 'provider = "scripted"\n');
  const { code, stderr } = await it.run(THROUGH);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain(`The PRD shop says who takes turns: command (${FOLDER}/prd.json: US-002).`);
  expect(await it.files()).toEqual(["command.2", "scripted.1", "scripted.3"]);
  const log = await it.read("agent.log");
  expect(log).toMatch(/iteration 1 started, fresh session, US-001 .*\(attempt 1\)$/mu);
  expect(log).toMatch(/iteration 2 started, fresh session, US-002 .*\(attempt 1\), by command$/mu);
  expect(await it.read("events.jsonl")).toContain('"provider":"command"');
}, 60_000);

test.each<[string, GivenFlags, readonly string[], RegExp]>([
  ["the settings' file", {}, ["command.1", "scripted.2"], /prd\.json\)/u],
  ["a flag", { provider: "scripted" }, ["scripted.1", "scripted.2"], /--provider outranks .* and not command\./u],
])(
  "what %s says of the agent goes where it may [D-41]",
  async (_, flags, files, told) => {
    const text = [aStory(1), aStory(2, { provider: "scripted" })];
    await using it = await shop(text, 'provider = "scripted"\n');
    const file = path.join(it.repo.path, FOLDER, "prd.json");
    await writeFile(file, (await readFile(file, "utf8")).replace("{", '{ "provider": "command",'));
    const { code, stderr } = await it.run({ ...THROUGH, ...flags });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(told);
    expect(await it.files()).toEqual(files);
  },
  60_000,
);

test.each<[string, string, GivenFlags, object]>([
  [
    "lacks its setting",
    "command",
    {},
    {
      code: "PROVIDER_INCOMPLETE",
      what: `${FOLDER}/prd.json: US-002: provider command does not work without provider-command.`,
    },
  ],
  ["may not write", "codex", {}, { code: "SANDBOX_READ_ONLY" }],
  [
    "is not there",
    "command",
    { "provider-command": '["no-such-agent"]' },
    { code: "PROVIDER_NOT_INSTALLED", what: expect.stringContaining("command: ") },
  ],
])(
  "an agent of a story that %s is refused before anything is written [D-41]",
  async (_, provider, flags, problem) => {
    await using it = await shop([aStory(1), aStory(2, { provider })], 'provider = "scripted"\n');
    const { code, stdout } = await it.run(flags);
    expect(code).toBe(64);
    expect(JSON.parse(stdout)).toMatchObject({ problems: [problem] });
    expect(it.begun()).toBe(false);
    expect(await it.files()).toEqual([]);
  },
  60_000,
);

test("a PRD chooses no agent that runs anything before a person has agreed; one whom the person names needs none [T8]", async () => {
  await using it = await shop([aStory(1, { provider: "command", checks: undefined })]);
  const flags = { ...THROUGH, "full-auto": "on" };
  const refused = await it.run(flags, {});
  expect(refused.code).toBe(64);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    problems: [
      {
        code: "CONSENT_MISSING",
        what: expect.stringContaining(`${FOLDER}/prd.json: US-001 chooses the agent: "command"`),
      },
    ],
  });
  expect(it.begun()).toBe(false);
  const said = await it.run({ ...flags, provider: "command" }, {});
  expect(said).toMatchObject({ code: 0 });
  expect(await it.files()).toEqual(["command.1"]);
}, 60_000);

test("a failure and the attempts after it are told on the screen, in the log, and by status when it was the last [D-36, D-46]", async () => {
  await using it = await shop([aStory(1)], 'provider = "scripted"\nretry-delay-seconds = [0]\n');
  const failing = { failure: { kind: "overloaded", message: "too many of us" } };
  const script = path.join(it.repo.path, "script.json");
  await writeFile(script, JSON.stringify({ turns: [{ attempts: [failing, failing, failing] }], then: "repeat" }));
  const run = await it.run({ retries: "2" });
  expect(run.code).not.toBe(0);
  const log = await it.read("agent.log");
  for (const text of [run.stderr, log]) {
    expect(text).toMatch(/agent failed \(overloaded\), attempt 2, trying again at once: too many of us/u);
    expect(text).toMatch(/agent failed \(overloaded\), attempt 3, trying again at once: too many of us/u);
    expect(text).toMatch(/agent failed \(overloaded\): too many of us; /u);
  }
  const shown = await inProcess(status, it.repo.path, { "loop-id": "prd-shop" });
  expect(shown.stdout).toContain("too many of us");
}, 60_000);
