import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ci } from "../support/ci/ci.ts";
import { savePoint } from "../support/ci/save-point.ts";
import { aStory, type LandStage, landStage } from "./land-stage.ts";

/** Writes of a closing job that lands one story and sends another one back. */
const WRITES = 16;

let at: LandStage;
let again: () => Promise<void>;

beforeAll(async () => {
  at = await landStage([aStory(1), aStory(2), aStory(3, { dependsOn: ["US-002"] })]);
  await at.plan();
  await at.leave({ story: "US-001", loop: "prd-shop.us-001.1", files: { "1.txt": "1\n", "same.txt": "a\n" } });
  await at.leave({ story: "US-002", loop: "prd-shop.us-002.1", files: { "2.txt": "2\n", "same.txt": "b\n" } });
  again = await savePoint(at.ci);
});
afterAll(async () => at[Symbol.asyncDispose]());

/**
 * After this many writes nothing reaches GitHub any more, as when the machine is gone.
 *
 * @returns what lets others reach it again, and how many writes there were
 */
function vanishAfter({ remote, api }: Ci, most: number) {
  const before = api.requests.length;
  let pushes = 0;
  const writes = (): number => {
    const sent = api.requests.slice(before).filter(({ method, path, login }) => {
      return method !== "GET" && login !== "" && !path.endsWith("/graphql");
    });
    return pushes + sent.length;
  };
  remote.fault = ({ method, url }) => {
    if (writes() >= most) return "drop";
    if (method === "POST" && url.endsWith("git-receive-pack")) pushes += 1;
    return undefined;
  };
  const { tokens } = api.world;
  const get = tokens.get.bind(tokens);
  tokens.get = (name) => (writes() >= most ? undefined : get(name));
  return () => {
    const made = writes();
    remote.fault = undefined;
    tokens.get = get;
    return made;
  };
}

describe("a closing job that is killed after a write", () => {
  test.each(Array.from({ length: WRITES }, (_, at) => at))(
    "after %s, and run again, lands each story once",
    async (most) => {
      await again();
      const back = vanishAfter(at.ci, most);
      const first = await at.land();
      back();
      const second = await at.land(most % 2 === 0 ? {} : { github: { run_id: "8002" } });
      expect(second.conclusion).toBe("success");
      expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
      expect(await at.entry("US-001")).toMatchObject({ state: "passed", attempts: 0, take: 1 });
      expect(await at.entry("US-002")).toMatchObject({ state: "pending", attempts: 1, take: 2 });
      expect(await at.ledger()).toMatchObject({ idle_waves: 0, wave: { number: 1, is_open: false, next: "asked" } });
      for (const loop of ["prd-shop.us-001.1", "prd-shop.us-002.1"]) {
        const pull = at.pullOf(`smithers/${loop}`);
        expect(pull).toMatchObject({ state: "closed" });
        expect(pull?.comments).toHaveLength(1);
      }
      const reports = at.ci.api.world.issues.filter(({ pull }) => pull?.headBranch === "shop");
      expect(reports).toHaveLength(1);
      // One that was asked for and not written down is asked for again, and finds the wave begun.
      expect([1, 2]).toContain(at.ci.api.world.dispatches.length);
      expect(first.conclusion).not.toBe("vanished");
    },
    200_000,
  );
});
