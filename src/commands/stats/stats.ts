import { realpath } from "node:fs/promises";
import type { Command, Invocation } from "../../app/command.ts";
import { locate } from "../../app/locate.ts";
import { note, printJson, printLines, type Shell } from "../../app/shell.ts";
import { OperationalError, UsageError } from "../../core/errors.ts";
import { LOOP_REFS } from "../../core/names.ts";
import { plainText } from "../../views/plain-text.ts";
import { compare, comparisonJson, comparisonLines, type Side } from "../../views/stats/compare.ts";
import { statsLines } from "../../views/stats/lines.ts";
import type { LoopStats } from "../../views/stats/loop-stats.ts";
import { statsJson, type Sample } from "../../views/stats/totals.ts";
import { listRefs } from "../../github/refs.ts";
import { readRecordAt, runOf } from "../../requests/find-loop.ts";
import { githubPlace, openGithub } from "../github-place.ts";
import { artifactsAt, Samples, whereOf } from "./samples.ts";

/** The word that stands for the refs of loops on GitHub. */
const REFS = "refs";

/** `smithers stats`: what the loops of a repository have come to, or how two of them, or two agents, compare. */
export const stats: Command = async (invocation, shell) => {
  const words = invocation.words ?? [];
  const isComparison = invocation.values.has("compare");
  const asked = isComparison ? sidesOf(words) : null;
  const { root } = await locate(invocation.flags, shell, "silent");
  const sources = await sourcesOf(words.slice(asked === null ? 0 : 2), shell.cwd);
  const samples = new Samples();
  if (sources.artifacts.length === 0 && !sources.hasRefs) await samples.addRepository(await realpath(root));
  const sides = asked === null ? null : await Promise.all(asked.map(async (word) => sideOf(word, shell.cwd)));
  const named = (sides ?? []).flatMap(({ artifacts }) => artifacts);
  for (const artifact of [...sources.artifacts, ...named]) await samples.addArtifact(artifact, shell);
  if (sources.hasRefs) await addRefs(samples, root, invocation, shell);
  const { sample } = samples;
  if (sides === null) return tell(narrowed(sample, sources.loops), invocation.json, shell);
  const [a, b] = sides.map(({ name, isOf }): Side => ({ name, loops: sample.loops.filter(isOf) }));
  if (a === undefined || b === undefined) throw new Error("there are not two sides");
  const comparison = compare(a, b);
  if (invocation.json) printJson(shell, comparisonJson(comparison));
  else {
    printLines(shell, comparisonLines(comparison));
    tellLeftOut(sample, shell);
  }
  return comparison.incomparable === null ? 0 : 1;
};

function tell(sample: Sample, json: boolean, shell: Shell): number {
  if (json) {
    printJson(shell, statsJson(sample));
    return 0;
  }
  printLines(shell, statsLines(sample));
  tellLeftOut(sample, shell);
  return 0;
}

/** The numbers of those left out are in the answer; why one of them cannot be read is beside it. */
function tellLeftOut({ leftOut }: Sample, shell: Shell): void {
  for (const { loopId, reason, why } of leftOut)
    if (reason === "unreadable" || reason === "newer_version") note(shell, plainText(`${loopId} is left out: ${why}`));
}

/** What the words name: artifacts, the refs on GitHub, or loops by the beginning of their ids. */
async function sourcesOf(words: readonly string[], cwd: string) {
  const artifacts: string[] = [];
  const loops: string[] = [];
  for (const word of words.filter((each) => each !== REFS)) {
    const found = await artifactsAt(word, cwd);
    if (found.length === 0) loops.push(word);
    artifacts.push(...found);
  }
  return { artifacts, loops, hasRefs: words.includes(REFS) };
}

/** The loops that are meant alone. @throws UsageError when a word names none */
function narrowed({ loops, leftOut }: Sample, words: readonly string[]): Sample {
  if (words.length === 0) return { loops, leftOut };
  const isMeant = ({ loopId }: { readonly loopId: string }): boolean => words.some((word) => loopId.startsWith(word));
  const unknown = words.find((word) => ![...loops, ...leftOut].some(({ loopId }) => loopId.startsWith(word)));
  if (unknown !== undefined) {
    throw new UsageError({
      code: "LOOP_UNKNOWN",
      what: `${JSON.stringify(unknown)} is neither a loop of this repository nor a downloaded artifact.`,
      next: "Name a loop by the beginning of its id, an artifact by its path, or nothing for all loops here.",
    });
  }
  return { loops: loops.filter(isMeant), leftOut: leftOut.filter(isMeant) };
}

function sidesOf([a, b]: readonly string[]): readonly [string, string] {
  if (a !== undefined && b !== undefined) return [a, b];
  throw new UsageError({
    code: "SIDES_MISSING",
    what: "--compare needs two sides.",
    next: "Name two loops, two artifacts, or two of provider=NAME and model=NAME",
  });
}

/** A side as it was named: a provider or a model whose turns alone the loops had, an artifact, or a loop. */
async function sideOf(word: string, cwd: string) {
  const { key, value = "" } = /^(?<key>provider|model)=(?<value>.+)$/u.exec(word)?.groups ?? {};
  const only = (names: readonly (string | null)[]): boolean => names.every((name) => name === value);
  if (key === "provider") return { name: word, artifacts: [], isOf: (loop: LoopStats) => only(loop.providers) };
  if (key === "model") return { name: word, artifacts: [], isOf: (loop: LoopStats) => only(loop.models) };
  const artifacts = await artifactsAt(word, cwd);
  const shown = new Set(artifacts.map((artifact) => whereOf(artifact, cwd)));
  if (artifacts.length > 0) return { name: word, artifacts, isOf: ({ where }: LoopStats) => shown.has(where) };
  return { name: word, artifacts: [], isOf: (loop: LoopStats) => loop.loopId.startsWith(word) };
}

/** The loops that have a ref on GitHub, by the state in it. */
async function addRefs(samples: Samples, root: string, { values }: Invocation, shell: Shell): Promise<void> {
  const place = await githubPlace(values.get("repo"), root, shell);
  if (typeof place === "string")
    throw new OperationalError({ code: "NO_GITHUB", what: place, next: "Set both, or leave refs out." });
  const unreadable = (why: string): OperationalError =>
    new OperationalError({
      code: "GITHUB_UNREADABLE",
      what: `The loops of ${place.owner}/${place.name} cannot be read: ${why}. Nothing was counted.`,
      next: "Check --repo and what the token may do: it needs to read contents and actions. Or leave refs out.",
    });
  const opened = await openGithub(place);
  if (!opened.ok) throw unreadable(opened.trouble.because);
  const github = opened.value;
  const refs = await listRefs(github, LOOP_REFS);
  if (!refs.ok) throw unreadable(refs.trouble.because);
  for (const { ref, commit } of refs.value) {
    const loopId = ref.slice(LOOP_REFS.length);
    const read = await readRecordAt(github, loopId, commit);
    if (!read.ok) samples.addUnreadable(loopId, ref, read.trouble.because);
    else if ((await runOf(github, read.value.record)).running) samples.addRunning(loopId, ref);
    else samples.addState(read.value.record.state, ref);
  }
}
