import path from "node:path";
import { mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Opening } from "../../src/core/open-loop.ts";
import type { Unpublished } from "../../src/core/state.ts";
import { applyRestored } from "../../src/carry/apply.ts";
import { createCarriers } from "../../src/carry/carriers.ts";
import { aCarriedRecord } from "../support/fake-carriers.ts";
import { aState } from "../views/a-state.ts";
import { COMPLETED, ended } from "../views/publication-facts.ts";
import { BRANCH, LOOP, publishStage, refusalOf } from "../publish/publish-stage.ts";

const PUBLISH: Opening = { do: "publish", because: null };
const ON_NO_BRANCH: Unpublished = { what: "branch", base: null, tip: null, kept_on: null };

/** What comes of applying the work of a completed loop of which no copy holds any. */
async function applyNothing(opening: Opening, unpublished: Unpublished): Promise<string> {
  await using at = await publishStage();
  const job = await at.job();
  await mkdir(path.dirname(job.place.stateFile), { recursive: true });
  const link = { branch: BRANCH, head: null, pull_request: null, authorised_by: null, obeyed: null, continuations: 0 };
  const state = aState({ loop_id: LOOP, ...ended(COMPLETED), github: { ...link, unpublished } });
  const copy = { from: "artifact", record: aCarriedRecord(1, { state }), bundle: undefined, proved: true };
  const { host, context, place, settings, teller } = job;
  const options = { host, context, place, config: settings.config, github: at.github, base: () => null };
  const carriers = await createCarriers(options, teller.notice);
  const restored = { ref: { answer: "absent" }, copy } as const;
  const applyWork = await applyRestored(restored, carriers, { stateKey: settings.config.stateKey, teller });
  return await refusalOf(applyWork(opening));
}

test("work to publish that cannot be read is not an empty success [C25]", async () => {
  expect(await applyNothing(PUBLISH, ON_NO_BRANCH)).toMatch(
    /^WORK_MISSING: The work of loop a-loop, which is not on its branch yet, .* no turn was spent\.$/u,
  );
});

test.each<[string, Opening, Unpublished]>([
  ["a branch holds it", PUBLISH, { ...ON_NO_BRANCH, kept_on: `${BRANCH}.run-1` }],
  ["it is on its branch", PUBLISH, { ...ON_NO_BRANCH, what: "pull_request" }],
  ["the loop begins anew", { do: "renew", generation: 2 }, ON_NO_BRANCH],
])("and is not needed where %s", async (_, opening, unpublished) => {
  expect(await applyNothing(opening, unpublished)).not.toContain("WORK_MISSING");
});
