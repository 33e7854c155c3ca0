import { plainText } from "../views/plain-text.ts";

/** Markup that this room has written; whatever others wrote is in it as text alone. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a hole of `markup`; `null`, `undefined` and `false` leave it empty. */
export type Hole = Html | string | number | null | undefined | false | readonly Hole[];

/** Text of anybody as HTML shows it, in an element and in an attribute between quotes; without control characters. */
export function escaped(text: string): string {
  return plainText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function filled(hole: Hole): string {
  if (hole === null || hole === undefined || hole === false) return "";
  if (hole instanceof Html) return hole.text;
  if (typeof hole === "string") return escaped(hole);
  return typeof hole === "number" ? String(hole) : hole.map(filled).join("");
}

/** Markup with holes: what is no markup itself is escaped, so that no text can become any. */
export function markup(parts: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  return new Html(parts.map((part, index) => part + filled(holes[index])).join(""));
}

/**
 * A sentence whose commands stand between backticks, as the terminal shows it: they are code on the page.
 *
 * @param commands known ones of others that it may name: they are code as they are, whatever is in them (C175)
 */
export function prose(text: string, commands: readonly string[] = []): Html {
  const [command = "", ...shorter] = commands.toSorted((a, b) => b.length - a.length);
  if (command === "") {
    const pieces = text.split(/`([^`]+)`/u);
    return markup`${pieces.map((piece, index) => (index % 2 === 0 ? piece : markup`<code>${piece}</code>`))}`;
  }
  const quoted = text.split(`\`${command}\``);
  // Without backticks around it, only its own would be lost.
  const pieces = command.includes("`") ? quoted.flatMap((piece) => piece.split(command)) : quoted;
  return markup`${pieces.map((piece, index) => [index > 0 && markup`<code>${command}</code>`, prose(piece, shorter)])}`;
}

/** An address in the page as a part of ids and links: `i7-check-2`. */
export function anchor(iteration: number, part = "", index?: number): string {
  return [`i${iteration}`, ...(part === "" ? [] : [part]), ...(index === undefined ? [] : [index])].join("-");
}

/** What a mark says: never by its colour alone. */
const MARKS = { good: ["✓", "passed"], bad: ["✗", "failed"], open: ["–", "not proved"] } as const;
export type Mark = keyof typeof MARKS;

/** A mark with words for who cannot see it. */
export function markHtml(mark: Mark): Html {
  const [sign, words] = MARKS[mark];
  return markup`<span class="mark ${mark}" aria-hidden="true">${sign}</span><span class="hidden">${words}:</span> `;
}

/** A part of the page that a person may unfold; a link to `id` opens it, without a script as well. */
export function folded(id: string, summary: Hole, content: Hole, kind = "fold"): Html {
  return markup`<details class="${kind}">
    <summary>${summary}</summary>
    <div id="${id}" class="folded">${content}</div>
  </details>`;
}

/** A text as it is, which can be scrolled by keyboard. @param label what a screen reader calls it */
export function verbatim(text: string, label: string): Html {
  return markup`<pre tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}

/** A text that a button may copy. */
export function source(id: string, text: string, label: string): Html {
  return new Html(`<pre id="${id}" tabindex="0" role="region" aria-label="${escaped(label)}">${escaped(text)}</pre>`);
}

/** Copies a `source`; it shows where scripts run. */
export function copyButton(id: string, label: string): Html {
  return markup`<button type="button" data-copy="${id}" hidden>Copy<span class="hidden"> ${label}</span></button>`;
}

/** A text with a button that copies it. */
export function copyable(id: string, text: string, label: string): Html {
  return markup`<div class="copyable">${source(id, text, label)}${copyButton(id, label)}</div>`;
}
