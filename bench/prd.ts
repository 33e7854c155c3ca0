import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { pickStory } from "../src/core/story/pick.ts";
import { freshRecord } from "../src/core/story/stories.ts";
import { readDocument } from "../src/prd/document.ts";
import { renderStories, driftOf, withStories } from "../src/prd/markdown.ts";
import { tempFolder } from "../test/support/temp-folder.ts";
import { atMost, type Figure, median, plain } from "./figure.ts";
import { runSmithers } from "./smithers.ts";

const STORIES = 1_000;
const TIMES = 15;

/** What reading a large PRD costs each run of `smithers`, and writing it each iteration. */
export async function measurePrd(say: (line: string) => void): Promise<readonly Figure[]> {
  const text = document();
  const at = { name: "bench", folder: ".daedalus/prds/bench" };
  const [first, reading] = timed(() => readDocument(text, at));
  const { document: read } = readDocument(text, at);
  if (read === undefined) throw new Error("the document of the bench is refused");
  const marks = new Map([["US-500", { passes: false, inProgress: true }]]);
  const [, rendering] = timed(() => read.render(marks));
  const markdown = withStories("# Bench\n", read.prd);
  const [, comparing] = timed(() => driftOf(markdown, read.prd));
  const task = { ...read.prd, only: null, maxStories: null, storyAttempts: 3, onBlocked: "continue" } as const;
  // Half of them have passed, so that there is something to look up.
  const records = read.prd.stories
    .slice(0, STORIES / 2)
    .map(({ id, title }) => ({ ...freshRecord({ id, title, digest: "" }), state: "passed" as const }));
  const known = { prd: read.prd.name, total: STORIES, active: null, passed_in_run: 0, records };
  const [, picking] = timed(() => pickStory(task, known));
  if (pickStory(task, known)?.id !== "US-501") throw new Error("the picker of the bench picks another story");
  const setup = await setUp();
  say(`prd.json ${text.length >> 10} KiB, prd.md ${renderStories(read.prd).length >> 10} KiB`);
  return [
    atMost(`validation of ${STORIES} stories, and the picker`, reading + picking, "ms", 50),
    plain("the picker alone", picking, "ms"),
    atMost("git init, prd new and prd run until the agent starts", setup, "ms", 10_000),
    plain("the first one in a process", first, "ms"),
    plain("writing its marks", rendering, "ms"),
    plain("comparing prd.md with it", comparing, "ms"),
  ];
}

/**
 * From a folder with nothing in it to the first turn, in milliseconds: what is ours of the minute that D-09 allows.
 * Only the processes' ends are waited for: the agent notes when it is started.
 */
async function setUp(): Promise<number> {
  await using folder = await tempFolder("prd-");
  const cwd = path.join(folder.path, "shop");
  const noted = path.join(folder.path, "noted");
  await mkdir(noted);
  const started = path.join(noted, "started");
  const env = { ...process.env, XDG_STATE_HOME: folder.path, SMITHERS_PROVIDER_COMMAND: "" };
  const story = { id: "US-001", title: "Add a page", acceptanceCriteria: ["It is there"], priority: 1, passes: false };
  const prd = { project: "Shop", description: "A shop.", userStories: [{ ...story, description: "As a customer." }] };
  const agent = ["sh", "-c", `date +%s%3N > '${started}'`];
  const began = Date.now();
  await promisify(execFile)("git", ["init", "-q", cwd]);
  await writeFile(path.join(folder.path, "prd.json"), JSON.stringify(prd));
  await runSmithers(cwd, ["prd", "new", "shop", "--from", path.join(folder.path, "prd.json")], 0, env);
  const run = ["prd", "run", "shop", "--provider", "command", "--quality-commands", "true", "--max-iterations", "1"];
  run.push("--agent-access", `${noted}:rw`);
  await runSmithers(cwd, run, 2, { ...env, SMITHERS_PROVIDER_COMMAND: JSON.stringify(agent) });
  return Number(await readFile(started, "utf8")) - began;
}

/** The first time and the median of all, in milliseconds. */
function timed(work: () => unknown): readonly [number, number] {
  const took = Array.from({ length: TIMES }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return [took[0] ?? Number.NaN, median(took)];
}

/** Each story waits for the one before it, and gets a warning. */
function document(): string {
  const userStories = Array.from({ length: STORIES }, (_, index) => ({
    id: `US-${String(index + 1).padStart(3, "0")}`,
    title: `Add part ${index + 1} of the page`,
    description: "As a reader I want this part, so that I find what I am looking for. ".repeat(3),
    acceptanceCriteria: ["The page shows the part", "It is fast", "Its test passes", "The part has a title"],
    checks: [{ criterion: 3, run: `npm test -- part-${index + 1}`, timeout: 2 }],
    priority: index + 1,
    dependsOn: index === 0 ? [] : [`US-${String(index).padStart(3, "0")}`],
    paths: [`src/part-${index + 1}/**`],
    passes: false,
  }));
  return JSON.stringify({ project: "Bench", description: "A large PRD.", userStories }, null, 2);
}
