import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { decodeManifest, encodeManifest, BUNDLE_LIMITS, type Manifest } from "../../src/carry/manifest.ts";
import { OperationalError } from "../../src/core/errors.ts";
import { testRecord } from "../../src/core/progress/test-changes.ts";
import { parsedJson } from "../../src/core/text.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import { keptCredentials } from "../../src/git/kept-credentials.ts";
import { readContext } from "../../src/github/context.ts";
import { cacheKey, parseRecord, recordText } from "../../src/store/carried-record.ts";
import { carryNote } from "../../src/store/carry-note.ts";
import { withKept } from "../../src/config/kept.ts";
import { SETTING_BY_NAME } from "../../src/config/settings.ts";
import { UsageError } from "../../src/core/errors.ts";
import { readKept } from "../../src/store/kept-settings.ts";
import { readConsent } from "../../src/store/consents.ts";
import { HandOver } from "../../src/store/hand-over.ts";
import { jobPlaceOf } from "../../src/store/place.ts";
import { readEvents } from "../../src/store/read-events.ts";
import { decodeState, encodeState } from "../../src/store/state-file.ts";
import { sha256 } from "../../src/os/digest.ts";
import {
  aBlock,
  aClaim,
  aHit,
  aLastTurn,
  aLoopStarted,
  anIterationRecord,
  aState,
  aTodo,
  aVerdict,
} from "../../test/support/builders.ts";
import { aCarriedRecord, aPointer } from "../../test/support/fake-carriers.ts";
import { githubContext } from "../../test/support/runner/context.ts";
import { mutated, mutatedJson } from "../mutate.ts";
import { hold, target, unless } from "../target.ts";
import { workFolder } from "../work-folder.ts";

const FULL = aState({
  revision: 7,
  last_turn: aLastTurn({ claim: aClaim({ notes: ["done: a"], block: aBlock({ other: { LATER: "x" } }) }) }),
  verdict: aVerdict(),
  iterations: [anIterationRecord(), anIterationRecord()],
  todo: aTodo({ seen: [aHit()] }),
});
/** The first form of a state file, which has no `schema`. */
const OLD = {
  ...{ loop_id: "old", created_at: "2025-01-01T00:00:00+00:00", workspace_root: "/w", prompt: "Fix it." },
  ...{ completion_promise: "COMPLETE", promise_mode: "tag", max_iterations: 9, iteration: 2, status: "running" },
  codex: { session_id: null, model: "m", sandbox: null },
  todo: { path: "TODO.md", hard_stop_token: "HARD STOP", hard_stop_mode: "pause", paused_for_hard_stop: false },
  artifacts: { dir: "x", last_message_path: null, jsonl_path: null, summary_json_path: "s.json" },
  last_result: { exit_code: 0, detected_promise: false },
};
const STATES = [encodeState(aState()), encodeState(FULL), JSON.stringify(OLD)];

export const states = target({
  name: "states",
  covers: ["store/state-file.ts#decodeState", "store/state-file.ts#parseState", "store/seed-form.ts#migrateSeedForm"],
  draw: (random) =>
    mutatedJson(random, {
      seeds: STATES,
      words: ["running", "completed", "paused", "promise", "2026-03-01T12:00:00+00:00"],
    }),
  check(text) {
    const state = unless(OperationalError, () => decodeState(text, "a file"));
    if (state === undefined) return;
    const again = unless(OperationalError, () => encodeState(state));
    hold(
      again === undefined ||
        isDeepStrictEqual(JSON.parse(encodeState(decodeState(again, "a file"))), JSON.parse(again)),
      "a state is read as it was written",
    );
  },
});

const RECORDS = [
  recordText(aCarriedRecord(7, { state: FULL, bulk: aPointer(7, { digest: "a".repeat(64) }), base: "b".repeat(40) })),
  recordText(aCarriedRecord(0)),
];

