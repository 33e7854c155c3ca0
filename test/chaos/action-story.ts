import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { GO_ON } from "../support/ci/cancelled.ts";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import type { Job } from "../support/runner/runner.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { Draws } from "./draws.ts";
import type { Outcome } from "./story.ts";

/** What happens to one job, on a machine of its own. */
interface JobTrouble {
  readonly name: string;
  /** once the log has that many lines the machine is gone, or a person cancels the job */
  readonly ends?: { readonly how: "vanishes" | "is cancelled"; readonly lines: number };
  /** what fails until the job is over */
  readonly fails?: (ci: Ci) => void;
  /** whether another machine takes up the same loop beside it */
  readonly isDouble?: boolean;
}

const PERSON = "src/notes.md";

const SERVICES: Readonly<Record<string, (ci: Ci, times: number) => void>> = {
  "the API": ({ api }, times) => {
    for (const operation of OPERATIONS) api.fail(operation, { status: 502, body: { message: "Bad gateway" } }, times);
  },
  "the API drops": ({ api }, times) => {
    for (const operation of OPERATIONS) api.fail(operation, "drop", times);
  },
  git: ({ remote }, times) => {
    let left = times;
    remote.fault = () => (left-- > 0 ? { status: 503, text: "Service unavailable" } : undefined);
  },
  "git drops": ({ remote }, times) => {
    let left = times;
    remote.fault = () => (left-- > 0 ? "drop" : undefined);
  },
  "the results service": ({ results }, times) => {
    for (const method of METHODS) {
      for (let nth = 1; nth <= times; nth++) results.fail(method, "drop", nth);
    }
  },
};

const OPERATIONS = [
  "repos/get",
  "git/get-ref",
  "pulls/list",
  "pulls/create",
  "actions/get-workflow-run",
  "issues/add-labels",
];
const METHODS = ["CreateArtifact", "FinalizeArtifact", "CreateCacheEntry", "GetCacheEntryDownloadURL"];

function troubleOf(draws: Draws): JobTrouble {
  const kind = draws.one([
    "vanishes",
    "vanishes",
    "is cancelled",
    "fails",
    "fails and vanishes",
    "fails and vanishes",
    "two at once",
  ]);
  const lines = draws.between(3, 90);
  if (kind === "vanishes" || kind === "is cancelled")
    return { name: `${kind} at line ${lines}`, ends: { how: kind, lines } };
  if (kind === "two at once") return { name: kind, isDouble: true };
  const service = draws.one(["the API", "the API drops", "git", "git drops", "the results service"]);
  const times = draws.between(1, 4);
  const fails = (ci: Ci) => SERVICES[service]?.(ci, times);
  const name = `${service} fails ${times} times`;
  if (kind === "fails") return { name, fails };
  return { name: `${name} and it vanishes at line ${lines}`, fails, ends: { how: "vanishes", lines } };
}

/** Notes first which turn was paid for, on a disk that outlives the machine; then makes the next part. */
const AGENT = `echo "$1" >> "$2/turns"
mkdir -p parts
n=$(($(ls parts | wc -l) + 1))
printf 'part %s of iteration %s\\n' "$n" "$1" > "parts/$n.txt"
`;
const CHECK = `n=$(ls parts 2> /dev/null | wc -l)
echo "$n of $1 parts"
test "$n" -ge "$1"
`;

/** Tells the story of a seed in jobs of the Action, each on a machine of its own. */
export async function tellInJobs(seed: number): Promise<Outcome> {
  const draws = new Draws(seed);
  const iterations = draws.between(6, 10);
  const troubles = Array.from({ length: draws.between(2, 4) }, () => troubleOf(draws));
  await using beside = await tempFolder("chaos-");
  const turn = {
    commands: [`sh agent.sh {{iteration}} ${beside.path}`],
    lastMessage: "There is one more part.",
    usage: { input: 10, output: 1 },
  };
  const files = {
    "agent.sh": AGENT,
    "check.sh": CHECK,
    "agent.json": JSON.stringify({ turns: [turn] }),
    [PERSON]: "mine\n",
  };
  await using ci = await startCi({ files });
  const inputs = {
    ...{ prompt: "Make all the parts.", "loop-id": "chaos", provider: "scripted", script: "agent.json" },
    ...{ "success-sh": `sh check.sh ${iterations}`, "check-sandbox": "off", "agent-isolation": "off" },
    ...{ "full-auto": "true", "max-iterations": "40", "job-timeout-minutes": "60", "max-error-resumes": "100" },
  };
  let last: Job | undefined;
  let waits = false;
  const logs: string[] = [];
  const carried = new Set<string>();
  for (const trouble of [...troubles, undefined]) {
    // The next run publishes what a run could not.
    if (last?.outputs["status"] === "completed" && (await workOf(ci)).branch !== undefined) break;
    last = await runJobs(ci, waits ? { inputs, event: GO_ON } : { inputs }, trouble);
    waits = isWaiting(last) ?? waits;
    logs.push(last.log.slice(-6_000));
    for (const iteration of await endedIn(ci)) carried.add(iteration);
    ci.remote.fault = undefined;
    ci.results.heal();
    for (const operation of OPERATIONS) ci.api.fail(operation, "drop", 0);
  }
  const broken =
    last === undefined ? [] : await brokenBy(ci, last, { ...(await paid(beside.path)), carried, iterations });
  return {
    ...{ seed, broken, runs: logs.length },
    troubles: `Action, ${iterations} iterations: ${troubles.map(({ name }) => name).join(" | ")}`,
    said: broken.length === 0 ? "" : logs.join("\n--- next job ---\n"),
  };
}

