import { describe, expect, test } from "vitest";
import { authorise, type Petition } from "../../src/requests/authorise.ts";
import { anAccount, asking, OURS } from "../support/asking.ts";

const BOTS = ["Renovate[bot]", "*", "olga"];

function petition(login: string, more: Partial<Petition> = {}): Petition {
  return { way: "comment", actor: anAccount(login), behind: [], author: "rob", fork: false, edited: false, ...more };
}

describe("T4: whether somebody may ask", () => {
  const MAY = { decision: "allowed", as: "person" };
  const mayNot = (why: string) => ({ decision: "ignored", why: expect.stringContaining(why) });

  test.for([
    { login: "alice", ruling: MAY },
    { login: "wendy", ruling: MAY },
    { login: "mona", ruling: MAY },
    { login: "renovate[bot]", ruling: MAY },
    { login: "tom", ruling: mayNot("triage") },
    { login: "rob", ruling: mayNot("wrote the pull request but has no write permission") },
    { login: "nora", ruling: mayNot("has no write permission") },
    { login: "olga", ruling: mayNot("has no write permission") },
    { login: "dependabot[bot]", ruling: mayNot("allowed-bots does not name") },
    { login: OURS, ruling: mayNot("the loop's own account") },
  ])("$login: $ruling.decision", async ({ login, ruling }) => {
    await using at = await asking();
    expect(await authorise(at.github, petition(login), BOTS)).toEqual({ ruling, who: login, trouble: null });
    expect(at.api.requests.length).toBe(login.endsWith("[bot]") ? 0 : 1);
  });

  test("a name that ends in [bot] proves nothing, and an organisation is no person", async () => {
    await using at = await asking();
    const user = petition("renovate[bot]", { actor: { login: "renovate[bot]", type: "User" } });
    expect(await authorise(at.github, user, BOTS)).toMatchObject({ ruling: { decision: "ignored" } });
    const organisation = petition("alice", { actor: { login: "alice", type: "Organization" } });
    expect(await authorise(at.github, organisation, [])).toMatchObject({ ruling: { decision: "ignored" } });
  });

  test.for([
    { name: "an error", fault: { status: 500, body: { message: "Oops" } }, trouble: "GitHub answered 500 (Oops)" },
    { name: "a refusal", fault: { status: 403, body: { message: "Blocked" } }, trouble: "GitHub refused (Blocked)" },
    { name: "a limit", fault: { status: 429, body: { message: "slow down" } }, trouble: "rate limit is used up" },
    { name: "silence", fault: "drop" as const, trouble: "cannot be reached" },
  ])("after $name an administrator is denied, and the log says why", async ({ fault, trouble }) => {
    await using at = await asking();
    at.api.fail("repos/get-collaborator-permission-level", fault, 9);
    expect(await authorise(at.github, petition("alice"), BOTS)).toEqual({
      ruling: { decision: "ignored", why: expect.stringContaining("could not be looked up") },
      who: "alice",
      trouble: expect.stringContaining(trouble),
    });
  });

  test("T5: everybody behind a run has to be allowed; each is looked up once", async () => {
    await using at = await asking();
    const run = (...behind: string[]) =>
      authorise(at.github, petition("alice", { way: "workflow_run", behind: behind.map(anAccount) }), BOTS);
    expect(await run("alice", "wendy", "wendy")).toMatchObject({
      ruling: { decision: "allowed", as: "trigger" },
      who: "alice",
    });
    expect(at.api.requests).toHaveLength(2);
    expect(await run("wendy", "olga")).toMatchObject({ ruling: { decision: "ignored" }, who: "olga" });
    expect(await run(OURS)).toMatchObject({ ruling: { decision: "ignored" }, who: OURS });
  });

  test("T7: forks and edits are told to those who may ask, and to nobody else", async () => {
    await using at = await asking();
    expect(await authorise(at.github, petition("wendy", { fork: true }), BOTS)).toMatchObject({
      ruling: { reply: true },
    });
    expect(await authorise(at.github, petition("wendy", { edited: true }), BOTS)).toMatchObject({
      ruling: { decision: "refused", reason: expect.stringContaining("edited") },
    });
    expect(await authorise(at.github, petition("olga", { fork: true, edited: true }), BOTS)).toMatchObject({
      ruling: { decision: "ignored" },
    });
  });
});