export const records = target({
  name: "records",
  covers: ["store/carried-record.ts#parseRecord"],
  draw: (random) =>
    mutatedJson(random, { seeds: RECORDS, words: ["../x", "a-loop", "c".repeat(40), "2026-03-01T12:00:00Z"] }),
  check(text) {
    const json = parsedJson(text);
    const record = unless(OperationalError, () => parseRecord(json, "the ref"));
    if (record === undefined) return;
    hold(
      isDeepStrictEqual(parseRecord(JSON.parse(recordText(record)), "the ref"), record),
      "a record is read as it was written",
    );
    hold(/^smithers-v1-[A-Za-z0-9._-]+-\d+-\d+-\d+$/u.test(cacheKey(record)), "it makes a plain key");
  },
});

function manifestWith(files: readonly string[]): string {
  const listed = files.map((name, i) => ({ path: name, bytes: i * 100, sha256: sha256(name) }));
  return encodeManifest({
    schema: 1,
    record: aCarriedRecord(7),
    sealed: files.length > 3,
    origin: null,
    files: listed,
  } satisfies Manifest);
}
const SESSION = "sessions/2026/11/20/rollout-2026-11-20T03-00-00-0199f5a0-1111-7000-8000-000000000001.jsonl";
const MANIFESTS = [
  manifestWith(["loop/state.json", "loop/events.jsonl", SESSION]),
  manifestWith(["loop/events_iter_1.jsonl", "loop/last_message_iter_1.txt", "loop/prompt.txt", "loop/work.bundle"]),
];

export const manifests = target({
  name: "manifests",
  covers: ["carry/manifest.ts#decodeManifest", "carry/manifest.ts#isCarried"],
  draw: (random) =>
    mutatedJson(random, {
      seeds: MANIFESTS,
      words: [
        "loop/../x",
        "/etc/passwd",
        SESSION,
        "sessions/../../x",
        "loop/.git/config",
        "loop/state.json\0",
        "sessions/a\\..\\b",
      ],
    }),
  check(text) {
    const manifest = unless(OperationalError, () => decodeManifest(text, "the cache"));
    if (manifest === undefined) return;
    hold(manifest.files.length <= BUNDLE_LIMITS.files, "it names few files");
    hold(manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) <= BUNDLE_LIMITS.bytes, "they are small");
    for (const { path: name } of manifest.files)
      hold(
        /^(?:loop|sessions)\//u.test(path.posix.normalize(name)) && !/[\0\\]|\.\./u.test(name),
        "they stay in their folder",
      );
    hold(
      isDeepStrictEqual(decodeManifest(encodeManifest(manifest), "x"), manifest),
      "a manifest is read as it was written",
    );
  },
});

const NOTES = [
  '{"follows":"c","seen":true,"sent":["n"],"base":null,"branch":{"name":"b","tip":null,"head":null},"carried":3}',
];
const TESTS = [
  '{"schema":1,"iteration":1,"files":[{"path":"a.test.ts","role":"test","bytes":1,"blob":"b","marks":null}],"complete":true}',
];
const KEPT = [
  '{"keys":[{"file":"/f","key":"k","values":["v"],"left":[]}],"files":[{"file":"/g","mode":384,"content":"eA=="}]}',
];

export const notes = target({
  name: "notes",
  covers: [
    "store/carry-note.ts#carryNote",
    "core/progress/test-changes.ts#testRecord",
    "git/kept-credentials.ts#keptCredentials",
  ],
  draw: (random) => mutatedJson(random, { seeds: [...NOTES, ...TESTS, ...KEPT], words: ["test", "support"] }),
  check(text) {
    for (const schema of [carryNote, testRecord, keptCredentials]) {
      const read = schema.safeParse(parsedJson(text), { jitless: true });
      if (read.success) hold(again(schema, read.data) === JSON.stringify(read.data), "it is read as it was written");
    }
  },
});

function again(schema: { parse(json: unknown): unknown }, data: unknown): string {
  return JSON.stringify(schema.parse(JSON.parse(JSON.stringify(data))));
}

