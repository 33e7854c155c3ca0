import path from "node:path";
import { mkdir, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Opening } from "../../src/core/open-loop.ts";
import type { Unpublished } from "../../src/core/state.ts";
import { applyRestored } from "../../src/carry/apply.ts";
import { createCarriers } from "../../src/carry/carriers.ts";
import { readState } from "../../src/store/state-file.ts";
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
  const restored = { ref: { answer: "absent" }, copy, unanswered: [] } as const;
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
  ["the loop starts over", { do: "renew", generation: 2 }, ON_NO_BRANCH],
])("and is not needed where %s", async (_, opening, unpublished) => {
  expect(await applyNothing(opening, unpublished)).not.toContain("WORK_MISSING");
});

const SESSION = "0199f5a0-1111-7000-8000-000000000001";

/** Applies a copy without its files on a machine. @param has whether the agent has kept the session there */
async function applyState(has: boolean) {
  await using at = await publishStage();
  const job = await at.job();
  const { host, context, place, settings } = job;
  await mkdir(path.dirname(place.stateFile), { recursive: true });
  const base = aState({ loop_id: LOOP });
  const state = { ...base, codex: { ...base.codex, session_id: SESSION, session_iterations: 3 } };
  const lines: string[] = [];
  const teller = { ...job.teller, line: (text: string) => lines.push(text) };
  const config = { ...settings.config, provider: "codex" } as const;
  const made = await createCarriers({ host, context, place, config, github: at.github, base: () => null }, () => {});
  const carriers = { ...made, places: { ...made.places, sessionsFolder: path.join(place.folder, "agent/sessions") } };
  const folder = path.join(carriers.places.sessionsFolder, "2026/11/20");
  await mkdir(folder, { recursive: true });
  if (has) await writeFile(path.join(folder, `rollout-2026-11-20T03-00-00-${SESSION}.jsonl`), "{}\n");
  const copy = { from: "ref", record: aCarriedRecord(1, { state }), bundle: undefined, proved: false };
  await applyRestored({ ref: { answer: "absent" }, copy, unanswered: [] }, carriers, { stateKey: null, teller });
  return { lines, state: await readState(place.stateFile) };
}

test("a session that is not on this machine is not resumed: the log says that a fresh session comes [C57]", async () => {
  const { lines, state } = await applyState(false);
  expect(lines).toContainEqual(expect.stringContaining("begins a fresh session"));
  expect(state?.codex).toMatchObject({ session_id: null, session_iterations: 0 });
});

test("a session that this machine has is resumed, though it did not travel [C57]", async () => {
  const { lines, state } = await applyState(true);
  expect(lines.join("\n")).not.toContain("fresh session");
  expect(state?.codex).toMatchObject({ session_id: SESSION, session_iterations: 3 });
});
