import { isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import type { LintDocument, Mistake } from "./document.ts";

/** A value of a workflow, by the keys that lead to it: `["jobs", "a", "steps", 0, "run"]`. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly key: string;
  /** a scalar's text; "" for what is no scalar */
  readonly text: string;
  readonly value: unknown;
  readonly offset: number;
}

/** A workflow, as the rules see it. */
interface Workflow {
  readonly triggers: readonly string[];
  readonly tags: boolean;
  readonly places: readonly Place[];
}

/** What is wrong at a place, and what to do instead; undefined: nothing. */
type Rule = (place: Place, workflow: Workflow) => string | undefined;

/** Started by strangers, with the rights and secrets of the default branch. */
const PRIVILEGED = new Set(["workflow_run", "issue_comment", "pull_request_target", "issues", "discussion_comment"]);

const EXPRESSION = /\$\{\{/u;
const FOREIGN_HEAD = /pull_request\.head|workflow_run\.head|head_ref|head_sha|head_commit|refs\/pull\//u;

/**
 * Classes of mistakes that hand a workflow to somebody else, by the names that zizmor gives them. Strict on purpose: what
 * is safe for a reason that a reader has to work out is written in another way.
 */
const RULES: Readonly<Record<string, Rule>> = {
  "template-injection": ({ path, key, text }) =>
    (key === "run" || (key === "script" && path.at(-2) === "with")) && EXPRESSION.test(text)
      ? "an expression becomes a part of the script: hand it over in env, and quote the variable"
      : undefined,
  "dangerous-triggers": ({ path, text, key }, { triggers }) => {
    if (key === "pull_request_target" || (path[0] === "on" && text === "pull_request_target"))
      return "it runs with secrets for everybody's pull requests: use pull_request";
    return key === "uses" && text.startsWith("actions/download-artifact@") && triggers.includes("workflow_run")
      ? "what another run has made is brought into a run with secrets: leave that to a run of its own"
      : undefined;
  },
  "foreign-checkout": ({ path, key, text }, { triggers }) =>
    ["ref", "repository"].includes(key) &&
    path.at(-2) === "with" &&
    FOREIGN_HEAD.test(text) &&
    triggers.some((name) => PRIVILEGED.has(name))
      ? "the code of a pull request runs with secrets that its author does not have"
      : undefined,
  "excessive-permissions": ({ path, key, text, value }, { places }) => {
    if (
      path.length === 1 &&
      key === "jobs" &&
      !places.some(({ path: other }) => other.length === 1 && other[0] === "permissions")
    )
      return "without permissions: at the top the token may do whatever the repository's settings say";
    if (key === "permissions" && text.endsWith("-all")) return "name each permission";
    const jobs = new Set(
      places.flatMap(({ path: other }) => (other[0] === "jobs" && other.length === 2 ? [other[1]] : [])),
    );
    const writes = path.length === 1 && key === "permissions" && /write/u.test(JSON.stringify(value));
    return writes && jobs.size > 1 ? "every job may write: give the right to the job that needs it" : undefined;
  },
  artipacked: ({ path, key, text }, { places }) => {
    if (key !== "uses" || !text.startsWith("actions/checkout@")) return undefined;
    const beside = [...path.slice(0, -1), "with", "persist-credentials"].join("/");
    return places.some((place) => place.path.join("/") === beside && place.text === "false")
      ? undefined
      : "the token stays in .git/config for all that follows: set persist-credentials: false";
  },
  "cache-poisoning": ({ path, key, text }, { triggers, tags }) => {
    const caches = (key === "uses" && text.startsWith("actions/cache")) || (key === "cache" && path.at(-2) === "with");
    return caches && text !== "false" && (tags || triggers.includes("release"))
      ? "what is released would come from a cache that other runs write"
      : undefined;
  },
  "bot-conditions": ({ key, text }) =>
    key === "if" &&
    /github\.(?:triggering_)?actor\b[^&|]*\[bot\]|\[bot\][^&|]*github\.(?:triggering_)?actor\b/u.test(text)
      ? "the actor of a run is not who wrote what it runs: ask for the author of the pull request"
      : undefined,
  "self-hosted-runner": ({ path, text }) =>
    path[0] === "jobs" && path[2] === "runs-on" && /self-hosted/u.test(text)
      ? "what a run leaves on such a machine meets the next one"
      : undefined,
  "github-env": ({ key, text }) =>
    key === "run" && /GITHUB_(?:ENV|PATH)\b/u.test(text)
      ? "whoever writes a line of it sets variables of later steps, such as LD_PRELOAD: use outputs"
      : undefined,
  "secrets-inherit": ({ key, text }) =>
    key === "secrets" && text === "inherit" ? "name the secrets that the called workflow needs" : undefined,
  "insecure-commands": ({ key, text }) => {
    if (key === "ACTIONS_ALLOW_UNSECURE_COMMANDS") return "whatever is printed could set variables and paths";
    return key === "run" && /::(?:set-output|set-env|add-path|save-state)\b/u.test(text)
      ? "GitHub has given this command up, because anybody's output could hold it"
      : undefined;
  },
  "overprovisioned-secrets": ({ path, text }) => {
    if (/toJSON\(\s*secrets\s*\)|\bsecrets\s*\[/iu.test(text)) return "all secrets are handed over: name the one";
    return path[0] === "env" && /\bsecrets\./u.test(text) ? "every step has it: set it where it is needed" : undefined;
  },
  "unredacted-secrets": ({ text }) =>
    /fromJSON\(\s*secrets\./iu.test(text)
      ? "parts of a secret are not hidden in the log: keep each as a secret"
      : undefined,
  "hardcoded-credentials": ({ path, key, text }) =>
    key === "password" && path.includes("credentials") && !EXPRESSION.test(text) ? "keep it as a secret" : undefined,
  "unsound-condition": ({ key, text }) =>
    key === "if" && /^\s*\$\{\{[^]*\}\}\s*\n$/u.test(text)
      ? "text behind the braces, here a line end, makes it true always: write it without them"
      : undefined,
  // Of 2026-05-07, and not in the linters' tables yet.
  "concurrency-queue": ({ path, key, text, value }, { places }) => {
    if (key !== "queue" || path.at(-2) !== "concurrency") return undefined;
    if (text !== "max" && text !== "single") return "it is single (one run waits, and the next one replaces it) or max";
    const beside = [...path.slice(0, -1), "cancel-in-progress"].join("/");
    const other = places.find((place) => place.path.join("/") === beside);
    return value !== "single" && other !== undefined && other.text !== "false"
      ? "GitHub refuses max together with cancel-in-progress: what is cancelled does not wait"
      : undefined;
  },
  "unsound-contains": ({ key, text }) =>
    key === "if" && /contains\(\s*'[^']*'\s*,/u.test(text)
      ? "a part of a word counts too: use contains(fromJSON('[…]'), …)"
      : undefined,
};

/** The mistakes of a workflow or an action that would let somebody else act in its name. */
export function checkSecurity(document: LintDocument): readonly Mistake[] {
  const counter = new LineCounter();
  const parsed = parseDocument(document.text, { lineCounter: counter });
  const places = placesIn(parsed);
  const on = places.find(({ path }) => path.length === 1 && path[0] === "on");
  const triggers = [on?.value ?? []]
    .flat()
    .flatMap((one) => (typeof one === "string" ? one : Object.keys(Object(one))));
  const tags = places.some(({ path }) => path.join("/").startsWith("on/push/tags"));
  const workflow: Workflow = { triggers, tags, places };
  return places.flatMap((place) =>
    Object.entries(RULES).flatMap(([name, rule]) => {
      if (document.kind === "action" && name === "excessive-permissions") return [];
      const why = rule(place, workflow);
      if (why === undefined) return [];
      const { line, col } = counter.linePos(place.offset);
      return [{ line, column: col, message: `${name}: ${why}` }];
    }),
  );
}

function placesIn(document: ReturnType<typeof parseDocument>): readonly Place[] {
  const places: Place[] = [];
  const add = (path: Place["path"], node: unknown, offset: number): void => {
    const value: unknown = isNode(node) ? node.toJS(document) : null;
    const isWord = typeof value === "string" || typeof value === "boolean" || typeof value === "number";
    const text = isWord ? String(value) : "";
    places.push({ path, key: String(path.at(-1)), text, value, offset });
  };
  visit(document, {
    Pair(_, pair, around) {
      const key = isScalar(pair.key) ? String(pair.key.value) : "";
      const path = pathOf(around, key);
      add(path, pair.value, isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);
    },
    Scalar(at, node, around) {
      // An item of a list.
      if (typeof at === "number") add(pathOf(around, at), node, node.range?.[0] ?? 0);
    },
  });
  return places;
}

/** The keys and positions that lead to something. */
function pathOf(around: readonly unknown[], last: string | number): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (const [i, node] of around.entries()) {
    if (isPair(node) && isScalar(node.key)) path.push(String(node.key.value));
    const inside = around[i + 1];
    if (isSeq(node) && inside !== undefined) path.push(node.items.indexOf(inside));
  }
  return [...path, last];
}
