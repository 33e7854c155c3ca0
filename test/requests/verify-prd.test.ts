import { describe, expect, test } from "vitest";
import { type PrdRequest, verifyPrdRequest } from "../../src/requests/verify-prd.ts";
import { refuseObeyed } from "../../src/requests/run-request.ts";
import { asking, type Asking, dispatched, HEAD, OURS, RELAY } from "../support/asking.ts";
import { aState } from "../support/builders.ts";
import { anIssue } from "../support/github-api/server.ts";
import { accessOf, refusal, writes } from "./run-request-stage.ts";

const RETRY = "/smithers prd billing retry US-003 use v2\r\nand test it";

async function withPrd(...names: readonly string[]): Promise<Asking> {
  const at = await asking({ ...RELAY, issues: "write" });
  at.files(Object.fromEntries(["billing", ...names].map((name) => [`.daedalus/prds/${name}/prd.json`, "{}"])));
  return at;
}

function order(request: string | null, more: Readonly<Record<string, unknown>> = {}): string {
  const said = { command: "prd", prd: "billing", verb: "retry", story: "US-003", ...more };
  return JSON.stringify(request === null ? said : { ...said, request });
}

function verify(at: Asking, smithers: string | undefined, by = OURS): Promise<PrdRequest | null> {
  return verifyPrdRequest(dispatched(smithers, by), accessOf(at), ["renovate[bot]"]);
}

describe("what is asked of a PRD by a comment", () => {
  test("is read again: its words, its author, their permission", async () => {
    await using at = await withPrd("shop");
    const { id } = at.comment(RETRY, { author: "wendy" });
    await at.push(31);
    expect(await verify(at, order(`comment:${id}`))).toEqual({
      ...{ prd: "billing", verb: "retry", story: "US-003", words: "use v2\nand test it" },
      ...{ by: "person", asker: "wendy", request: `comment:${id}`, head: null, branch: null },
      place: { number: 7, on: "pull-requests" },
    });
    expect(writes(at)).toEqual([]);
  });

  test("holds on an issue, with the name left out, and for a listed bot", async () => {
    await using at = await withPrd();
    at.api.world.issues.push(anIssue({ number: 9 }));
    const { id } = at.comment("/smithers prd accept US-003", { issue: 9, author: "renovate[bot]" });
    expect(await verify(at, order(`comment:${id}`, { verb: "accept" }))).toMatchObject({
      ...{ prd: "billing", verb: "accept", story: "US-003", words: "", asker: "renovate[bot]" },
    });
  });

  test.for([
    { name: "by a stranger", row: { author: "olga" }, said: "REQUEST_NOT_ALLOWED olga has no write permission" },
    { name: "by somebody who may triage", row: { author: "tom" }, said: "REQUEST_NOT_ALLOWED tom has the triage role" },
    { name: "by a bot", row: { author: "other[bot]" }, said: "REQUEST_NOT_ALLOWED other[bot] is a bot" },
    { name: "by ourselves", row: { author: OURS }, said: "REQUEST_FORGED Nobody stands behind" },
    {
      name: "that was edited",
      row: { updatedAt: new Date("2026-11-20T03:31:00Z") },
      said: "REQUEST_NOT_ALLOWED The comment was edited",
    },
    { name: "with another verb", row: { body: "/smithers prd billing run" }, said: "REQUEST_FORGED That comment does" },
    {
      name: "about another story",
      row: { body: "/smithers prd retry US-004" },
      said: "REQUEST_FORGED That comment does",
    },
    { name: "with another command", row: { body: "/smithers continue" }, said: "REQUEST_FORGED That comment does" },
    { name: "that is malformed", row: { body: "/smithers prd a b" }, said: "REQUEST_FORGED That comment does" },
    {
      name: "about another PRD",
      row: { body: "/smithers prd shop retry US-003" },
      said: "REQUEST_NOT_ALLOWED That comment is about the PRD shop",
    },
    {
      name: "about a PRD that is gone",
      row: { body: "/smithers prd gone retry US-003" },
      said: "NO_SUCH_PRD There is no PRD gone on main; there is billing, shop.",
    },
    {
      name: "without a name, since there are several",
      row: { body: "/smithers prd retry US-003" },
      said: "NO_SUCH_PRD There are several PRDs on main",
    },
  ])("$name is refused before anything is done", async ({ row, said }) => {
    await using at = await withPrd("shop");
    const { id } = at.comment(RETRY, row);
    expect(await refusal(verify(at, order(`comment:${id}`)))).toContain(said);
    expect(writes(at)).toEqual([]);
  });

  test("that there is not is forged; on a fork's pull request it is refused [T15]", async () => {
    await using at = await withPrd();
    expect(await refusal(verify(at, order("comment:4711")))).toContain("REQUEST_FORGED There is no such comment.");
    const { id } = at.comment(RETRY);
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    expect(await refusal(verify(at, order(`comment:${id}`)))).toContain("REQUEST_NOT_ALLOWED This pull request comes");
  });

  test.for([...["issues/get-comment", "pulls/get", "repos/get-collaborator-permission-level", "repos/get-content"]])(
    "cannot be verified while %s fails",
    async (operation) => {
      await using at = await withPrd();
      const { id } = at.comment(RETRY);
      at.api.fail(operation, { status: 500, body: { message: "Oops" } });
      expect(await refusal(verify(at, order(`comment:${id}`)))).toContain("REQUEST_UNVERIFIED");
    },
  );

  test("is obeyed once", () => {
    const link = { branch: "b", head: null, pull_request: null, authorised_by: null, continuations: 0 };
    const stored = { ...aState(), github: { ...link, obeyed: "comment:30" } };
    expect(() => refuseObeyed("comment:30", stored)).toThrow("The loop has done already what comment:30 asks for.");
    expect(() => refuseObeyed("comment:31", stored)).not.toThrow();
    expect(() => refuseObeyed(null, stored)).not.toThrow();
    expect(() => refuseObeyed("comment:30", undefined)).not.toThrow();
  });
});

