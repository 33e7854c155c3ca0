import { describe, expect, test } from "vitest";
import { findLabelEvent, readLabelEvent } from "../../src/requests/issue-events.ts";
import { anAccount, type Asking, asking } from "../support/asking.ts";
import { anIssueEvent, moment } from "../support/github-api/server.ts";

const find = (at: Asking, login = "wendy") =>
  findLabelEvent(at.github, { number: 7, label: "smithers:continue", login });

describe("the event of a label", () => {
  test("the newest by that person is found, among many", async () => {
    await using at = await asking();
    for (let id = 1000; id < 1205; id += 1) at.api.world.issueEvents.push(anIssueEvent({ id, issue: 7, label: "bug" }));
    at.api.world.issueEvents.push(anIssueEvent({ id: 1900, issue: 7, author: "wendy" }));
    expect(await find(at)).toMatchObject({ ok: true, value: { id: 1900 } });
    for (let id = 2000; id < 2100; id += 1)
      at.api.world.issueEvents.push(anIssueEvent({ id, issue: 7, author: "wendy" }));
    at.api.world.issueEvents.push(anIssueEvent({ id: 3000, issue: 7, label: "bug" }));
    expect(await find(at)).toMatchObject({ ok: true, value: { id: 2099, actor: anAccount("wendy") } });
  });

  test("one that somebody else put on is waited for in vain, and a GitHub that fails says so", async () => {
    await using at = await asking();
    await at.label("smithers:continue", "alice");
    const impatient = { ...at.github, signal: AbortSignal.timeout(300) };
    const wanted = { number: 7, label: "smithers:continue", login: "wendy" };
    expect(await findLabelEvent(impatient, wanted)).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
    at.api.fail("issues/list-events", { status: 500, body: { message: "Oops" } });
    expect(await find(at)).toMatchObject({ ok: false, trouble: { because: "GitHub answered 500 (Oops)" } });
  });

  test("one is read by its id, with the pull request that it is on", async () => {
    await using at = await asking();
    const id = await at.label("smithers:cancel", "tom");
    expect(await readLabelEvent(at.github, id)).toEqual({
      ok: true,
      value: {
        id,
        event: "labeled",
        label: "smithers:cancel",
        actor: anAccount("tom"),
        at: moment(30).getTime(),
        number: 7,
      },
    });
    at.api.world.issueEvents.push(anIssueEvent({ id: 99, issue: 7, event: "unlabeled" }));
    expect(await readLabelEvent(at.github, 99)).toEqual({ ok: true, value: null });
    expect(await readLabelEvent(at.github, 98)).toMatchObject({ ok: false, trouble: { kind: "absent" } });
  });
});
