import { execFile } from "node:child_process";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { AppToken, firstToken, revokeAppTokens, rightsOfApp, withAppToken } from "../../src/github/app/app-token.ts";
import { githubAccess } from "../../src/github/access.ts";
import { createGithub } from "../../src/github/client.ts";
import { RemoteGit } from "../../src/git/remote-git.ts";
import { gitHttp } from "../support/git-http.ts";
import { anApp, type GithubApi, startGithubApi } from "../support/github-api/server.ts";
import { shortPauses } from "../support/short-pauses.ts";
import { tempFolder } from "../support/temp-folder.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-25T08:00:00Z");
const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const OTHER = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/** GitHub with an App, and its tokens in our hands; the clocks are the test's own. */
interface Stage extends AsyncDisposable {
  readonly api: GithubApi;
  readonly token: AppToken;
  readonly masked: string[];
  /** lets time pass for GitHub and for us */
  pass(minutes: number): void;
  /** how far our clock is from GitHub's */
  skew(minutes: number): void;
  /** the operations asked for since the last call, with what minting takes as one */
  asked(): readonly string[];
}

async function stage(options: { key?: string; id?: string; readOnly?: boolean; api?: GithubApi } = {}): Promise<Stage> {
  const api = options.api ?? (await startGithubApi());
  let [at, ahead, seen] = [START, 0, 0];
  api.world.now = () => new Date(at);
  api.world.apps.push(anApp({}, KEY));
  const masked: string[] = [];
  const token = new AppToken({
    ...{ appId: options.id ?? "4711", privateKey: options.key ?? pem(KEY), readOnly: options.readOnly ?? false },
    context: { apiUrl: api.url, repository: api.world.repository },
    mask: (secret) => masked.push(secret),
    now: () => at + ahead,
    pause: async () => {},
  });
  return {
    ...{ api, token, masked },
    pass: (minutes) => void (at += minutes * MINUTE),
    skew: (minutes) => void (ahead = minutes * MINUTE),
    asked() {
      const fresh = api.requests.slice(seen).map(({ operation }) => operation.replace("apps/", ""));
      seen = api.requests.length;
      return fresh;
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      expect(api.problems).toEqual([]);
    },
  };
}

const MINTED = ["get-repo-installation", "create-installation-access-token"];

function pem(key: KeyObject, type: "pkcs1" | "pkcs8" = "pkcs1"): string {
  return key.export({ type, format: "pem" }).toString();
}

test("a token is made when it is needed, kept, and renewed five minutes before its end [C90]", async () => {
  await using at = await stage();
  expect(at.asked()).toEqual([]);
  const first = await at.token.current();
  expect(first).toMatch(/^ghs_\w+$/u);
  at.pass(54);
  expect(await at.token.current()).toBe(first);
  expect(at.asked()).toEqual(MINTED);
  at.pass(1.5);
  const [second, same] = await Promise.all([at.token.current(), at.token.current()]);
  expect([second === first, same === second]).toEqual([false, true]);
  expect(at.asked()).toEqual(MINTED);
  expect(at.masked).toEqual(expect.arrayContaining([first, second]));
  expect(at.masked).toContain(Buffer.from(`x-access-token:${second}`).toString("base64"));
  expect(at.token.values).toEqual([first, second]);
});

test("where no new one can be had, what is left of the old one counts, and then GitHub's words [C90]", async () => {
  using _ = shortPauses();
  await using at = await stage();
  const first = await at.token.current();
  at.pass(56);
  at.api.world.apps.splice(0);
  expect(await at.token.current()).toBe(first);
  at.pass(5);
  await expect(at.token.current()).rejects.toThrow("there is no App of that id");
});

test("our clock may be wrong: the App's word is dated by GitHub's, and a token counts by its life [C90]", async () => {
  for (const minutes of [-15, 15]) {
    await using at = await stage();
    at.skew(minutes);
    const first = await at.token.current();
    at.pass(54);
    expect(await at.token.current()).toBe(first);
    at.pass(2);
    expect(await at.token.current()).not.toBe(first);
  }
});

