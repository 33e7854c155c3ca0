import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Command, Invocation } from "../../app/command.ts";
import { locate } from "../../app/locate.ts";
import { note, printJson, printLines, type Shell } from "../../app/shell.ts";
import { OperationalError, UsageError } from "../../core/errors.ts";
import { LOOP_REFS } from "../../core/names.ts";
import { oneLine } from "../../views/plain-text.ts";
import { compare, comparisonJson, comparisonLines, type Side } from "../../views/stats/compare.ts";
import { statsLines } from "../../views/stats/lines.ts";
import type { LoopStats } from "../../views/stats/loop-stats.ts";
import { type LeftOut, nameOf, type Sample, statsJson } from "../../views/stats/totals.ts";
import { listRefs } from "../../github/refs.ts";
import { loopOnRef } from "../../requests/find-loop.ts";
import { githubPlace, openGithub } from "../github-place.ts";
import { artifactsAt, keyOf, type LoopKey, Samples } from "./samples.ts";

/** The words that stand for the loops in this repository's folders, and for their refs on GitHub. */
const FOLDERS = "folders";
const REFS = "refs";

/** `smithers stats`: what the loops of a repository have come to, or how two of them, or two agents, compare. */
export const stats: Command = async (invocation, shell) => {
  const words = invocation.words ?? [];
  const asked = invocation.values.has("compare") ? sidesOf(words) : null;
  const { root } = await locate(invocation.flags, shell, "silent");
  const sources = await sourcesOf(words.slice(asked === null ? 0 : 2), shell.cwd);
  const samples = new Samples();
  if (sources.hasFolders) await samples.addRepository(await realpath(root));
  const holding = new Map<string, LoopKey | undefined>();
  const add = async (artifact: string): Promise<LoopKey | undefined> => {
    if (!holding.has(artifact)) holding.set(artifact, await samples.addArtifact(artifact, shell));
    return holding.get(artifact);
  };
  const sides: AskedSide[] = [];
  for (const word of asked ?? []) sides.push(await sideOf(word, shell.cwd, add));
  for (const artifact of sources.artifacts) await add(artifact);
  if (sources.hasRefs) await addRefs(samples, root, invocation, shell);
  const { sample } = samples;
  const [a, b] = sides;
  if (a === undefined || b === undefined) return tell(narrowed(sample, sources.loops), invocation.json, shell);
  const comparison = compare(chosen(a, sample), chosen(b, sample));
  if (invocation.json) printJson(shell, comparisonJson(comparison));
  else {
    printLines(shell, comparisonLines(comparison, columnsOf(shell)));
    tellProblems(sample, shell);
  }
  return comparison.incomparable === null ? 0 : 1;
};

function tell(sample: Sample, json: boolean, shell: Shell): number {
  if (json) printJson(shell, statsJson(sample));
  else {
    printLines(shell, statsLines(sample, columnsOf(shell)));
    tellProblems(sample, shell);
  }
  return 0;
}

const COLUMNS = 80;

/** Infinity: what is written goes to no terminal. */
function columnsOf({ stdout }: Shell): number {
  // Some terminals say 0 when they do not know.
  return stdout.isTTY === true ? stdout.columns || COLUMNS : Infinity;
}

/** The numbers of those left out are in the answer; why one of them cannot be read is beside it. */
function tellProblems({ loops, leftOut }: Sample, shell: Shell): void {
  for (const { loopId, reason, why } of leftOut)
    if (reason === "unreadable" || reason === "newer_version") note(shell, oneLine(`${loopId} is left out: ${why}`));
  for (const loop of loops) {
    if (loop.eventsProblem === null) continue;
    note(shell, oneLine(`${nameOf(loop)} is counted by its state alone: ${loop.eventsProblem}`));
  }
}

