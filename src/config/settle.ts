import { comparePrecedence, type Config, type Given } from "./config.ts";
import { type ChangeRules } from "../core/boundary.ts";
import { ALWAYS_PROTECTED, PRDS_FOLDER } from "../core/names.ts";
import { notice, problem, type Finding } from "./rule.ts";
import type { SettingValue } from "./setting.ts";
import { usualVersion } from "./settings/agent.ts";
import { saidTwice, withDetails } from "./settings/quality-gates.ts";

/** The values as they are being put together, by the setting's name; one for every setting. */
type Values = Map<string, Given>;

/**
 * Settles what follows from more than one setting: `full-auto` and `sandbox`, `prompt` and `prompt-file`, and the
 * defaults that depend on others. Changes `values`.
 */
export function settle(values: Values): readonly Finding[] {
  const findings = [...settleSandbox(values), ...settlePrompt(values)];
  setDefault(values, "backlog", isSet(values, "prd") ? "prd" : "prompt");
  if (values.get("backlog")?.value === "prd") {
    setDefault(values, "commit", "story");
    setDefault(values, "session", "fresh");
  }
  setDefault(values, "promise-guard", hasCheck(values) ? "code" : "final-line");
  setDefault(values, "plan-file", values.get("todo-file")?.value ?? "@fix_plan.md");
  setDefault(values, "provider-version", usualVersion(String(values.get("provider")?.value)));
  setDefault(values, "reserve-minutes", usualReserve(minutesToTheEnd(values)));
  return findings;
}

/** `full-auto` is `workspace-write` (C3, C15); where both are given, the higher place wins and the same contradicts. */
function settleSandbox(values: Values): readonly Finding[] {
  const auto = values.get("full-auto");
  const sandbox = values.get("sandbox");
  if (auto?.value !== true || sandbox === undefined) return [];
  const order = sandbox.source.from === "default" ? -1 : comparePrecedence(auto.source, sandbox.source);
  if (order < 0) {
    values.set("sandbox", { value: "workspace-write", source: auto.source });
    return [];
  }
  if (sandbox.value === "workspace-write") return [];
  const [higher, lower] = [sandbox.source.where, auto.source.where];
  if (order > 0) return notice(`${higher} outranks ${lower}: the sandbox is ${String(sandbox.value)}.`);
  return problem(
    "SANDBOX_CONTRADICTED",
    `${lower} asks for sandbox workspace-write, ${higher} for ${String(sandbox.value)}.`,
    "Remove one of the two.",
  );
}

/** One prompt only; of two from different places the higher wins. */
function settlePrompt(values: Values): readonly Finding[] {
  const prompt = values.get("prompt");
  const file = values.get("prompt-file");
  if (prompt === undefined || file === undefined || prompt.value === null || file.value === null) return [];
  const order = comparePrecedence(prompt.source, file.source);
  if (order === 0) {
    return problem(
      "PROMPT_TWICE",
      `There are two prompts: ${prompt.source.where} and ${file.source.where}.`,
      "Remove one of the two.",
    );
  }
  const [winner, loser, name] = order < 0 ? [prompt, file, "prompt-file"] : [file, prompt, "prompt"];
  values.set(name, { value: null, source: winner.source });
  return notice(`${winner.source.where} outranks ${loser.source.where}, which is not used.`);
}

function isSet(values: Values, name: string): boolean {
  return (values.get(name)?.value ?? null) !== null;
}

function hasCheck(values: Values): boolean {
  const quality = values.get("quality-commands")?.value;
  const checks = ["success-cmd", "success-sh", "ci-workflow"];
  return checks.some((name) => isSet(values, name)) || (Array.isArray(quality) && quality.length > 0);
}

/** Of time budget and job time-out, the one that ends first. */
function minutesToTheEnd(values: Values): number | null {
  const ends = ["time-budget-minutes", "job-timeout-minutes"]
    .map((name) => values.get(name)?.value)
    .filter((value) => typeof value === "number");
  return ends.length === 0 ? null : Math.min(...ends);
}

