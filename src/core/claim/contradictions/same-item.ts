const WORDS = 40; // of a text that are compared
const STEM = 4;
/** These tell no item from others, unless there is nothing else. */
const STOP = new Set(
  "the and for with that this from into are was has have its all any not then them each when write writing wrote written add adding added create creating created implement implementing implemented make making update updating updated doing done item items task tasks step steps section part todo".split(
    " ",
  ),
);
/** Scripts that put no space between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** What tells a text from others: the stems of its longer words, or pairs of signs where words are not told apart. */
export function stemsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.slice(0, WORDS) ?? [];
  const telling = words.filter((word) => word.length > 2 && !STOP.has(word));
  return new Set((telling.length > 0 ? telling : words).flatMap(stems));
}

function stems(word: string): readonly string[] {
  if (!UNSPACED.test(word)) return [word.slice(0, STEM)];
  const signs = Array.from(word.slice(0, WORDS));
  return signs.length < 2 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
}

/** Which part of what tells the first text is in the second: 0 to 1. */
export function sharedPart(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  const shared = [...first].filter((stem) => second.has(stem)).length;
  return shared / Math.max(1, first.size);
}