describe("what is asked of a PRD by hand", () => {
  test("nothing in particular", async () => {
    await using at = await withPrd();
    expect(await verify(at, undefined, "wendy")).toBeNull();
    expect(await verify(at, " ", "wendy")).toBeNull();
  });

  test("a person speaks for themselves, and may leave the name out", async () => {
    await using at = await withPrd();
    const text = '{"command":"prd","verb":"retry","story":"US-003","words":"use v2"}';
    expect(await verify(at, text, "wendy")).toEqual({
      ...{ prd: "billing", verb: "retry", story: "US-003", words: "use v2" },
      ...{ by: "person", asker: "wendy", request: null, head: null, branch: null, place: null },
    });
  });

  test("the run before this one lets it go on, and a program decides nothing about a story [C25]", async () => {
    await using at = await withPrd();
    const next = '{"command":"prd","prd":"billing","verb":"run","self":true,"head":"' + HEAD + '"}';
    expect(await verify(at, next)).toMatchObject({ prd: "billing", by: "trigger", asker: null, head: HEAD });
    expect(await verify(at, next, "wendy")).toMatchObject({ by: "trigger", asker: null });
    for (const verb of ["retry", "accept"]) {
      expect(await refusal(verify(at, order(null, { verb, self: true }), "wendy"))).toContain(`${verb} takes a person`);
      expect(await refusal(verify(at, order(null, { verb })))).toContain("REQUEST_NOT_ALLOWED");
      const next = { next: "Ask for it with /smithers prd, or start the workflow yourself." };
      await expect(verify(at, order(null, { verb }))).rejects.toMatchObject({ problems: [next] });
    }
  });

  test("several PRDs, a loop's command or a malformed one are refused", async () => {
    await using at = await withPrd("shop");
    const run = '{"command":"prd","verb":"run"}';
    expect(await refusal(verify(at, run, "wendy"))).toContain("NO_SUCH_PRD There are several PRDs on main");
    expect(await refusal(verify(at, "continue", "wendy"))).toContain("NOT_FOR_A_PRD continue is for a loop");
    expect(await refusal(verify(at, "prd", "wendy"))).toContain("REQUEST_FORGED The input smithers has a wrong verb");
  });

  test("cannot be verified without a token where something has to be asked", async () => {
    const asked = verifyPrdRequest(dispatched('{"command":"prd","verb":"run"}', "wendy"), undefined, []);
    expect(await refusal(asked)).toContain("REQUEST_UNVERIFIED");
  });
});