const GATES = "quality-commands";

/**
 * Gives each quality command what the highest place that describes it says of it. Changes `values`.
 *
 * @param layers what each place says, the highest first
 */
export function settleGates(values: Values, layers: readonly ReadonlyMap<string, Given>[]): readonly Finding[] {
  const given = values.get(GATES);
  const items = textsOf(given);
  if (given === undefined || items.length === 0) return [];
  const said = layers.flatMap((layer) => textsOf(layer.get(GATES)));
  values.set(GATES, { ...given, value: withDetails(items, said) });
  const twice = saidTwice(items);
  if (twice === undefined) return [];
  return problem("GATE_TWICE", `${given.source.where}: ${twice}.`, "Remove one of the two, or rename it.");
}

function textsOf(given: Given | undefined): readonly string[] {
  return Array.isArray(given?.value) ? given.value : [];
}

function setDefault(values: Values, name: string, value: SettingValue): void {
  const given = values.get(name);
  if (given?.source.from === "default") values.set(name, { ...given, value });
}

/**
 * Whether unfinished work is kept between runs: where others cannot read it, in a private repository, or sealed (C13).
 */
export function keepsTree(
  { checkpointTree, stateKey }: Pick<Config, "checkpointTree" | "stateKey">,
  isPrivate: boolean,
): boolean {
  return checkpointTree !== "off" && (stateKey !== null || isPrivate);
}

const LEAST_RESERVE_MINUTES = 5;
const RESERVED_PART = 0.1;

/**
 * The reserve, in minutes, of a run whose time ends after `minutes`, unless another one is set (section 9).
 *
 * @param minutes of time budget or job time-out, whichever ends first; null: neither is known
 */
export function usualReserve(minutes: number | null): number {
  return minutes === null ? LEAST_RESERVE_MINUTES : Math.max(LEAST_RESERVE_MINUTES, minutes * RESERVED_PART);
}

/** How long a loop may work over all its runs, in milliseconds; null: no limit. */
export function totalMs({ maxTotalMinutes: minutes }: Pick<Config, "maxTotalMinutes">): number | null {
  return minutes === null ? null : minutes * 60_000;
}

type Rules = Pick<
  Config,
  "maxChangedFiles" | "maxChangedBytes" | "protectedPaths" | "configFile" | "soloConfig" | "ciWorkflow" | "prd"
>;

/** What a workflow that judges the work can use, wherever it lies. */
const ACTIONS = ["**/action.yml", "**/action.yaml"];

/**
 * What the work may change (T17). Configuration files that somebody has named are protected as those with the usual
 * names are, and every local action where CI judges the work.
 *
 * @param root of the workspace, absolute: names are seen from there
 */
export function changeRules(config: Rules, root: string): ChangeRules {
  const { maxChangedFiles, maxChangedBytes, protectedPaths, configFile, soloConfig, ciWorkflow, prd } = config;
  const named = [configFile, soloConfig].flatMap((file) => (file === null ? [] : [globOf(file, root)]));
  return {
    protectedPaths: [
      ...ALWAYS_PROTECTED,
      ...(ciWorkflow === null ? [] : ACTIONS),
      ...(prd === null ? [] : prdRules(prd)),
      ...named,
      ...protectedPaths,
    ],
    maxFiles: maxChangedFiles === 0 ? null : maxChangedFiles,
    maxBytes: maxChangedBytes === 0 ? null : maxChangedBytes,
  };
}

/** While stories are worked on, no PRD is the agent's to change; the two documents of this one are put back by themselves. */
function prdRules(name: string): readonly string[] {
  return [`**/${PRDS_FOLDER}/**`, ...["prd.json", "prd.md"].map((file) => `!**/${PRDS_FOLDER}/${name}/${file}`)];
}

/** Wherever the workspace lies in its repository. A wildcard in a name protects some more. */
function globOf(file: string, root: string): string {
  const below = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
  const parts: string[] = [];
  for (const part of below.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return ["**", ...parts].join("/");
}
