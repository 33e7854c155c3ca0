import { isDeepStrictEqual } from "node:util";
import { controlRefOf, requestIn } from "../../src/core/control-requests.ts";
import { UsageError } from "../../src/core/errors.ts";
import { isLoopId } from "../../src/core/names.ts";
import { readCommand, TEXT_LIMIT } from "../../src/core/policy/command.ts";
import { isPrdName, isStoryId } from "../../src/core/story/story.ts";
import { readContext } from "../../src/github/context.ts";
import { readEventPayload } from "../../src/github/event-payload.ts";
import { dispatchedWith, readInput, writeInput } from "../../src/github/intent-input.ts";
import { isPassing, refusalOf, saidIn, statusOf } from "../../src/github/refusal.ts";
import { readIntent } from "../../src/requests/intent.ts";
import { standingOf } from "../../src/requests/prd-standing.ts";
import { storiesIn } from "../../src/requests/prds.ts";
import { prdStatusReply } from "../../src/views/github/prd-status.ts";
import { githubContext } from "../../test/support/runner/context.ts";
import { mutated, mutatedJson } from "../mutate.ts";
import { hold, target, unless } from "../target.ts";

const ANN = { login: "ann", type: "User" };
const AT = "2026-11-21T08:00:00Z";
const REPOSITORY = { id: 1, private: true, visibility: "private", default_branch: "main" };
const HEAD = { sha: "b".repeat(40), ref: "fix", repo: { id: 1, full_name: "o/r" } };
const PAYLOADS = [
  {
    action: "created",
    comment: { id: 5, body: "/smithers continue and hurry", user: ANN, created_at: AT },
    issue: { number: 7, pull_request: {} },
    sender: ANN,
    repository: REPOSITORY,
  },
  {
    action: "labeled",
    label: { name: "smithers:continue" },
    pull_request: { number: 7, head: HEAD },
    sender: ANN,
    repository: REPOSITORY,
  },
  {
    action: "completed",
    workflow_run: {
      id: 9,
      name: "CI",
      path: ".github/workflows/ci.yml@main",
      conclusion: "failure",
      head_sha: "b".repeat(40),
      head_branch: "fix",
      head_repository: { id: 1 },
      actor: ANN,
      triggering_actor: ANN,
      pull_requests: [{ number: 7, base: { repo: { id: 1 } } }],
      updated_at: AT,
    },
    sender: ANN,
    repository: REPOSITORY,
  },
  {
    inputs: { smithers: '{"command":"continue","loop":"a-loop","pr":7,"request":"comment:5"}' },
    sender: ANN,
    repository: REPOSITORY,
  },
].map((payload) => JSON.stringify(payload));
const WORDS = [
  "/smithers ",
  "continue",
  "start",
  "cancel",
  "smithers:cancel",
  "[bot]",
  "completed",
  "failure",
  "created",
  "labeled",
  AT,
];
const EVENTS = ["issue_comment", "pull_request", "workflow_run", "workflow_dispatch", "schedule", "constructor"];

export const webhooks = target({
  name: "webhooks",
  covers: [
    "github/event-payload.ts#readEventPayload",
    "requests/intent.ts#readIntent",
    "requests/intent.ts#commandOf",
    "github/intent-input.ts#dispatchedWith",
  ],
  draw: (random) => ({ json: mutatedJson(random, { seeds: PAYLOADS, words: WORDS }), eventName: random.one(EVENTS) }),
  check({ json, eventName }) {
    const event = readEventPayload(json);
    hold(
      Object.values(event.inputs).every((text) => typeof text === "string"),
      "inputs are texts",
    );
    const seen = { eventName, event, repository: { owner: "o", name: "r", id: 1 } };
    const read = readIntent(seen, ["smithers.yml"]);
    if (read.kind === "asked") {
      const { intent } = read;
      hold(event.sender !== null && intent.actor === event.sender, "somebody asks");
      const text = intent.command === "prd" ? intent.ask.words : intent.text;
      hold(text.length <= TEXT_LIMIT && !/[\u200B\u202E\u2066\uFEFF]|<!--/u.test(text), "words are seen, and few");
      hold(intent.way !== "comment" || event.action === "created", "an edited comment asks nothing");
      hold(intent.fork || intent.way === "comment" || json.includes('"id":1'), "a fork is known as one");
      hold(intent.at === null || Number.isFinite(intent.at), "a moment is one");
    }
    const input = dispatchedWith(seen);
    hold(input === null || eventName === "workflow_dispatch", "only a dispatch dispatches");
  },
});

