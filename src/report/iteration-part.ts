import { failedTests } from "../core/progress/failures.ts";
import type { CheckResult } from "../core/verdict.ts";
import { grouped } from "../views/amounts.ts";
import { cut, oneLine } from "../views/plain-text.ts";
import { anchor, folded, markup, type Html, markHtml, verbatim } from "./html.ts";
import { checkWords, isGreen, iterationWords, markOf, moment, type ToldIteration } from "./iterations.ts";

/** A file as far as the page shows it. */
interface Excerpt {
  readonly text: string;
  /** bytes that are not in `text` */
  readonly leftOut: number;
  /** which part of it `text` is */
  readonly part: "beginning" | "end";
}

/** What is kept of an iteration in files of its own; null: nothing. */
export interface IterationTexts {
  readonly prompt: Excerpt | null;
  readonly changes: Excerpt | null;
  readonly checks: Excerpt | null;
  readonly message: Excerpt | null;
}

/** An iteration as a row that unfolds. @param inside what it holds, see `rawHtml` */
export function iterationHtml(iteration: ToldIteration, inside: Html): Html {
  const { iteration: number, item } = iteration;
  return markup`<details class="iteration searched">
    <summary>
      ${markHtml(markOf(iteration))}<strong>Iteration ${number}</strong> · ${item !== null && `${cut(oneLine(item), 120)} · `}
      ${unbroken(iterationWords(iteration))}
    </summary>
    <div id="${anchor(number)}" class="folded">${inside}</div>
  </details>`;
}

/** A line ends between two of the words' parts, never within one. */
function unbroken(words: string): string {
  return words.replaceAll(/(?<!·) (?!·)/gu, "\u00a0");
}

/** All that an iteration wrote: what was decided, each check, the diff, the prompt, the last message. */
export function rawHtml(iteration: ToldIteration, texts: IterationTexts, withTexts: boolean): Html {
  const { iteration: number, commit, checks, told, started_at: at } = iteration;
  const { prompt, changes, message } = texts;
  const isGone = prompt === null && changes === null && texts.checks === null;
  const link = anchor(number);
  return markup`<p class="dim">
      Began ${moment(at)}${commit !== null && markup`, commit <code>${commit.slice(0, 12)}</code>`} ·
      <a href="#${link}">#${link}</a>
    </p>
    <ul>
      ${told.map(({ text }) => markup`<li>${cut(text, LINE_LENGTH)}</li>`)}
    </ul>
    ${checks.map((check, index) => checkHtml(number, check, index + 1))}
    ${withTexts && isGone && GONE} ${excerptHtml(number, "output", "All that the checks said", texts.checks)}
    ${
      withTexts && [
        diffHtml(number, changes),
        excerptHtml(number, "prompt", "Prompt", prompt),
        excerptHtml(number, "message", "Last message of the agent", message),
      ]
    }`;
}

const GONE = markup`<p class="note">
  Its prompt, its diff and all that its checks said are not kept: only those of the last 50 iterations are.
</p>`;

const LINE_LENGTH = 1_000;

function checkHtml(iteration: number, check: CheckResult, index: number): Html {
  const failed = oneLine(failedTests(check));
  const label = `end of the output of check ${index} of iteration ${iteration}`;
  const output = check.tail.trim() === "" ? markup`<p>No output is kept here.</p>` : verbatim(check.tail, label);
  return folded(
    anchor(iteration, "check", index),
    markup`${markHtml(isGreen(check) ? "good" : "bad")}${checkWords(check)}`,
    markup`${failed !== "" && markup`<p>${failed}</p>`}${output}`,
  );
}

function excerptHtml(iteration: number, part: string, name: string, excerpt: Excerpt | null): Html | null {
  if (excerpt === null || excerpt.text === "") return null;
  const label = `${name}, iteration ${iteration}`;
  return folded(anchor(iteration, part), name, markup`${cutHtml(excerpt)}${verbatim(excerpt.text, label)}`);
}

/** Says in place what is missing. */
function cutHtml({ leftOut, part }: Excerpt): Html | null {
  return leftOut === 0
    ? null
    : markup`<p class="note">
        Only its ${part} is shown: ${grouped(leftOut)} bytes are left out here, and in the loop's folder.
      </p>`;
}

/** Lines of a diff that get a colour; their first sign says the same. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:diff |index |--- |\+\+\+ |\[cut: )/u, "head"],
  [/^@@/u, "at"],
  [/^\+/u, "add"],
  [/^-/u, "cut"],
];

function diffHtml(iteration: number, excerpt: Excerpt | null): Html | null {
  if (excerpt === null || excerpt.text === "") return null;
  const lines = excerpt.text.split("\n").map((line) => {
    const kind = KINDS.find(([pattern]) => pattern.test(line))?.[1];
    return [kind === undefined ? line : markup`<span class="${kind}">${line}</span>`, "\n"];
  });
  const shown = markup`<pre class="diff" tabindex="0" role="region" aria-label="Changes, iteration ${iteration}">${lines}</pre>`;
  return folded(anchor(iteration, "changes"), "Changes", markup`${cutHtml(excerpt)}${shown}`);
}