/** A job whose main has handed something over, and what its file says. */
async function handedOver() {
  const temp = mkdtempSync(path.join(workFolder(), "hand-over-"));
  const workspace = path.join(temp, "r");
  const env: Record<string, string> = {
    ...{ GITHUB_ACTIONS: "true", RUNNER_TEMP: temp, PATH: "/usr/bin:/bin", "INPUT_GITHUB-TOKEN": "t0ken-of-this-job" },
    ...githubContext({ workspace, run_id: "7", repository: "o/r" }),
  };
  const { config } = resolveSettings({ flags: {}, env, inputs: env });
  await HandOver.begin(env, readContext(env), jobPlaceOf(temp, workspace, "a-loop", null), config);
  const { globSync, readFileSync } = await import("node:fs");
  const [file = ""] = globSync(path.join(temp, "smithers/hand-over/*/hand-over.json"));
  return { env, file, text: readFileSync(file, "utf8") };
}
const Sealed = z.object({ body: z.string(), mac: z.string() });
let handed: ReturnType<typeof handedOver> | undefined;

export const handOvers = target({
  name: "hand-overs",
  covers: ["store/hand-over.ts#HandOver"],
  // The text that main wrote is another in every run: what is done to it is drawn, on a text that is always the same.
  // A body takes ten kilobytes, and what is larger than eight megabytes is not read.
  draw: (random) => ({
    like: mutatedJson(random, { seeds: ['{"body":"BODY","mac":"MAC"}'], words: ["BODY", "MAC"] }).slice(0, 1_000),
  }),
  async check({ like }) {
    const { env, file, text } = await (handed ??= handedOver());
    const { body, mac } = Sealed.parse(JSON.parse(text));
    const forged = like.replaceAll("BODY", JSON.stringify(body).slice(1, -1)).replaceAll("MAC", mac);
    writeFileSync(file, forged);
    const read = await HandOver.read(env);
    hold(read !== "absent", "what is there is seen");
    const told = Sealed.safeParse(parsedJson(forged)).data;
    hold(read === "unproved" || (told?.body === body && told.mac === mac), "only main's own words are believed");
  },
});

const EVENTS = [
  `${JSON.stringify(aLoopStarted())}\n{"type":"turn_started","at":"x"}\n{"type":"constructor"}\n`,
  '{"type":"settled"}\n{"type":"loop_stopped","reason":{"kind":"blocked"}}\nnull\n[]\n{"type":"rese',
];

export const histories = target({
  name: "histories",
  covers: ["store/read-events.ts#readEvents", "store/consents.ts#readConsent", "store/kept-settings.ts#readKept"],
  draw: (random) => ({
    events: mutated(random, { seeds: EVENTS, words: ['{"type":"reset"}', '"type"', "loop_started", "\n"] }),
    consent: mutatedJson(random, {
      seeds: ['{"schema":1,"workspace":"/w","subject":".smithers.toml","digest":"d","at":"2026"}'],
      words: ["/w"],
    }),
    kept: mutatedJson(random, {
      seeds: [
        '{"schema":1,"workspace":"/w","subject":"s.json","loop_id":"a","holds":{"model":{"value":"m","from":"flag"}},"said":{"file":{"retries":1}}}',
      ],
      words: ["/w", "sandbox", "danger-full-access", "pass-env", "__proto__"],
    }),
  }),
  async check({ events, consent, kept }) {
    const folder = path.join(workFolder(), `histories-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "events.jsonl"), events);
    for await (const event of readEvents({ folder, stateFile: path.join(folder, "state.json") }))
      hold(/^[a-z]+(?:_[a-z]+)?$/u.test(event.type), "only known events come out");
    const of = { workspace: "/w", subject: ".smithers.toml" };
    writeFileSync(path.join(folder, `${sha256(JSON.stringify([of.workspace, of.subject]))}.json`), consent);
    const found = await readConsent(folder, of);
    hold(
      found === undefined || (found.workspace === "/w" && typeof found.digest === "string"),
      "a consent is for one workspace",
    );
    const loop = { workspace: "/w", subject: "s.json", loopId: "a" };
    writeFileSync(path.join(folder, `${sha256(JSON.stringify([loop.workspace, loop.subject]))}.json`), kept);
    const remembered = await readKept(folder, loop);
    if (remembered === undefined) return;
    // Danger is refused, whatever it comes with.
    const layers = unless(UsageError, () => withKept([], remembered)) ?? [];
    for (const layer of layers)
      for (const [name, { value }] of layer)
        hold(SETTING_BY_NAME.has(name) && value !== "danger-full-access", "only settings come out, and no danger");
  },
});
