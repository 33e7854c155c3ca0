import { execFile } from "node:child_process";
import { createSign, generateKeyPairSync } from "node:crypto";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { gitHttp } from "../support/git-http.ts";
import { clientOf, refusalTo } from "../support/github-api/client.ts";
import { anApp, type GithubApi, startGithubApi } from "../support/github-api/server.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-25T08:00:00Z");
const OURS = { owner: "octo", repo: "demo" };
const keys = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const [KEY, OTHER] = [keys(), keys()];

/** A word that an App signs; the claims are in seconds. */
function word(claims: object, { alg = "RS256", key = KEY } = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg, typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
}

const now = START / 1000;
const GOOD = { iss: 4711, iat: now - 30, exp: now + 570 };

async function world(): Promise<GithubApi & { pass(minutes: number): void }> {
  const api = await startGithubApi();
  api.world.apps.push(anApp({ installation: { permissions: { contents: "write", issues: "read" } } }, KEY));
  let at = START;
  api.world.now = () => new Date(at);
  return Object.assign(api, { pass: (minutes: number) => void (at += minutes * MINUTE) });
}

async function mint(api: GithubApi, body: object = {}) {
  const path = "POST /app/installations/{installation_id}/access_tokens";
  return (await clientOf(api, word(GOOD)).request(path, { installation_id: 815, ...body })).data;
}

test.for([
  { name: "by its number", jwt: word(GOOD), answer: "done" },
  { name: "by its client id", jwt: word({ ...GOOD, iss: "Iv23liAbCdEfGhIjKlMn" }), answer: "done" },
  { name: "signed by another key", jwt: word(GOOD, { key: OTHER }), answer: /^401 A JSON web token could not/u },
  { name: "in another form", jwt: word(GOOD, { alg: "HS256" }), answer: /^401 A JSON web token could not/u },
  { name: "with a token", jwt: "ghs_x", answer: /^401 A JSON web token could not/u },
  { name: "of no App", jwt: word({ ...GOOD, iss: 1 }), answer: /^404 Integration not found/u },
  { name: "over", jwt: word({ ...GOOD, exp: now }), answer: /^401 'Expiration time' .+ must be a numeric/u },
  {
    name: "without an end",
    jwt: word({ iss: 4711, iat: now }),
    answer: /^401 'Expiration time' .+ must be a numeric/u,
  },
  { name: "for over ten minutes", jwt: word({ ...GOOD, exp: now + 601 }), answer: /^401 .+ too far in the future/u },
  { name: "from the future", jwt: word({ ...GOOD, iat: now + 90 }), answer: /^401 'Issued at' claim/u },
  { name: "in broken seconds", jwt: word({ ...GOOD, iat: now - 0.5 }), answer: /^401 'Issued at' claim/u },
])("an App's word $name is taken, or refused in GitHub's words [C90]", async ({ jwt, answer }) => {
  await using api = await world();
  const said = await refusalTo(clientOf(api, jwt).request("GET /repos/{owner}/{repo}/installation", OURS));
  expect(said).toMatch(answer);
  expect(api.problems).toEqual([]);
});

test("an App is installed in its repositories only, and an installation may be suspended [C90]", async () => {
  await using api = await world();
  api.world.apps.splice(0, 1, anApp({ installation: { repositories: ["x"], suspended: true } }, KEY));
  const asked = clientOf(api, word(GOOD)).request("GET /repos/{owner}/{repo}/installation", OURS);
  expect(await refusalTo(asked)).toMatch(/^404 Not Found/u);
  expect(await refusalTo(mint(api))).toMatch(/^403 This installation has been suspended/u);
});

test.for([
  { name: "all that is granted", body: {}, answer: "done" },
  { name: "less", body: { permissions: { contents: "read" }, repositories: ["demo"] }, answer: "done" },
  { name: "a higher level", body: { permissions: { issues: "write" } }, answer: /^422 The permissions requested/u },
  {
    name: "what is not granted",
    body: { permissions: { actions: "read" } },
    answer: /^422 The permissions requested/u,
  },
  { name: "another repository", body: { repositories: ["x"] }, answer: /^422 There is at least one repository/u },
  { name: "another's number", body: { repository_ids: [7] }, answer: /^422 There is at least one repository/u },
])("a token is asked for with $name [C90]", async ({ body, answer }) => {
  await using api = await world();
  expect(await refusalTo(mint(api, body))).toMatch(answer);
  expect(api.problems).toEqual([]);
});

test("a token may do what it was asked for, and is unknown after an hour to REST, GraphQL and git [C90]", async () => {
  await using git = await gitHttp();
  await using api = await startGithubApi({ git });
  let at = START;
  api.world.now = () => new Date(at);
  api.world.apps.push(anApp({}, KEY));
  const { token, expires_at: end } = await mint(api, { permissions: { contents: "read" } });
  expect(end).toBe("2026-11-25T09:00:00Z");
  const client = clientOf(api, token);
  const url = git.url.replace("//", `//x-access-token:${token}@`);
  const lsRemote = async (): Promise<unknown> =>
    promisify(execFile)("git", ["ls-remote", url], { env: { ...process.env, GIT_TERMINAL_PROMPT: "0" } });
  const ask = async () => [
    await refusalTo(client.request("GET /repos/{owner}/{repo}", OURS)),
    await refusalTo(client.graphql("{ viewer { login } }")),
    await refusalTo(lsRemote()).then((said) => (said === "done" ? said : "refused")),
  ];
  at += 59 * MINUTE;
  expect(await ask()).toEqual(["done", "done", "done"]);
  const written = client.request("POST /repos/{owner}/{repo}/git/refs", {
    ...OURS,
    ref: "refs/heads/x",
    sha: "a".repeat(40),
  });
  expect(await refusalTo(written)).toMatch(/^403 Resource not accessible/u);
  const push = await fetch(`${git.url}/git-receive-pack`, { method: "POST", headers: { authorization: basic(token) } });
  expect([push.status, await push.text()]).toEqual([403, expect.stringContaining("Write access")]);
  at += MINUTE;
  const [rest, graphql, remote] = await ask();
  expect([rest, graphql]).toEqual([
    expect.stringMatching(/^401 Bad credentials/u),
    expect.stringMatching(/401|Bad credentials/u),
  ]);
  expect(remote).toBe("refused");
  expect(api.problems).toEqual([]);
});

test("a token that was given back is unknown at once [C90]", async () => {
  await using api = await world();
  const { token } = await mint(api);
  const client = clientOf(api, token);
  await client.request("DELETE /installation/token");
  expect(await refusalTo(client.request("GET /repos/{owner}/{repo}", OURS))).toMatch(/^401 Bad credentials/u);
});

function basic(token: string): string {
  return `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
}
