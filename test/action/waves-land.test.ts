import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aPrd, aStory, type LandStage, landStage, PRD_FILE } from "./land-stage.ts";

const STORIES = [aStory(1), aStory(2), aStory(3)];

let at: LandStage;
beforeEach(async () => {
  at = await landStage(STORIES);
});
afterEach(async () => at[Symbol.asyncDispose]());

describe("job: land", () => {
  test("of a wave in which one story fails, one conflicts and one passes, one lands and two begin again", async () => {
    await at.plan();
    await at.leave({ story: "US-001", loop: "prd-shop.us-001.1", files: { "1.txt": "1\n", "same.txt": "first\n" } });
    await at.leave({ story: "US-002", loop: "prd-shop.us-002.1", files: { "2.txt": "2\n", "same.txt": "second\n" } });
    await at.leave({ story: "US-003", loop: "prd-shop.us-003.1", files: { "other.txt": "3\n" } });
    const job = await at.land({ env: { SMITHERS_DISABLED: "false" } });
    expect(job.log).toContain("asked for");
    expect(job.conclusion).toBe("success");
    expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
    const tip = await at.ci.remote.git("rev-parse", "refs/heads/shop");
    const message = await at.ci.remote.git("log", "-1", "--format=%(trailers)", "refs/heads/shop");
    expect(message.trim().split("\n").toSorted()).toEqual([
      "Smithers-Loop: prd-shop.us-001.1",
      "Smithers-Prd: shop",
      "Smithers-Story: US-001",
    ]);
    const text = await at.ci.remote.git("show", `refs/heads/shop:${PRD_FILE}`);
    expect(`${text}\n`).toBe(aPrd([aStory(1, { passes: true }), aStory(2), aStory(3)]));
    expect(await at.entry("US-001")).toMatchObject({ state: "passed", passed: "proved", commit: tip, attempts: 0 });
    expect((await at.entry("US-001")).digest).toMatch(/^[0-9a-f]{16}$/u);
    expect(await at.entry("US-002")).toMatchObject({
      ...{ state: "pending", take: 2, attempts: 1, paths: ["2.txt", "same.txt"], blocked: null },
      feedback: expect.stringContaining("same.txt"),
    });
    expect(await at.entry("US-003")).toMatchObject({
      ...{ state: "pending", take: 2, attempts: 1, paths: ["other.txt"] },
      feedback: expect.stringContaining("test -f 3.txt"),
    });
    expect(await at.ledger()).toMatchObject({ idle_waves: 0, wave: { number: 1, is_open: false, next: "asked" } });
    for (const [loop, said] of [
      ["prd-shop.us-001.1", `has landed on \`shop\` as \`${tip.slice(0, 12)}\``],
      ["prd-shop.us-002.1", "has not landed"],
      ["prd-shop.us-003.1", "has not landed"],
    ] as const) {
      const pull = at.pullOf(`smithers/${loop}`);
      expect(pull).toMatchObject({ state: "closed" });
      expect(pull?.comments.join("\n")).toContain(said);
    }
    expect(
      await at.ci.remote.git("for-each-ref", "--format=%(refname)", "refs/smithers-loops", "refs/heads/smithers"),
    ).toBe(
      [
        ...["refs/heads/smithers/prd-shop.us-002.1", "refs/heads/smithers/prd-shop.us-003.1"],
        ...["refs/smithers-loops/prd-shop.us-002.1", "refs/smithers-loops/prd-shop.us-003.1"],
      ].join("\n"),
    );
    const report = at.ci.api.world.issues.find(({ pull }) => pull?.headBranch === "shop");
    expect(report).toMatchObject({ state: "open", title: "PRD shop: 1 of 3 stories passed", pull: { draft: true } });
    const [asked, ...more] = at.ci.api.world.dispatches;
    expect(more).toEqual([]);
    expect(JSON.parse(String(asked?.inputs["smithers"]))).toEqual({
      ...{ command: "prd", prd: "shop", verb: "run", branch: "shop", head: tip, self: true },
    });
    expect(at.ci.api.problems).toEqual([]);

    const again = await at.land();
    expect(again.conclusion).toBe("success");
    expect(await at.landed()).toHaveLength(1);
    expect(at.ci.api.world.dispatches).toHaveLength(1);
  });
});