test("it may do what the App may of what is needed, and read only where nothing is written [C90]", async () => {
  const granted = { administration: "write", contents: "write", issues: "read", workflows: "write" } as const;
  for (const [readOnly, may] of [
    [false, { contents: "write", issues: "read", workflows: "write" }],
    [true, { contents: "read", issues: "read" }],
  ] as const) {
    await using at = await stage({ readOnly });
    at.api.world.apps.splice(0, 1, anApp({ installation: { permissions: granted } }, KEY));
    expect(at.api.world.tokens.get(await at.token.current())?.permissions).toEqual(may);
    expect(at.api.requests.at(-1)?.body).toMatchObject({ repositories: ["demo"] });
  }
});

test.for([
  ["all of it", { checks: "read", workflows: "write" }, false, ["there", ""]],
  [
    "not what costs a feature alone",
    {},
    false,
    ["unknown", expect.stringMatching(/^it was not granted checks: read, workflows: write; where a loop/u)],
  ],
  [
    "not what the work takes",
    { checks: "read", contents: "read", pull_requests: "read", workflows: "write" },
    false,
    ["missing", "it was not granted contents: write, pull-requests: write"],
  ],
  ["enough where nothing is written", { checks: "read", contents: "read" }, true, ["there", ""]],
] as const)("what an App was granted of a loop's rights is known with its first token: %s [C89, C90]", async (row) => {
  const [, more, readOnly, lacks] = row;
  await using at = await stage({ readOnly });
  const [app] = at.api.world.apps;
  const permissions = { ...app?.installation.permissions, ...more };
  at.api.world.apps.splice(0, 1, anApp({ installation: { permissions } }, KEY));
  expect(rightsOfApp(at.token)).toBeNull();
  await at.token.current();
  const told = rightsOfApp(at.token);
  expect([told?.right, told !== null && "why" in told ? told.why : ""]).toEqual(lacks);
  expect(rightsOfApp("ghs_given")).toBeNull();
});

test("REST, GraphQL and git go on after an hour with a new token; the old one is not used again [C90]", async () => {
  using _ = shortPauses();
  await using git = await gitHttp();
  await using folder = await tempFolder("app-token-");
  await using at = await stage({ api: await startGithubApi({ git }) });
  await promisify(execFile)("git", ["init", "-q", folder.path]);
  const signal = AbortSignal.timeout(20_000);
  const context = { apiUrl: at.api.url, repository: at.api.world.repository };
  const github = await githubAccess(at.token, context)?.until(signal);
  const remote = new RemoteGit({ url: git.url, token: at.token, folder: folder.path, mark: "x" }, signal);
  const use = async () => [
    (await github?.rest.repos.get({}))?.status,
    await github?.graphql("{ viewer { login } }"),
    (await remote.list("--heads", "*")).ok,
  ];
  const works = [200, { viewer: { login: "the-app[bot]" } }, true];
  expect(await use()).toEqual(works);
  at.pass(61);
  expect(await use()).toEqual(works);
  expect(at.token.values).toHaveLength(2);
  const shown = new Set(git.requests.map(({ authorization }) => authorization));
  expect(shown.size).toBe(2);
});

test("what GitHub does not know yet is tried once more, and what it has withdrawn is made anew [C90]", async () => {
  using _ = shortPauses();
  await using at = await stage();
  const github = createGithub({ token: at.token, apiUrl: at.api.url, repository: at.api.world.repository });
  const first = await at.token.current();
  at.api.fail("repos/get", { status: 401, body: { message: "Bad credentials" } });
  expect((await github.rest.repos.get({})).status).toBe(200);
  expect(at.token.values).toEqual([first]);
  at.pass(1);
  at.api.world.tokens.delete(first);
  expect((await github.rest.repos.get({})).status).toBe(200);
  expect(at.token.values).toHaveLength(2);
});

