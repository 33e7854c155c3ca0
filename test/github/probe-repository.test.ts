import { describe, expect, test } from "vitest";
import { probeCreation, probePush } from "../../src/github/probes.ts";
import { stage } from "./stage.ts";

const SETTING = "actions/get-github-actions-default-workflow-permissions-repository";

describe("whether the token's owner may push", () => {
  test.each([
    ["a person who may", { contents: "write" }, true, { right: "readable" }],
    [
      "a person who may not",
      { contents: "read" },
      true,
      {
        right: "missing",
        why: "whose token it is may only read",
        next: "Ask for write access to the repository, or use a fork of your own.",
      },
    ],
    [
      "of other tokens GitHub does not say so",
      { contents: "read" },
      false,
      { right: "unknown", because: "untold", why: "GitHub does not say so of this kind of token" },
    ],
  ] as const)("%s", async (_name, permissions, personal, right) => {
    await using at = await stage(permissions);
    expect((await probePush(at.patient(), personal)).right).toEqual(right);
  });

  test("to an archived repository nobody pushes", async () => {
    await using at = await stage({ contents: "write" });
    const { data } = await at.github().rest.repos.get({});
    at.api.fail("repos/get", { status: 200, body: { ...data, archived: true } });
    expect((await probePush(at.patient(), true)).right).toEqual({
      right: "missing",
      why: "the repository is archived",
      next: "Unarchive it.",
    });
  });
});

describe("whether GitHub Actions may create pull requests", () => {
  test("administrators are told", async () => {
    await using at = await stage({ administration: "read" });
    at.api.world.settings.actionsMayCreatePulls = true;
    expect((await probeCreation(at.patient())).right).toEqual({ right: "there" });
    at.api.world.settings.actionsMayCreatePulls = false;
    expect((await probeCreation(at.patient())).right).toMatchObject({
      right: "missing",
      why: "the repository's settings do not allow it",
    });
  });

  test("for all others that is unknown, not missing", async () => {
    await using at = await stage({ contents: "write", "pull-requests": "write" });
    const why = "only administrators are told";
    const unknown = { right: { right: "unknown", because: "untold", why }, aheadMs: null };
    expect(await probeCreation(at.patient())).toEqual(unknown);
    at.api.fail(SETTING, { status: 401, body: { message: "Bad credentials", documentation_url: "" } });
    expect(await probeCreation(at.patient())).toEqual(unknown);
    at.api.fail(SETTING, { status: 500, body: { message: "Oops", documentation_url: "" } });
    expect((await probeCreation(at.patient())).right).toMatchObject({ right: "unknown", because: "unreachable" });
  });
});
