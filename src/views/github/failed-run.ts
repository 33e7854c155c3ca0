import { CAUSES, type Repair } from "../../core/repair/repair.ts";
import { counted } from "../amounts.ts";
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
  quieted,
} from "./markdown.ts";

const MOST = 20;

/** The failed run that a loop repairs: why it failed, with the evidence, and what could be seen of it here; [] without one. */
export function failedRunBlocks({ state: { repair } }: Pick<RunView, "state">): Block[] {
  if (repair === null) return [];
  const { run, jobs, more_jobs: more, cause, range } = repair;
  const [first] = jobs;
  const named = first === undefined ? [] : inline`, job ${link(first.name, first.url)}`;
  const others = jobs.length - 1 + more;
  const rest = others > 0 ? inline` and ${counted(others, "other job")}` : [];
  const evidence: Hole[] = cause.evidence.map(({ text, url }) =>
    url === null ? text : inline`${text} ${link("Look.", url)}`,
  );
  const subjects = range.commits.map(({ sha, subject }): Hole => inline`${code(sha.slice(0, 12))} ${subject}`);
  return [
    heading(3, "The failed run"),
    paragraph`${link(run.workflow || run.file, run.url)}${named}${rest}, for commit ${code(run.sha.slice(0, 12))}.`,
    paragraph`**Cause: ${CAUSES[cause.kind]}.**`,
    listed(evidence, MOST, "see the log of the run"),
    paragraph`${hereText(repair)}`,
    ...(subjects.length === 0
      ? []
      : folded("Commits since the workflow was green last", [listed(subjects, MOST, "see the branch")])),
    ...(first === undefined || first.log === ""
      ? []
      : folded("What the job printed", [fence("text", quieted(first.log))])),
  ];
}

/** A check that was red and green on one tree, with both outputs (C103); [] where none was seen. */
export function flakeBlocks({ state: { first_check: first, verdict } }: Pick<RunView, "state">): Block[] {
  const flake = first?.flake ?? verdict?.flake;
  if (flake === undefined) return [];
  const { command, tests, red, green } = flake;
  return [
    heading(3, "Flaky"),
    paragraph`${code(command)} was red and green on the same files. Such a green is no proof. The whole check was asked, because no command for a part of it is known.`,
    ...(tests.length === 0
      ? []
      : [
          listed(
            tests.map((name) => code(name)),
            MOST,
            "see the log of the run",
          ),
        ]),
    ...folded("The red output", [fence("text", quieted(red))]),
    ...folded("The green output", [fence("text", quieted(green))]),
  ];
}

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
