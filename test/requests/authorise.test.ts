import { describe, expect, test } from "vitest";
import { authorise, type AuthRequest } from "../../src/requests/authorise.ts";
import { anAccount, asking, OURS } from "../support/asking.ts";

const BOTS = ["Renovate[bot]", "*", "olga"];

function request(login: string, more: Partial<AuthRequest> = {}): AuthRequest {
  return { way: "comment", actor: anAccount(login), behind: [], author: "rob", fork: false, edited: false, ...more };
}

describe("whether somebody may ask [T4]", () => {
  const MAY = { kind: "allowed", as: "person" };
  const mayNot = (why: string) => ({ kind: "ignored", why: expect.stringContaining(why) });

  test.for([
    { login: "alice", decision: MAY },
    { login: "wendy", decision: MAY },
    { login: "mona", decision: MAY },
    { login: "renovate[bot]", decision: MAY },
    { login: "tom", decision: mayNot("triage") },
    { login: "rob", decision: mayNot("opened what this is about but has no write permission") },
    { login: "nora", decision: mayNot("has no write permission") },
    { login: "olga", decision: mayNot("has no write permission") },
    { login: "dependabot[bot]", decision: mayNot("allowed-bots does not name") },
    { login: OURS, decision: mayNot("the loop's own account") },
  ])("$login: $decision.kind", async ({ login, decision }) => {
    await using at = await asking();
    expect(await authorise(at.github, request(login), BOTS)).toEqual({ decision, who: login, trouble: null });
    expect(at.api.requests.length).toBe(login.endsWith("[bot]") ? 0 : 1);
  });

  test("a name that ends in [bot] proves nothing, and an organisation is not a person", async () => {
    await using at = await asking();
    const user = request("renovate[bot]", { actor: { login: "renovate[bot]", type: "User" } });
    expect(await authorise(at.github, user, BOTS)).toMatchObject({ decision: { kind: "ignored" } });
    const organisation = request("alice", { actor: { login: "alice", type: "Organization" } });
    expect(await authorise(at.github, organisation, [])).toMatchObject({ decision: { kind: "ignored" } });
  });

  test.for([
    { name: "an error", fault: { status: 500, body: { message: "Oops" } }, trouble: "GitHub answered 500 (Oops)" },
    { name: "a refusal", fault: { status: 403, body: { message: "Blocked" } }, trouble: "GitHub refused (Blocked)" },
    { name: "a limit", fault: { status: 429, body: { message: "slow down" } }, trouble: "rate limit is used up" },
    { name: "silence", fault: "drop" as const, trouble: "cannot be reached" },
  ])("after $name an administrator is denied, and the log says why", async ({ fault, trouble }) => {
    await using at = await asking();
    at.api.fail("repos/get-collaborator-permission-level", fault, 9);
    expect(await authorise(at.github, request("alice"), BOTS)).toEqual({
      decision: { kind: "ignored", why: expect.stringContaining("could not be looked up") },
      who: "alice",
      trouble: expect.stringContaining(trouble),
    });
  });

  test("everybody behind a run has to be allowed; each is looked up once [T5]", async () => {
    await using at = await asking();
    const run = (...behind: string[]) =>
      authorise(at.github, request("alice", { way: "workflow_run", behind: behind.map(anAccount) }), BOTS);
    expect(await run("alice", "wendy", "wendy")).toMatchObject({
      decision: { kind: "allowed", as: "trigger" },
      who: "alice",
    });
    expect(at.api.requests).toHaveLength(2);
    expect(await run("wendy", "olga")).toMatchObject({ decision: { kind: "ignored" }, who: "olga" });
    expect(await run(OURS)).toMatchObject({ decision: { kind: "ignored" }, who: OURS });
  });

  test("forks and edits are told to those who may ask, and to nobody else [T7]", async () => {
    await using at = await asking();
    expect(await authorise(at.github, request("wendy", { fork: true }), BOTS)).toMatchObject({
      decision: { reply: true },
    });
    expect(await authorise(at.github, request("wendy", { edited: true }), BOTS)).toMatchObject({
      decision: { kind: "refused", reason: expect.stringContaining("edited") },
    });
    expect(await authorise(at.github, request("olga", { fork: true, edited: true }), BOTS)).toMatchObject({
      decision: { kind: "ignored" },
    });
  });
});