const COMMENTS = [
  "/smithers continue Look at the parser.\nAnd at <!-- hidden --> tests.",
  "/smithers pause",
  "/smithers prd checkout-2",
  "/smithers prd checkout-2 retry US-001 Use the new API.\nAnd <!-- hidden --> test it.",
  "/smithers prd accept US-0012",
  "/smithers start\r\nDo this.\r\n> /smithers cancel",
  "<!-- --> /smithers stop\u200B\n/smithers cancel",
  "Thanks! /smithers continue",
];

export const comments = target({
  name: "comments",
  covers: ["core/policy/command.ts#readCommand", "core/policy/prd-ask.ts#readPrdAsk"],
  draw: (random) =>
    mutated(random, {
      seeds: COMMENTS,
      words: [
        "/smithers ",
        "continue",
        "cancel",
        "pause",
        "prd ",
        "retry ",
        "run",
        "US-001 ",
        "../x",
        "<!--",
        "-->",
        "\u2028",
        "\u200B",
        "\n/smithers stop",
      ],
    }),
  check(body) {
    const read = readCommand(body);
    if (read.kind === "malformed")
      hold(read.reason.length < 400 && !read.reason.includes("\n"), "a reason is one line");
    if (read.kind !== "command") return;
    hold(body.startsWith("/smithers "), "a command is the very beginning");
    const text = read.command === "prd" ? read.ask.words : read.text;
    hold(text.length <= TEXT_LIMIT && text === text.trim(), "its text is bounded");
    hold(!/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u.test(text), "nothing in it is hidden");
    hold(!/^\s*\/smithers(?![\w-])/imu.test(text.split("\n").slice(1).join("\n")), "there is one command");
    if (read.command === "prd") {
      const { name, verb, story } = read.ask;
      hold(name === null || (/^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(name) && !name.includes("..")), "a PRD is a name");
      hold((story === null) === (verb === "run" || verb === "status"), "a story is named where one is meant");
      hold(story === null || /^US-\d+$/u.test(story), "a story is an id");
      hold(verb === "retry" || text === "", "nothing but retry takes words");
    } else if (!["continue", "start"].includes(read.command)) hold(text === "", "nothing else takes words");
  },
});

const INPUTS = [
  '{"command":"continue","loop":"a-loop","pr":7,"head":"' + "a".repeat(40) + '","request":"label:12","self":true}',
  '{"command":"start","request":"run:9"}',
  '{"command":"prd","prd":"checkout-2","verb":"retry","story":"US-001","request":"comment:9"}',
  "cancel",
  " status ",
];

export const dispatches = target({
  name: "dispatches",
  covers: [
    "github/intent-input.ts#readInput",
    "core/control-requests.ts#requestIn",
    "core/control-requests.ts#controlRefOf",
  ],
  draw: (random) => ({
    text: mutatedJson(random, {
      seeds: INPUTS,
      words: ["continue", "prd", "accept", "../x", "a..b", "x.lock", "comment:1", "run:0"],
    }),
    ref: mutated(random, {
      seeds: ["pause/ann-12", "cancel/dependabot.bot-3", "stop/a_b-00"],
      words: ["pause/", "..", "-1", "[bot]", ".bot"],
    }),
  }),
  check({ text, ref }) {
    const read = readInput(text);
    if (read.ok) {
      const { loop, head, request, prd } = read.value;
      hold((prd === null) === (read.value.command !== "prd"), "a PRD is asked by its command");
      hold(prd === null || prd.name === null || isPrdName(prd.name), "a PRD's name is no path");
      hold(prd === null || prd.story === null || isStoryId(prd.story), "a story is an id");
      hold(
        loop === null || (isLoopId(loop) && !loop.includes("..") && !loop.includes("/")),
        "a loop's name is no path",
      );
      hold(head === null || /^[0-9a-f]{40,64}$/u.test(head), "a commit is one");
      hold(request === null || Number.isSafeInteger(request.id), "a request has a number");
      const again = readInput(writeInput(read.value));
      hold(again.ok && isDeepStrictEqual(again.value, read.value), "an input is read as it was written");
    }
    const asked = requestIn(ref);
    const [, kind, login = "", id = ""] = /^(pause|stop|cancel)\/(.*)-(\d+)$/u.exec(ref) ?? [];
    if (asked === undefined || asked.kind === "supersede") return;
    hold(
      asked.kind === kind && asked.by.endsWith(" on GitHub") && !/[\s/]/u.test(asked.by.slice(0, -10)),
      "a person has a plain name",
    );
    const name = controlRefOf("a-loop", { kind: asked.kind, login: login.replace(/\.bot$/u, "[bot]"), id });
    hold(name === `refs/smithers-control/a-loop/${ref}`, "a request is read as it was written");
  },
});

