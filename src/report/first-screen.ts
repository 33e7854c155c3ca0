import { isCiFile } from "../core/progress/check-scripts.ts";
import { isTestPath } from "../core/progress/test-paths.ts";
import type { Change } from "../core/state.ts";
import { checkLabel, type FailingSet } from "../core/verdict.ts";
import { counted, duration, grouped } from "../views/amounts.ts";
import { verdictWords } from "../views/at-a-glance.ts";
import { costOrNone, forecastText } from "../views/cost.ts";
import { dangersOf } from "../views/danger.ts";
import { cut, oneLine } from "../views/plain-text.ts";
import { lastVerdict, proofOf } from "../views/proof.ts";
import { endingOf, nextStep, type RunView, shownStatus } from "../views/run-view.ts";
import { doubts, totals } from "../views/summary.ts";
import { anchor, copyable, markup, type Html, markHtml, type Hole, prose } from "./html.ts";
import { type History, iterationWords, markOf, type ToldIteration } from "./iterations.ts";

/** What a person sees first, in the order in which it is asked. @param shown the iterations that the page has */
export function firstScreen(view: RunView, { ending }: History, shown: readonly ToldIteration[]): Html {
  return markup`${dangerHtml(view)}${verdictHtml(view)}
    <section aria-labelledby="next">
      <h2 id="next">What you have to do</h2>
      ${nextHtml(view)}
    </section>
    <section aria-labelledby="rule">
      <h2 id="rule">What stopped it</h2>
      ${ruleHtml(view, ending)}
    </section>
    <section aria-labelledby="tests">
      <h2 id="tests">Failing tests</h2>
      ${testsHtml(view)}
    </section>
    <section aria-labelledby="files">
      <h2 id="files">Files changed</h2>
      ${filesHtml(view)}
    </section>
    <section aria-labelledby="took">
      <h2 id="took">Time, tokens, cost</h2>
      ${tookHtml(view)}
    </section>
    <section aria-labelledby="strip">
      <h2 id="strip">Iterations at a glance</h2>
      ${stripHtml(shown)}
    </section>`;
}

function dangerHtml({ protection }: RunView): Html {
  const dangers = dangersOf(protection);
  return markup`${
    dangers.length > 0 &&
    markup`<aside class="danger" aria-label="Warning">
      <p>Warning: run this only where nothing is of value.</p>
      ${listHtml(dangers)}
    </aside>`
  }`;
}

function listHtml(items: readonly Hole[]): Html {
  return markup`<ul>
    ${items.map((item) => markup`<li>${item}</li>`)}
  </ul>`;
}

const TONES = { good: "good", bad: "bad", warn: "warn" } as const;

