import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { resolveSettings } from "../../src/config/resolve.ts";
import { readContext } from "../../src/github/context.ts";
import { HandOver } from "../../src/store/hand-over.ts";
import { findOuter, isOutside, keepProgramsOutside, outerPath } from "../../src/os/programs.ts";
import { jobPlaceOf } from "../../src/store/place.ts";
import { encodeState, writeState } from "../../src/store/state-file.ts";
import { aState } from "../support/builders.ts";
import { githubContext } from "../support/runner/context.ts";
import { tempFolder } from "../support/temp-folder.ts";

const INPUTS = {
  "INPUT_GITHUB-TOKEN": "token-of-this-job",
  "INPUT_API-KEY": "key-of-the-model",
  "INPUT_STATE-KEY": "",
  "INPUT_PASS-ENV": "DEPLOY_*",
  DEPLOY_TOKEN: "token-2-of-somebody",
  ACTIONS_RUNTIME_TOKEN: "token-of-the-runner",
};
const FIRST = aState({ revision: 1 });
const SECOND = aState({ revision: 2, iteration: 1 });

/** A step whose main has begun to hand over. */
async function step(inputs: Readonly<Record<string, string>> = INPUTS) {
  const temp = await tempFolder("hand-over-");
  const workspace = path.join(temp.path, "r");
  const env: Record<string, string> = {
    ...{ GITHUB_ACTIONS: "true", RUNNER_TEMP: temp.path, PATH: "/usr/bin:/bin", LANG: "C.UTF-8", ...inputs },
    ...githubContext({ workspace, run_id: "7", repository: "o/r" }),
  };
  const { config } = resolveSettings({ flags: {}, env, inputs: env });
  const place = jobPlaceOf(temp.path, workspace, "a-loop", null);
  await mkdir(path.dirname(place.stateFile), { recursive: true });
  const handOver = await HandOver.begin(env, readContext(env), place, config);
  const folder = path.join(temp.path, "smithers", "hand-over");
  const file = async (): Promise<string> => path.join(folder, (await readdir(folder))[0] ?? "", "hand-over.json");
  return { env, config, place, handOver, folder, file, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

/** What the hand-over of this step is in an environment. */
async function read(env: Readonly<Record<string, string>>): Promise<HandOver> {
  const handOver = await HandOver.read(env);
  if (typeof handOver === "string") throw new Error(handOver);
  return handOver;
}

test("post gets settings, place, event and note as main had them, and no file holds a secret [C11, T1]", async () => {
  await using at = await step();
  const note = { follows: "c1", seen: true, sent: ["n1"], carried: 3 };
  await at.handOver.noteFrom({ base: "b1", branch: null }, { generation: 1, revision: 2 })(note);
  const taken = await read(at.env);
  expect(taken.context).toEqual(readContext(at.env));
  expect(taken.configWith(at.env)).toEqual(at.config);
  expect(JSON.stringify(taken.place)).toBe(JSON.stringify(at.place));
  expect(taken.note).toEqual({ ...note, base: "b1", branch: null, since: { generation: 1, revision: 2 } });
  const text = await readFile(await at.file(), "utf8");
  expect(at.config.environmentSecrets).toEqual(["token-2-of-somebody", "token-of-the-runner"]);
  const held = [...at.config.environmentSecrets, "token-of-this-job", "key-of-the-model"];
  for (const secret of held) expect(text).not.toContain(secret);
  for (const folder of [at.folder, path.dirname(await at.file())])
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

describe("a hand-over proves nothing [T15]", () => {
  test.for<[what: string, env: Readonly<Record<string, string>>]>([
    ["to another run", { GITHUB_RUN_ID: "8" }],
    ["to another attempt", { GITHUB_RUN_ATTEMPT: "2" }],
    ["to another job", { GITHUB_JOB: "other" }],
    ["to another step", { GITHUB_ACTION: "__other" }],
  ])("%s", async ([, other]) => {
    await using at = await step();
    const elsewhere = { ...at.env, ...other };
    expect(await HandOver.read(elsewhere)).toBe("absent");
    await HandOver.begin(elsewhere, readContext(elsewhere), at.place, at.config);
    const [one = "", two = ""] = await readdir(at.folder);
    await rm(path.join(at.folder, one), { recursive: true });
    await rename(path.join(at.folder, two), path.join(at.folder, one));
    const both = await Promise.all([HandOver.read(at.env), HandOver.read(elsewhere)]);
    expect(both.toSorted()).toEqual(["absent", "unproved"]);
  });

  test.for<[what: string, env: Readonly<Record<string, string>>]>([
    ["the token", { "INPUT_GITHUB-TOKEN": "another" }],
    ["the model's key", { "INPUT_API-KEY": "another" }],
    ["the state key", { "INPUT_STATE-KEY": "another" }],
    ["every secret", { "INPUT_GITHUB-TOKEN": "", "INPUT_API-KEY": "" }],
  ])("with another value of %s", async ([, other]) => {
    await using at = await step();
    expect(await HandOver.read({ ...at.env, ...other })).toBe("unproved");
  });

  test.for<[what: string, change: (text: string) => string]>([
    ["a changed setting", (text) => text.replace("a-loop", "b-loop")],
    ["no proof", (text) => JSON.stringify({ body: JSON.parse(text).body })],
    ["half of it", (text) => text.slice(0, text.length / 2)],
    ["nothing", () => ""],
    ["far too much", (text) => text + " ".repeat(9 << 20)],
  ])("with %s in it", async ([, change]) => {
    await using at = await step();
    const file = await at.file();
    const text = await readFile(file, "utf8");
    expect(change(text)).not.toBe(text);
    await writeFile(file, change(text));
    expect(await HandOver.read(at.env)).toBe("unproved");
  });

  test("behind a link, and when it is gone", async () => {
    await using at = await step();
    const file = await at.file();
    await rename(file, `${file}.moved`);
    expect(await HandOver.read(at.env)).toBe("unproved");
    await symlink(`${file}.moved`, file);
    expect(await HandOver.read(at.env)).toBe("unproved");
  });
});

test("a step without any secret hands nothing over [T15]", async () => {
  await using at = await step({});
  expect(at.handOver.isProvable).toBe(false);
  await at.handOver.announce(FIRST);
  expect(await HandOver.read(at.env)).toBe("absent");
});

describe("the state that counts", () => {
  test("is the file's when main wrote it, also when main was killed before it could [C12]", async () => {
    await using at = await step();
    expect(await at.handOver.lastState()).toBeUndefined();
    await at.handOver.announce(FIRST);
    expect(await (await read(at.env)).lastState()).toEqual({ state: FIRST, isOurs: false });
    await writeState(at.place.stateFile, FIRST, Promise.resolve());
    expect(await (await read(at.env)).lastState()).toEqual({ state: FIRST, isOurs: true });
    await at.handOver.announce(SECOND);
    expect(await (await read(at.env)).lastState()).toEqual({ state: FIRST, isOurs: true });
    await writeState(at.place.stateFile, SECOND, Promise.resolve());
    expect(await (await read(at.env)).lastState()).toEqual({ state: SECOND, isOurs: true });
  });

  test("is main's when something else has written the file, removed it, or put a link there [T15]", async () => {
    await using at = await step();
    await at.handOver.announce(FIRST);
    await at.handOver.announce(SECOND);
    const { stateFile } = at.place;
    const forged = encodeState(aState({ revision: 3, status: "completed" }));
    const lasting = async () => (await read(at.env)).lastState();
    await writeFile(stateFile, forged);
    expect(await lasting()).toEqual({ state: SECOND, isOurs: false });
    await writeFile(`${stateFile}.other`, encodeState(SECOND));
    await rm(stateFile);
    await symlink(`${stateFile}.other`, stateFile);
    expect(await lasting()).toEqual({ state: SECOND, isOurs: false });
  });
});

test("an environment is main's again: what was added or changed is out, what the runner sets stays [T11]", async () => {
  await using at = await step();
  const env: NodeJS.ProcessEnv = {
    ...at.env,
    ...{ LANG: "de", BASH_ENV: "/planted", LD_PRELOAD: "/planted.so", NODE_OPTIONS: "--require /planted.js" },
    ...{ PATH: `/planted:${at.env["PATH"]}`, GITHUB_STATE: "/new", ACTIONS_RUNTIME_TOKEN: "new" },
  };
  const foreign = (await read(at.env)).restore(env);
  expect(foreign.toSorted()).toEqual(["BASH_ENV", "LANG", "LD_PRELOAD", "NODE_OPTIONS", "PATH"]);
  const { LANG, ...others } = at.env;
  expect(LANG).toBe("C.UTF-8");
  expect(env).toEqual({ ...others, GITHUB_STATE: "/new", ACTIONS_RUNTIME_TOKEN: "new" });
});

test("services that tokens are sent to are those that main had, and ones that it did not have are out [T11]", async () => {
  const results = { ACTIONS_RESULTS_URL: "https://results.example", ACTIONS_RUNTIME_URL: "https://runtime.example" };
  await using at = await step({ ...INPUTS, ...results });
  const planted = [
    "ACTIONS_RESULTS_URL",
    "ACTIONS_CACHE_URL",
    "ACTIONS_ID_TOKEN_REQUEST_URL",
    "ACTIONS_CACHE_SERVICE_V2",
  ];
  const env: NodeJS.ProcessEnv = {
    ...at.env,
    ...Object.fromEntries(planted.map((name) => [name, "http://127.0.0.1"])),
  };
  expect((await read(at.env)).restore(env).toSorted()).toEqual(planted.toSorted());
  const { ACTIONS_RESULTS_URL: _, ...others } = at.env;
  expect(env).toEqual(others);
});

test("post finds programs where main found them, whatever has become of the workspace and its repository [T12]", async () => {
  await using at = await step();
  const [inside, outside] = ["bin", "../outside"].map((name) => path.join(at.place.root, name));
  keepProgramsOutside([at.place.root]);
  const env: Record<string, string> = {
    ...at.env,
    PATH: [inside, outside, "", "bin", "/usr/bin"].join(path.delimiter),
  };
  await HandOver.begin(env, readContext(env), at.place, at.config);
  keepProgramsOutside([]);
  const taken = { ...env };
  expect((await read(env)).restore(taken)).toEqual([]);
  expect(taken["PATH"]).toBe([outside, "/usr/bin"].join(path.delimiter));
  expect(isOutside(path.join(inside ?? "", "git"))).toBe(false);
  keepProgramsOutside([]);
});

test("post starts what main found, also where a program of that name has come onto the PATH before it [T12]", async () => {
  await using at = await step();
  const planted = path.join(path.dirname(at.place.root), "planted");
  const env = { ...at.env, PATH: [planted, "/usr/bin", "/bin"].join(path.delimiter) };
  onTestFinished(() => keepProgramsOutside([]));
  keepProgramsOutside([]);
  await HandOver.begin(env, readContext(env), at.place, at.config);
  await mkdir(planted);
  const names = ["git", "tar", "ps"];
  for (const name of names) await writeFile(path.join(planted, name), "#!/bin/sh\n", { mode: 0o755 });
  // Post is another process.
  keepProgramsOutside([]);
  expect(findOuter("git", env.PATH)?.file).toBe(path.join(planted, "git"));
  const taken = { ...env };
  (await read(env)).restore(taken);
  expect(names.map((name) => path.dirname(findOuter(name, taken.PATH)?.file ?? ""))).toEqual(
    names.map(() => "/usr/bin"),
  );
  expect(outerPath(taken.PATH, "tar")).toBe(["/usr/bin", planted].join(path.delimiter));
});

test("a secret that is not in the environment any more leaves post without settings [T15]", async () => {
  await using at = await step();
  const { "INPUT_API-KEY": _, ...others } = at.env;
  expect((await read(at.env)).configWith(others)).toBeUndefined();
});
