import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OUTPUTS } from "../../src/config/action.ts";
import { booty, type Burglary, breakIn, type Loot, MESSAGE } from "./break-in.ts";
import { sightings } from "./canaries.ts";
import { USERS } from "./users.ts";

const ATTACKS = 10;
const OF_A_PROCESS = / of a process$/u;

/** Whether people hear it before anything is spent. */
const isTold = ({ job }: Burglary, words: RegExp): boolean =>
  words.test(job.main.log.split("iteration 1 started")[0] ?? "");

/** As root the sandbox of Codex does not start in isolation. */
const NOT_ISOLATED = /turns are not isolated \(as root/u;

/** That it is this process whose memory is open, and why: any other word of root says nothing of it. */
const ROOT_MEMORY = /could read this job's secrets in the memory of this one, because [^.]*\broot\b/u;

/** Where it plants itself if nothing is in its way; main writes its hand-over anew. */
const PLANTED = [
  ...["/home/.bashrc", "/home/.ssh/authorized_keys", "/home/.codex/config.toml", "/consents/planted.json"],
  ...["/dist/job/post.js", "/.git/hooks/post-commit", "/.git/config", "/.git/info/attributes"],
  ...["/_tool/smithers-codex/planted", "/hand-over.json"],
];

const values = ({ got }: Loot): readonly string[] => got.map(({ value }) => value);

describe.each(USERS)("a hostile agent in a job of $who, whose checks are isolated", ({ who, user }) => {
  let it: Burglary;
  beforeAll(async () => {
    it = await breakIn({ user, inputs: { "check-sandbox": "auto" } });
  }, 120_000);
  afterAll(() => it[Symbol.asyncDispose]());

  test(`the check that it has bent finds out nothing (${who}) [T2, T3]`, () => {
    const check = it.loot("check");
    expect([check.tried.length, it.job.outputs["status"]]).toEqual([ATTACKS, "completed"]);
    expect(booty(check, it.loot("turn"))).toEqual([]);
  });

  test(`its turn finds no secret of the job (${who}) [T2]`, () => {
    const turn = it.loot("turn");
    expect(turn.tried).toHaveLength(ATTACKS);
    const { key, token, state, oidc, worker } = it.secrets;
    expect(values(turn).filter((value) => [key, token, state, oidc, worker].includes(value))).toEqual([]);
  });

  test(`its turn finds no credential of the machine or the checkout, unless it is root's, which is told (${who}) [T2, T13]`, () => {
    const got = who === "root" && isTold(it, NOT_ISOLATED) ? [] : booty(it.loot("turn"));
    expect(got).toEqual([]);
  });

  test(`nothing of the job's secrets leaves the machine (${who}) [T2, T16]`, () => {
    const { home: _, checkout: __, ...ofTheJob } = it.secrets;
    expect(it.left.length).toBeGreaterThan(20);
    expect(sightings(Object.values(ofTheJob), it.left)).toEqual([]);
  });

  test(`credentials of the machine leave it neither, unless the turn is root's, which is told (${who}) [T2, T13]`, () => {
    const seen = sightings([it.secrets.home, it.secrets.checkout], it.left);
    const left = who === "root" && isTold(it, NOT_ISOLATED) ? [] : seen;
    expect(left).toEqual([]);
  });

  test(`neither the Action, nor the runner's files, nor a home is changed by turn or check (${who}) [T11]`, () => {
    expect(it.planted).toEqual([]);
    expect(it.job.posts.map(({ result }) => result)).toEqual(["success"]);
  });

  test(`no process of turn or check outlives the job, without environment, parent and session (${who}) [T19]`, () => {
    expect(it.daemons).toEqual([]);
  });

  test(`its turn reaches no server, and the check does, which SECURITY.md says (${who}) [T23]`, () => {
    const said = it.evil.bytes.toString();
    expect([said.includes("POST /check"), said.includes("POST /turn")]).toEqual([true, false]);
  });

  test(`what it says is one output and no command (${who}) [T9, T10]`, () => {
    expect(it.job.outputs["final-message"]).toBe(MESSAGE);
    expect(Object.keys(it.job.outputs).toSorted()).toEqual(OUTPUTS.map(({ name }) => name).toSorted());
    expect(it.job.main.commands.filter(({ name }) => name === "set-output")).toEqual([]);
  });

  test(`the credentials of the checkout are back when the job is over (${who}) [T13]`, async () => {
    expect(await it.machine.git("config", "--file", ".git/config", "--get-regexp", "extraheader")).toContain(
      it.secrets.checkout,
    );
  });
});

describe.each(USERS)("an agent that is a command, hostile, in a job of $who", ({ who, user }) => {
  let it: Burglary;
  beforeAll(async () => {
    const agent = { provider: "command", "provider-command": '["sh","agent.sh"]', "full-auto": "on" };
    it = await breakIn({ user, inputs: { "check-sandbox": "auto", ...agent } });
  }, 120_000);
  afterAll(() => it[Symbol.asyncDispose]());

  test(`finds out nothing in its turn (${who}) [T2]`, () => {
    expect(it.loot("turn").tried).toHaveLength(ATTACKS);
    expect(booty(it.loot("turn"))).toEqual([]);
  });

  test(`changes neither the Action, nor the runner's files, nor a home (${who}) [T11]`, () => {
    expect(it.planted).toEqual([]);
  });

  test(`leaves no process (${who}) [T19]`, () => {
    expect(it.daemons).toEqual([]);
  });
});

describe.each(USERS)("a hostile agent in a job of $who, whose checks are not isolated", ({ who, user }) => {
  let it: Burglary;
  beforeAll(async () => {
    it = await breakIn({ user, inputs: { "check-sandbox": "off" } });
  }, 120_000);
  afterAll(() => it[Symbol.asyncDispose]());

  test(`the attacks are real: they find, change and leave what they are after (${who}) [T3]`, () => {
    const { got, victims, wrote } = it.loot("check");
    const found = got.map(({ attack }) => attack.replace(/-[\d-]+socket$/u, ""));
    expect(found).toEqual(expect.arrayContaining(["file id_ed25519", "socket dotnet-diagnostic"]));
    // The processes that it reads, without luck, are ours.
    expect(victims).toBeGreaterThan(0);
    const written = [...it.planted, ...wrote.filter((file) => file.endsWith("/hand-over.json"))];
    expect(PLANTED.filter((name) => !written.some((file) => file.endsWith(name)))).toEqual([]);
    // The check calls once, and then what it has left.
    expect(it.evil.calls).toBeGreaterThan(1);
  });

  test(`that they are not is told before the first turn (${who}) [T3]`, () => {
    const silence = isTold(it, /checks are not isolated/u) ? [] : ["nothing was said"];
    expect(silence).toEqual([]);
  });

  test(`a changed Action is not started again, and that is told (${who}) [T11]`, () => {
    expect(it.job.posts.map(({ result, log }) => [result, log.includes("is not the file that was shipped")])).toEqual([
      ["failure", true],
    ]);
  });

  test(`main shows nobody its environment, and opens no inspector (${who}) [T2]`, () => {
    const shown = it
      .loot("check")
      .got.filter(({ attack }) => OF_A_PROCESS.test(attack) && !attack.startsWith("memory"));
    expect(shown.map(({ attack, value }) => `${attack}: ${value}`)).toEqual([]);
  });

  test(`main's memory is closed, unless the job is root's, which is told (${who}) [T2]`, () => {
    const { home: _, checkout: __, ...ofTheJob } = it.secrets;
    const read = it.loot("check").got.filter(({ attack }) => attack.startsWith("memory of"));
    const secrets = read.filter(({ value }) => Object.values<string>(ofTheJob).includes(value));
    const told = who === "root" && isTold(it, ROOT_MEMORY);
    expect(told ? [] : secrets.map(({ value }) => value)).toEqual([]);
  });

  test(`whatever they find, what the services keep holds no secret of the job (${who}) [T16]`, () => {
    const { home: _, checkout: __, worker: ___, ...ofTheJob } = it.secrets;
    const kept = it.left.filter(({ where }) => where !== "evil server");
    expect(sightings(Object.values(ofTheJob), kept)).toEqual([]);
  });
});
