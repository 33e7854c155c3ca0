import { type Cause, CAUSES, mergedText, type Repair } from "../../core/repair/repair.ts";
import type { Flake } from "../../core/verdict.ts";
import { counted } from "../amounts.ts";
import { seenOnOneLine } from "../../core/text.ts";
import { unaskedJob } from "../proof.ts";
import type { RunView } from "../run-view.ts";
import {
  type Block,
  code,
  fence,
  folded,
  heading,
  type Hole,
  inline,
  link,
  listed,
  paragraph,
  type Piece,
  quieted,
} from "./markdown.ts";

const MOST = 20;

/** The failed run that a loop repairs: why it failed, with the evidence, and what could be seen of it here; [] without one. */
export function failedRunBlocks({ state }: Pick<RunView, "state">): Block[] {
  const { repair } = state;
  if (repair === null) return [];
  const { run, jobs, more_jobs: more, range, others: red, behind } = repair;
  const cause = causeSeen(repair, state.first_check?.flake);
  const [first] = jobs;
  const named = repairedPieces({ ...repair, others: [] });
  const others = jobs.length - 1 + more;
  const rest = others > 0 ? inline` and ${counted(others, "other job")}` : [];
  const evidence: Hole[] = cause.evidence.map(({ text, url }) =>
    url === null ? text : inline`${text} ${link("Look.", url)}`,
  );
  const subjects = range.commits.map(({ sha, subject }): Hole => inline`${code(sha.slice(0, 12))} ${subject}`);
  return [
    heading(3, "The failed run"),
    paragraph`${named}${rest}, for commit ${code(run.sha.slice(0, 12))}.`,
    paragraph`**Cause: ${CAUSES[cause.kind]}.**`,
    listed(evidence, MOST, "see the log of the run"),
    paragraph`${hereText(repair)}`,
    ...(behind === null ? [] : [paragraph`${mergedText(behind)} The base is ${code(behind.base)}.`]),
    paragraph`${unaskedJob(state) ?? askedText(repair)}`,
    ...otherRunBlocks(red),
    ...(subjects.length === 0
      ? []
      : folded("Commits since the workflow was green last", [listed(subjects, MOST, "see the branch")])),
    ...(first === undefined || first.log === ""
      ? []
      : folded("What the job printed", [fence("text", quieted(first.log))])),
  ];
}

/**
 * Why a run failed: what said different things here of the same files, before a turn, is seen; what GitHub tells is around it.
 * Where something was red every time, that is what failed.
 */
function causeSeen({ here, cause }: Repair, flake: Flake | undefined): Cause {
  if (here !== "red" || flake === undefined || flake.stable !== undefined) return cause;
  const was = flake.other === undefined ? "was red and green here" : "was red here for other tests each time";
  const text = `“${seenOnOneLine(flake.command, LONGEST)}” ${was}, on the same files and before the first turn.`;
  return { kind: "flaky", evidence: [{ text, url: null }, ...cause.evidence] };
}

/** Which run and job a loop repairs, and how many others are red, on one line. */
export function repairedPieces({ run, jobs, others }: Repair): Piece[] {
  const [first] = jobs;
  return [
    link(run.workflow || run.file, run.url),
    ...(first === undefined ? [] : inline`, job ${link(first.name, first.url)}`),
    ...(others.length === 0 ? [] : inline`; ${counted(others.length, "other run")} red for the same commit`),
  ];
}

/** A failed run; its name is others' words. */
export interface NamedRun {
  readonly id: number;
  readonly name: string;
  readonly url: string;
}

/** What else is red for the commit, each with the comment that asks for it (C114); [] when nothing is. */
export function otherRunBlocks(others: readonly NamedRun[]): Block[] {
  if (others.length === 0) return [];
  const rows = others.map(
    ({ id, name, url }): Hole => inline`${link(name || String(id), url)}: ${code(`/smithers fix ${id}`)}`,
  );
  return [
    paragraph`Also red for that commit, and not repaired by this. Each can be asked for when the loop has ended:`,
    listed(rows, MOST_RUNS, "see the checks of the commit"),
  ];
}

const MOST_RUNS = 10;

/** A check that said different things of one tree, with both outputs (C103, C166); [] where none was seen. */
export function flakeBlocks({ state: { first_check: first, verdict } }: Pick<RunView, "state">): Block[] {
  const flake = verdict?.flake ?? first?.flake;
  if (flake === undefined) return [];
  const { command, tests, red, green, other, stable = [] } = flake;
  const WHOLE = "The whole check was asked, because no command for a part of it is known.";
  const what =
    other === undefined
      ? inline`${code(command)} was red and green on the same files. Such a green is no proof. ${WHOLE}`
      : inline`${code(command)} was red on the same files for different tests. At one time only failed those below. ${WHOLE}`;
  return [
    heading(3, "Flaky"),
    paragraph`${what}`,
    ...namesBlock(tests),
    ...(stable.length === 0 ? [] : [paragraph`Red every time, and so no flake:`, ...namesBlock(stable)]),
    ...folded("The red output", [fence("text", quieted(red))]),
    ...(other === undefined
      ? folded("The green output", [fence("text", quieted(green))])
      : folded("The other red output", [fence("text", quieted(other))])),
  ];
}

function namesBlock(names: readonly string[]): Block[] {
  if (names.length === 0) return [];
  return [
    listed(
      names.map((name) => code(name)),
      MOST,
      "see the log of the run",
    ),
  ];
}

/** What CI is asked of a failed run. Names of others are in it. */
function askedText({ proves, run }: Repair): string {
  const names = proves.map(({ name }) => `“${seenOnOneLine(name, LONGEST)}”`).join(", ");
  return `The work is done only when GitHub shows ${names || run.file} green on it.`;
}

const LONGEST = 200;

/** What was seen of a failed run on this machine, for people. Names of others are in it. */
function hereText({ here, command, not_here: why }: Repair): string {
  const seen =
    here === "red"
      ? "It showed here as well, before the first turn."
      : here === "green"
        ? "It did not show here: the checks were green before the first turn."
        : "It was not tried here before the first turn.";
  return command === null ? `${seen} The job's own command cannot be run here: ${why ?? "it is not known"}.` : seen;
}
