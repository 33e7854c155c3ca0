import * as fc from "fast-check";
import type { PromiseRule } from "../../../src/core/task.ts";

/** What agents say, as texts: each arbitrary says what kind of claim its texts can hold at most. */

export const TOKEN = "<promise>DONE</promise>";

/** Any text at all, lone surrogates and control characters included. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.string({ unit: "grapheme", maxLength: 400 }),
);

/** What may be in and around status blocks, but begins none. */
const HARMLESS = [
  "",
  "   ",
  "Working on it.",
  "STATUS: COMPLETE",
  "EXIT_SIGNAL: true",
  "**Status:** done ✅.",
  "> EXIT_SIGNAL = yes",
  "SUMMARY: all work is complete",
  "---END_LOOPR_STATUS---",
  "--- END_RALPH_STATUS ---",
  "see ---LOOPR_STATUS--- at the end",
  "RALPH_STATUS",
  "LOOPR_STATUS: COMPLETE",
  "---STATUS---",
  "---LOOPR STATUS---",
  "NOTES: one",
  "BLOCKED",
  "BLOCKED: none",
  "```",
  "~~~",
  "- [x] item",
  "\u2014LOOPR_STATUS",
] as const;

/** Lines that begin a block (section 5.1). */
const STARTS = [
  "---LOOPR_STATUS---",
  "--- RALPH_STATUS ---",
  "--smithers_status--",
  "> **---LISA_STATUS---**",
  "LISA_STATUS:",
  "\u2014RALPH_STATUS\u2014",
] as const;

const joined = (lines: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fc.array(lines, { maxLength: 14 }), fc.constantFrom("\n", "\r\n")).map(([all, end]) => all.join(end));

const harmless = fc.constantFrom(...HARMLESS);

/** Texts without the start of a block. */
export const withoutBlocks: fc.Arbitrary<string> = joined(harmless);

/** Texts of block parts in any order, so that blocks are torn, nested and doubled. */
export const tornBlocks: fc.Arbitrary<string> = joined(fc.oneof(harmless, fc.constantFrom(...STARTS)));

const WHOLE = [
  "---LOOPR_STATUS---",
  "STATUS: COMPLETE",
  "EXIT_SIGNAL: true",
  "FILES_MODIFIED: 3 files",
  "ERRORS: 0",
  "SUMMARY: all work is complete",
  "---END_LOOPR_STATUS---",
].join("\n");

/** A whole block in which pieces were cut out, doubled or written over. */
export const mutatedBlocks: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.nat(WHOLE.length), fc.nat(24), fc.string({ unit: "grapheme", maxLength: 4 }), fc.boolean()), {
    maxLength: 4,
  })
  .map((mutations) =>
    mutations.reduce((text, [at, length, written, doubles]) => {
      const piece = doubles ? text.slice(at, at + length).repeat(2) : written;
      return text.slice(0, at) + piece + text.slice(at + length);
    }, WHOLE),
  );

const prose = fc.constantFrom("All done.", "", "The tests pass.", "a ` b", "# Heading", "1. one", "<promise>", "DONE");

/** Pieces in which the promise is quoted, never said. Each has lines of its own. */
const quoted = fc.constantFrom(
  `\`\`\`\n${TOKEN}\n\`\`\``,
  `~~~text\nend with\n${TOKEN}\n~~~`,
  `\`\`\`\`md\n\`\`\`\n${TOKEN}\n\`\`\`\n\`\`\`\``,
  `> ${TOKEN}`,
  `   > you said ${TOKEN} here`,
  `I will print \`${TOKEN}\` later`,
  `and \`\`${TOKEN}\`\` too`,
);

/** Messages that hold the promise as a quotation only. */
export const quotedPromises: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      prose.filter((line) => !line.includes("`")),
      quoted,
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => pieces.join("\n"));

/** Messages that mention the promise, and end with another line. */
export const mentionedPromises: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.oneof(prose, quoted, fc.constant(TOKEN)), { maxLength: 8 }),
    fc.constantFrom(
      "All done.",
      `Not yet: ${TOKEN}`,
      `${TOKEN} soon`,
      "<promise> DONE </promise>",
      "<PROMISE>DONE</PROMISE>",
    ),
    fc.constantFrom("", "\n", "\n \n"),
  )
  .map(([lines, last, end]) => `${[...lines, last].join("\n")}${end}`);

export const promiseRules: fc.Arbitrary<PromiseRule> = fc.record({
  text: fc.constantFrom("DONE", "ALL GREEN", "^done|finished$"),
  mode: fc.constantFrom("tag", "plain", "off"),
  guard: fc.constantFrom("off", "code", "final-line"),
});