test("tokens are given back at the end, and the next use makes another [C90]", async () => {
  await using at = await stage();
  await at.token.current();
  at.pass(56);
  await at.token.current();
  await at.token.revoke();
  expect([...at.api.world.tokens]).toEqual([]);
  await at.token.current();
  expect(at.api.world.tokens.size).toBe(1);
});

test("all settings of a process that name an App share its tokens, until they are given back [C90]", async () => {
  await using at = await stage();
  const settings: Parameters<typeof withAppToken>[0] = {
    ...{ githubToken: "the-job's-own", appId: "4711", appPrivateKey: pem(KEY), job: null },
  };
  const context = { apiUrl: at.api.url, repository: at.api.world.repository };
  const log = { mask: (secret: string) => void at.masked.push(secret) };
  const [one, other] = [withAppToken(settings, context, log), withAppToken(settings, context, log)];
  expect(one.githubToken).toBe(other.githubToken);
  await firstToken(one.githubToken);
  await revokeAppTokens();
  expect(at.api.world.tokens.size).toBe(0);
  expect(withAppToken(settings, context, log).githubToken).not.toBe(one.githubToken);
  const none = { ...settings, appId: null, appPrivateKey: null };
  expect(withAppToken(none, context, log)).toBe(none);
});

test.for([
  { name: "an id that no App has", given: { id: "12" }, what: "there is no App of that id" },
  { name: "another App's key", given: { key: pem(OTHER) }, what: "app-private-key is not a key of it" },
])("$name is told as what it is [C90]", async ({ given, what }) => {
  await using at = await stage(given);
  await expect(at.token.current()).rejects.toThrow(what);
});

test("an App that is not installed here, or is suspended, is told as that [C90]", async () => {
  for (const [installation, what] of [
    [{ repositories: [] }, "it is not installed on octo/demo"],
    [{ suspended: true }, "its installation is suspended"],
  ] as const) {
    await using at = await stage();
    at.api.world.apps.splice(0, 1, anApp({ installation }, KEY));
    await expect(at.token.current()).rejects.toThrow(what);
  }
});

test.for([
  { name: "as GitHub gives it", text: pem(KEY) },
  { name: "converted to PKCS #8", text: pem(KEY, "pkcs8") },
  { name: "with escaped line breaks", text: pem(KEY).trim().replaceAll("\n", "\\n") },
  { name: "with Windows' line breaks", text: pem(KEY).replaceAll("\n", "\r\n") },
])("a private key is taken $name [C90]", async ({ text }) => {
  await using at = await stage({ key: text });
  expect(await at.token.current()).toMatch(/^ghs_/u);
});

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const sealed = KEY.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }).toString();
test.for([
  { name: "its fingerprint", text: "SHA256:abc=", why: "the fingerprint" },
  { name: "a password", text: "hunter2hunter2", why: "does not begin with -----BEGIN" },
  { name: "base64 of it", text: Buffer.from(pem(KEY)).toString("base64"), why: "base64 once more" },
  { name: "a public key", text: "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----", why: "a public key" },
  { name: "with a passphrase", text: sealed, why: "a passphrase" },
  { name: "of another kind", text: pem(ec, "pkcs8"), why: "a key for ec" },
  { name: "for SSH", text: "-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----", why: "SSH" },
  { name: "cut off", text: pem(KEY).slice(0, 900), why: "its end is missing" },
  { name: "in one line", text: pem(KEY).replaceAll("\n", " "), why: "line breaks are lost" },
  { name: "damaged", text: pem(KEY).replace("MII", "AAA"), why: "damaged" },
])("in place of a private key, $name is refused as what it is [C90]", async ({ text, why }) => {
  await expect(stage({ key: text })).rejects.toThrow(why);
  await expect(stage({ key: text })).rejects.not.toThrow(text);
});