/** Whether the loop waits for a person now, who then starts the next job; undefined: nobody can tell. */
function isWaiting({ outputs, conclusion }: Job): boolean | undefined {
  if (conclusion === "cancelled") return true;
  // Neither says how the loop stands: one said nothing, and another run had the other's loop.
  if (conclusion === "vanished" || outputs["stop-reason"] === "superseded") return undefined;
  return outputs["status"] === "paused_user_interrupt";
}

const record = z.looseObject({
  state: z.looseObject({ iterations: z.array(z.looseObject({ iteration: z.number(), agent: z.string() })) }),
});

/** The iterations whose turn had ended, as far as the loop's ref has come. */
async function endedIn(ci: Ci): Promise<readonly string[]> {
  const commit = await ci.refOf("chaos");
  if (commit === "") return [];
  const { state } = record.parse(JSON.parse(await ci.remote.git("show", `${commit}:record.json`)));
  return state.iterations.filter(({ agent }) => agent === "completed").map(({ iteration }) => String(iteration));
}

async function runJobs(ci: Ci, job: CiJob, trouble: JobTrouble | undefined): Promise<Job> {
  const run = async (): Promise<Job> => {
    await using machine = await ci.machine();
    const { ends } = trouble ?? {};
    const isDue = (log: string) => ends !== undefined && log.split("\n").length > ends.lines;
    return await machine.run({
      ...job,
      // No pause is shortened: with it would be what bounds a write, and who waits too little for it begins a turn unsure.
      env: { ...job.env, NODE_OPTIONS: "" },
      ...(ends?.how === "vanishes" ? { vanishWhen: isDue } : {}),
      ...(ends?.how === "is cancelled" ? { cancelWhen: isDue } : {}),
    });
  };
  trouble?.fails?.(ci);
  const [first, second] = await Promise.all([run(), ...(trouble?.isDouble === true ? [run()] : [])]);
  return second?.outputs["status"] === "completed" ? second : first;
}

/** What the story was to come to. */
interface Expected {
  /** the iterations for which the agent was begun, on any machine */
  readonly turns: readonly string[];
  /** those whose ended turn a carrier has had */
  readonly carried: ReadonlySet<string>;
  readonly iterations: number;
}

async function brokenBy(
  ci: Ci,
  { outputs, conclusion }: Job,
  { turns, carried, iterations: wanted }: Expected,
): Promise<readonly string[]> {
  const isDone = outputs["status"] === "completed" && conclusion === "success";
  const { branch, commits, partsOf } = await workOf(ci);
  const iterations = commits.flatMap(([first]) => (first !== undefined && /^\d+$/u.test(first) ? [first] : []));
  const made = commits.flatMap((lines) => lines.filter((line) => line.startsWith("parts/")));
  const lost = [...carried].filter((iteration) => !partsOf.includes(iteration));
  const person = commits.flat().filter((line) => line === PERSON);
  return [
    ...(isDone
      ? []
      : [`it ends as ${outputs["status"] ?? "nothing"} (${outputs["stop-reason"]}, the job: ${conclusion})`]),
    ...(new Set(turns).size === turns.length ? [] : [`the agent was paid twice: ${turns.join()}`]),
    ...(turns.every((turn) => Number(turn) <= Number(outputs["iterations"]))
      ? []
      : [`turns ${turns.join()} of ${outputs["iterations"]}`]),
    ...(branch === undefined ? ["there is no branch with the work"] : []),
    ...(made.length === wanted || !isDone ? [] : [`${made.length} files are in commits, ${wanted} were made`]),
    ...(new Set(made).size === made.length ? [] : [`a file is in two commits: ${made.join(", ")}`]),
    ...(new Set(iterations).size === iterations.length ? [] : [`an iteration has two commits: ${iterations.join()}`]),
    ...(lost.length === 0 || !isDone ? [] : [`turns that had ended are lost: ${lost.join()}`]),
    ...(person.length === 0 ? [] : ["a file of the person's is changed"]),
  ];
}

async function paid(beside: string): Promise<Pick<Expected, "turns">> {
  const text = await readFile(path.join(beside, "turns"), "utf8").catch(() => "");
  return { turns: text.split("\n").filter(Boolean) };
}

/** The commits of the work on GitHub, each as its iteration and its files, and the iterations that have made a part. */
async function workOf({ remote }: Ci) {
  const branches = (await remote.git("for-each-ref", "--format=%(refname)", "refs/heads")).split("\n");
  const branch = branches.find((name) => name !== "refs/heads/main");
  const format = "--format=%x00%(trailers:key=Smithers-Iteration,valueonly,separator=%x2C)";
  const log = branch === undefined ? "" : await remote.git("log", format, "--name-only", `main..${branch}`);
  const parts =
    branch === undefined ? "" : await remote.git("grep", "-h", "iteration", branch, "--", "parts").catch(() => "");
  return {
    branch,
    partsOf: [...parts.matchAll(/of iteration (\d+)$/gmu)].map(([, iteration]) => iteration),
    commits: log
      .split("\0")
      .slice(1)
      .map((text) => text.split("\n").filter((line) => line !== "")),
  };
}