function verdictHtml(view: RunView): Html {
  const { state } = view;
  const { how, why, tone } = verdictWords(view);
  const sure = lastVerdict(state);
  const commit = state.iterations.findLast((each) => each.commit !== null)?.commit ?? null;
  const rows: readonly (readonly [string, Hole])[] = [
    [
      "Command",
      sure === null || sure.checks.length === 0
        ? "none"
        : sure.checks.map((check, index) => markup`${index > 0 && ", "}<code>${oneLine(checkLabel(check))}</code>`),
    ],
    ["Commit", commit === null ? "none" : markup`<code>${commit.slice(0, 12)}</code>`],
    ["Iteration", `${grouped(state.iteration)} of ${grouped(state.max_iterations)}`],
    ...(view.branch === null ? [] : [["Branch", markup`<code>${oneLine(view.branch)}</code>`] as const]),
  ];
  const said = doubts(view);
  return markup`<section aria-labelledby="verdict" class="verdict ${tone in TONES ? tone : "plain"}">
    <h1 id="verdict"><span class="how">${how}</span> <span class="why">${prose(why, commandsOf(view))}</span></h1>
    <dl class="facts">
      ${rows.map(
        ([name, value]) =>
          markup`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${said.length > 0 && listHtml(said.map((line) => prose(line.text, commandsOf(view))))}
  </section>`;
}

/** The commands of others that its sentences may name, as these write them. */
function commandsOf({ state }: RunView): readonly string[] {
  const { stop_reason: reason } = state;
  const checks = lastVerdict(state)?.checks ?? [];
  const ofEnding = reason !== null && "command" in reason ? [reason.command] : [];
  return [...checks.flatMap((check) => [checkLabel(check), check.command]), ...ofEnding].map(oneLine);
}

/** The advice with a command to paste, or "nothing". */
function nextHtml(view: RunView): Html {
  const advice = nextStep(view);
  const command = commandIn(view, advice);
  const isDone = endingOf(view.state)?.outcome.resumableBy === "nobody";
  // The command stands below it.
  const before = command !== undefined && advice.endsWith(`: ${command}`) ? advice.slice(0, -command.length) : advice;
  return markup`<p>${isDone && markup`<strong>Nothing</strong> to start or to answer. `}${prose(before)}</p>
    ${command !== undefined && copyable("resume", command, "the command")}`;
}

/** What a command begins with; in a job, what resumes a loop is told in words. */
const PROGRAMS = /^(?:(?:waylon-)?smithers|daedalus) /u;

/** What of an advice a person pastes into a shell, or into a comment on GitHub. */
function commandIn({ resume }: RunView, advice: string): string | undefined {
  if (PROGRAMS.test(resume) && advice.includes(resume)) return resume;
  return /\/smithers prd [\w.-]+ (?:retry|accept) US-[\d-]+/u.exec(advice)?.[0];
}

function ruleHtml(view: RunView, ending: History["ending"]): Html {
  if (endingOf(view.state) === undefined)
    return markup`<p>
      ${view.alive ? "Nothing: it is running." : "No rule: its run was killed, or an error ended it."}
    </p>`;
  const lines = ending.length === 0 ? [shownStatus(view)] : ending.map(({ text }) => text);
  return listHtml(lines.map((text) => prose(text, commandsOf(view))));
}

/** Names that are shown before the rest is folded. */
const NAMES_SHOWN = 5;

function testsHtml({ state }: RunView): Html {
  const { baseline, failing } = state;
  const { failing: check } = proofOf(state);
  const now = failing ?? (check === null ? { failing: [], failing_count: 0 } : null);
  return markup`<div class="pair">
    <div>
      <h3>At the start</h3>
      ${namesHtml(baseline)}
    </div>
    <div>
      <h3>Now</h3>
      ${namesHtml(now)}
    </div>
  </div>`;
}

function namesHtml(set: Pick<FailingSet, "failing" | "failing_count"> | null): Html {
  if (set === null) return markup`<p>Not known.</p>`;
  const { failing: names, failing_count: count } = set;
  if (count === 0) return markup`<p>None.</p>`;
  const shown = names.map((name) => markup`<li><code>${cut(oneLine(name), 300)}</code></li>`);
  const rest = count - names.length;
  return markup`<p>${counted(count, "test")}</p>
    <ul>
      ${shown.slice(0, NAMES_SHOWN)}
    </ul>
    ${
      shown.length > NAMES_SHOWN &&
      markup`<details>
        <summary>${shown.length - NAMES_SHOWN} more</summary>
        <ul>
          ${shown.slice(NAMES_SHOWN)}
        </ul>
      </details>`
    }${rest > 0 && markup`<p>${counted(rest, "more test")} without a name here.</p>`}`;
}

/** A changed file as the table shows it. */
interface ChangedFile {
  readonly path: string;
  readonly kind: "CI" | "test" | "";
  readonly counts: string;
}

const LINE = /^(?<path>.*) \| (?<counts>.*)$/u;

/** The files that are named, those by which the work could have made its own checks green first. */
function changedFiles({ stat }: Pick<Change, "stat">): readonly ChangedFile[] {
  const files = stat.split("\n").flatMap((line): ChangedFile[] => {
    const { path, counts } = LINE.exec(line)?.groups ?? {};
    if (path === undefined || counts === undefined) return [];
    return [{ path, counts: counts.replace("-", "−"), kind: isCiFile(path) ? "CI" : isTestPath(path) ? "test" : "" }];
  });
  return files.toSorted((a, b) => Number(a.kind === "") - Number(b.kind === ""));
}

function filesHtml({ change }: RunView): Html {
  if (change === null)
    return markup`<p>Not known: nothing is measured here, or the loop's files were cleaned away.</p>`;
  if (change.files === 0) return markup`<p>None.</p>`;
  const files = changedFiles(change);
  const rest = change.files - files.length;
  const hasKinds = files.some(({ kind }) => kind !== "");
  return markup`<p>
      ${counted(change.files, "file")}, <span class="plus">+${grouped(change.added)}</span>
      <span class="minus">−${grouped(change.removed)}</span>
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="Changed files">
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            ${hasKinds && markup`<th scope="col">Kind</th>`}
            <th scope="col">Lines</th>
          </tr>
        </thead>
        <tbody>
          ${files.map(
            ({ path, kind, counts }) =>
              markup`<tr>
                <td><code>${oneLine(path)}</code></td>
                ${hasKinds && markup`<td>${kind}</td>`}
                <td>${oneLine(counts)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${rest > 0 && markup`<p>${counted(rest, "more file")}.</p>`}`;
}

function tookHtml(view: RunView): Html {
  const { state } = view;
  const { spent } = state;
  const guess = state.status === "completed" || state.status === "canceled" ? undefined : forecastText(state);
  const rows = [
    ["Time", duration(spent.turn_ms + spent.check_ms)],
    ["Tokens", grouped(spent.tokens)],
    ["Cost", costOrNone(state) ?? "–"],
    ...(guess === undefined ? [] : [["Still needed", `${guess} at this pace`]]),
  ];
  return markup`<dl class="facts">
      ${rows.map(
        ([name, value]) =>
          markup`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <details>
      <summary>In detail</summary>
      ${listHtml(totals(view).map((text) => prose(text)))}
    </details>`;
}

function stripHtml(shown: readonly ToldIteration[]): Html {
  if (shown.length === 0) return markup`<p>No iteration has begun.</p>`;
  const isDense = shown.length > MOST_NUMBERED;
  const [first, last] = [shown[0], shown.at(-1)];
  return markup`<ol class="strip${isDense && " dense"}">
      ${shown.map(
        (each) =>
          markup`<li>
            <a href="#${anchor(each.iteration)}" title="${iterationWords(each)}"
              >${markHtml(markOf(each))}<span class="hidden">iteration </span><span class="number">${each.iteration}</span></a
            >
          </li>`,
      )}
    </ol>
    <p class="legend">
      ✓ checks passed · ✗ failed · –
      not${NBSP}checked${isDense && ` · from iteration ${first?.iteration} to ${last?.iteration}, in their order`}
    </p>`;
}

const NBSP = "\u00a0";
/** Above it, a cell of the strip shows its mark alone. */
const MOST_NUMBERED = 60;