/** What the words name: artifacts, this repository's folders, the refs on GitHub, or loops by the beginning of their ids. */
async function sourcesOf(words: readonly string[], cwd: string) {
  const artifacts: string[] = [];
  const loops: string[] = [];
  for (const word of words.filter((each) => each !== REFS && each !== FOLDERS)) {
    const found = await artifactsAt(word, cwd);
    if (found.length === 0) loops.push(word);
    artifacts.push(...found);
  }
  const hasRefs = words.includes(REFS);
  const hasFolders = words.includes(FOLDERS) || (artifacts.length === 0 && !hasRefs);
  return { artifacts, loops, hasFolders, hasRefs };
}

/** The loops that are meant alone. @throws UsageError when a word names none */
function narrowed(sample: Sample, words: readonly string[]): Sample {
  if (words.length === 0) return sample;
  const areMeant = words.map((word) => called(word, sample));
  const isMeant = (loop: Named): boolean => areMeant.some((is) => is(loop));
  return { loops: sample.loops.filter(isMeant), leftOut: sample.leftOut.filter(isMeant) };
}

interface Named {
  readonly loopId: string;
  readonly generation?: number;
}

/**
 * Whether a loop is meant by a word: its id, with the number of a generation as the table has it, or else the beginning of
 * its id.
 *
 * @throws UsageError when there is no such loop
 */
function called(word: string, { loops, leftOut }: Sample): (loop: Named) => boolean {
  const all: readonly Named[] = [...loops, ...leftOut];
  const readings: readonly ((loop: Named) => boolean)[] = [
    ({ loopId }) => loopId === word,
    ({ loopId, generation }) => `${loopId} #${generation}` === word,
    ({ loopId }) => loopId.startsWith(word),
  ];
  const reading = readings.find((is) => all.some(is));
  if (reading !== undefined) return reading;
  throw new UsageError({
    code: "LOOP_UNKNOWN",
    what: `${JSON.stringify(word)} is neither a loop that was looked at nor a downloaded artifact.`,
    next: "Name a loop by the beginning of its id, an artifact by its path, or nothing for all loops here.",
  });
}

function sidesOf([a, b]: readonly string[]): readonly [string, string] {
  if (a !== undefined && b !== undefined) return [a, b];
  throw new UsageError({
    code: "SIDES_MISSING",
    what: "--compare needs two sides.",
    next: "Name two loops, two artifacts, or two of provider=NAME and model=NAME",
  });
}

/** A side as it was named, before it is known what there is. */
interface AskedSide {
  readonly name: string;
  readonly isOf: (sample: Sample) => (loop: LoopStats | LeftOut) => boolean;
}

/** A provider or a model whose turns alone the loops had, artifacts, or loops. @param add an artifact to what is counted */
async function sideOf(
  word: string,
  cwd: string,
  add: (artifact: string) => Promise<LoopKey | undefined>,
): Promise<AskedSide> {
  const { key, value } = /^(?<key>provider|model)=(?<value>.+)$/u.exec(word)?.groups ?? {};
  if (key !== undefined) {
    const namesOf = (loop: LoopStats): readonly (string | null)[] => (key === "model" ? loop.models : loop.providers);
    return { name: word, isOf: () => (loop) => "models" in loop && namesOf(loop).every((name) => name === value) };
  }
  const artifacts = await artifactsAt(word, cwd);
  if (artifacts.length === 0) return { name: word, isOf: (sample) => called(word, sample) };
  const keys = new Set<LoopKey>();
  for (const artifact of artifacts) keys.add((await add(artifact)) ?? path.basename(artifact));
  return { name: word, isOf: () => (loop) => keys.has("models" in loop ? keyOf(loop) : loop.loopId) };
}

function chosen({ name, isOf }: AskedSide, sample: Sample): Side {
  const is = isOf(sample);
  return { name, loops: sample.loops.filter(is), leftOut: sample.leftOut.filter(is) };
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
  for (const found of refs.value) {
    const { ref } = found;
    const read = await loopOnRef(github, found);
    if (!read.ok) samples.addUnreadable(ref.slice(LOOP_REFS.length), ref, read.trouble.because);
    else if (read.value.running) samples.addRunning(read.value.loopId, ref);
    else samples.addState(read.value.state, ref);
  }
}