const PRDS = [
  {
    project: "demo",
    userStories: [
      { id: "US-001", title: "Read it", priority: 1, passes: true, dependsOn: [] },
      { id: "US-002", title: "Show it", priority: 2, dependsOn: ["US-001"] },
    ],
  },
].map((prd) => JSON.stringify(prd));

export const prds = target({
  name: "shown-prds",
  covers: ["requests/prds.ts#storiesIn", "requests/prd-standing.ts#standingOf"],
  draw: (random) => mutatedJson(random, { seeds: PRDS, words: ["US-001", "US-1", "@everyone", "<!--", "__proto__"] }),
  check(text) {
    const stories = storiesIn(text, "shop") ?? [];
    hold(new Set(stories.map(({ id }) => id)).size === stories.length, "a story is there once");
    hold(
      stories.every(({ id }) => isStoryId(id)),
      "a story has an id",
    );
    const standing = standingOf("demo", stories, null);
    hold(standing.next === null || stories.some(({ id }) => id === standing.next), "what comes next is a story");
    hold(!/@(?=everyone)/u.test(prdStatusReply(standing)), "nobody is mentioned");
  },
});

const ENV = githubContext({ workspace: "/w", run_id: "7", repository: "o/r" });

export const contexts = target({
  name: "contexts",
  covers: ["github/context.ts#readContext"],
  draw: (random) =>
    mutatedJson(random, {
      seeds: [JSON.stringify({ ...ENV, RUNNER_TEMP: "/t", GITHUB_ACTIONS: "true" })],
      words: ["o/r", "o/r/.github/workflows/a.yml@refs/heads/main", "/dev/null"],
    }),
  check(json) {
    let given: unknown = {};
    try {
      given = JSON.parse(json);
    } catch {
      return;
    }
    const texts = Object.entries(given ?? {}).filter(
      ([name, value]) => typeof value === "string" && name !== "GITHUB_EVENT_PATH",
    );
    const context = unless(UsageError, () => readContext(Object.fromEntries(texts)));
    hold(
      context === undefined || (Number.isSafeInteger(context.runId) && !context.repository.name.includes("/")),
      "a context is whole",
    );
  },
});

const ANSWERS = [
  {
    name: "HttpError",
    status: 403,
    message: "Resource not accessible by integration",
    response: {
      headers: { "retry-after": "5", "x-ratelimit-remaining": "0" },
      data: { message: "m", errors: [{ message: "e" }] },
    },
  },
  {
    name: "HttpError",
    status: 422,
    message: "Validation Failed",
    response: { data: { message: "v", errors: ["x", { code: "c" }] } },
  },
  { name: "GraphqlResponseError", message: "bad", errors: [{ type: "FORBIDDEN", message: "no" }], headers: {} },
  { name: "TypeError", message: "fetch failed", cause: { code: "ECONNREFUSED", message: "c" } },
].map((answer) => JSON.stringify(answer));

export const refusals = target({
  name: "github-refusals",
  covers: [
    "github/refusal.ts#refusalOf",
    "github/refusal.ts#saidIn",
    "github/refusal.ts#statusOf",
    "github/refusal.ts#isPassing",
  ],
  draw: (random) => ({
    json: mutatedJson(random, { seeds: ANSWERS, words: ["https://x.example/y", "rate limit"] }),
    isError: !random.once(4),
  }),
  check({ json, isError }) {
    let answer: unknown = json;
    try {
      answer = JSON.parse(json);
    } catch {
      // a text that was thrown
    }
    const error = isError && typeof answer === "object" ? Object.assign(new Error("x"), answer) : answer;
    hold(typeof refusalOf(error, "actions: read") === "string", "there are words for it");
    hold(!/[\r\n]/u.test(saidIn(error)), "GitHub's words are one line");
    statusOf(error);
    isPassing(error);
  },
});
