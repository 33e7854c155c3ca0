import { mkdir } from "node:fs/promises";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { type Carriers, createCarriers } from "../../src/carry/carriers.ts";
import { checkpointsOf } from "../../src/carry/checkpoints.ts";
import type { RefWritten, Saved } from "../../src/core/carry.ts";
import { finish } from "../../src/job/finish.ts";
import { createJobReport } from "../../src/job/report.ts";
import { createRunnerLog } from "../../src/os/runner-log.ts";
import { writeState } from "../../src/store/state-file.ts";
import { BRANCH, LOOP, publishStage } from "../publish/publish-stage.ts";
import { fakeCarrier, fakeRef } from "../support/fake-carriers.ts";
import { aState } from "../views/a-state.ts";
import { COMPLETED, ended } from "../views/publication-facts.ts";

const OURS: RefWritten = { ok: true, value: { commit: "c1", notices: [] } };
const TAKEN: RefWritten = { ok: false, trouble: { kind: "superseded", because: "run 7 has it" } };
const FIRST = `smithers-${LOOP}-77-1`;
const called = (name: string): Saved => ({ ok: true, value: { artifact: { id: 7, name, run_id: 77 } } });
const lineOf = (name: string): string =>
  `gh run download 77 -R o/r -n ${name} -D ${name} && smithers report ${name} --open`;

interface Ends {
  /** absent: it has a branch of its own */
  readonly isAlone?: true;
  readonly serverUrl?: string;
  readonly written?: RefWritten;
  readonly saved?: Saved;
  readonly page?: Partial<NonNullable<Carriers["page"]>>;
}

/** Ends the loop of a job whose carriers answer so. @returns what people find of it, and what was uploaded as a page */
async function ends({ isAlone, serverUrl, written = OURS, saved = called(FIRST), page = {} }: Ends) {
  await using at = await publishStage();
  const job = await at.job();
  const branch = isAlone ? undefined : await at.checkOut(job);
  await at.work("a.txt");
  const { context, host, place, settings, teller } = job;
  const { config } = settings;
  const link = { branch: BRANCH, head: null, pull_request: null, authorised_by: null, obeyed: null };
  const stopped = aState({ loop_id: LOOP, github: { ...link, continuations: 0 }, ...ended(COMPLETED) });
  await mkdir(path.dirname(place.stateFile), { recursive: true });
  await writeState(place.stateFile, stopped, Promise.resolve());
  const pages: string[] = [];
  const real = await createCarriers({ host, context, place, config, github: at.github, base: () => null }, () => {});
  const upload = async (html: string) => {
    pages.push(html);
    return { ok: true, value: 12 } as const;
  };
  let isEnded = false;
  const end = async () => void (isEnded = true);
  const carriers: Carriers = {
    ...real,
    ref: { ...fakeRef({ answer: "absent" }), write: async () => written },
    artifact: fakeCarrier("artifact", { saved }),
    cache: undefined,
    page: { inside: FIRST, byHand: false, upload, end, ...page },
  };
  const note = async () => {};
  const noting = { follows: null, seen: true, since: null, note, notice: () => {}, withinMs: 1_000 };
  const checkpoints = checkpointsOf(carriers, noting);
  const report = createJobReport(
    { ...context, ...(serverUrl && { serverUrl }) },
    place,
    config,
    [],
    createRunnerLog(new PassThrough().resume()),
  );
  const github = at.github;
  const publishing = { context, place, config, github, teller, branch, view: report.view, disabled: null };
  const { state } = await finish(
    stopped,
    { carriers, checkpoints, note, report, publishing, requests: undefined },
    60_000,
  );
  // Nothing waits for another call of the toolkit then.
  expect(isEnded).toBe(true);
  return { pages, state, comment: at.api.world.comments[0]?.body ?? "" };
}

test("a run that hears at its end that another has the loop shows no page of it [C137]", async () => {
  const { pages, state, comment } = await ends({ written: TAKEN });
  expect([pages, comment]).toEqual([[], ""]);
  expect(state.stop_reason).toMatchObject({ kind: "superseded" });
});

test("without anything on GitHub its page is shown as well [C137]", async () => {
  const { pages, comment } = await ends({ isAlone: true });
  expect([pages.length, comment]).toEqual([1, ""]);
});

test.each<[what: string, how: Ends, says: string | null]>([
  ["at an address of its own", {}, "/actions/runs/77/artifacts/12)"],
  [
    "in the loop's artifact",
    { page: { upload: undefined } },
    `/o/r/actions/runs/77/artifacts/7), downloaded and opened by \`${lineOf(FIRST)}\``,
  ],
  [
    "in an artifact whose name was taken",
    { page: { upload: undefined }, saved: called(`${FIRST}.2`) },
    `\`${lineOf(`${FIRST}.2`)}\``,
  ],
  [
    "nowhere, because the artifact was refused",
    { page: { upload: undefined }, saved: { ok: false, trouble: { because: "refused" } } },
    null,
  ],
  [
    "in an artifact of a server that gh does not know",
    { page: { upload: undefined, byHand: true }, saved: called(`${FIRST}.2`) },
    `download this run's artifact \`${FIRST}.2\`, then \`smithers report ${FIRST}.2.zip --open\``,
  ],
])("when all is over the comment says where the page is: %s [C137]", async (_, how, says) => {
  const { comment, pages } = await ends(how);
  expect(pages).toHaveLength(how.page === undefined ? 1 : 0);
  expect(comment).toContain("`completed`");
  const told = comment.split("\n\n").filter((block) => block.includes("Report"));
  expect(told).toHaveLength(says === null ? 0 : 1);
  expect(told.join("")).toContain(says ?? "");
});

test("gh is told the host of a server that is not GitHub.com [C137]", async () => {
  expect((await ends({ serverUrl: "https://octo.ghe.com", page: { upload: undefined } })).comment).toContain(
    " -R octo.ghe.com/o/r -n ",
  );
});
