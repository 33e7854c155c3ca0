/**
 * Words that leave open what has to be true: two people who look at the same program can differ. The authoring guide
 * lists the same ones.
 */
export const VAGUE_WORDS: readonly string[] = [
  "adequate",
  "and so on",
  "appropriate",
  "appropriately",
  "as appropriate",
  "as expected",
  "as needed",
  "as required",
  "beautiful",
  "best practices",
  "better",
  "clean code",
  "correctly",
  "easily",
  "easy to use",
  "efficient",
  "efficiently",
  "etc",
  "fast",
  "flexible",
  "gracefully",
  "high quality",
  "if possible",
  "improved",
  "intuitive",
  "modern",
  "nice",
  "optimal",
  "optimized",
  "performant",
  "production-ready",
  "properly",
  "quickly",
  "reasonable",
  "responsive",
  "robust",
  "scalable",
  "seamless",
  "simple",
  "smooth",
  "state of the art",
  "sufficient",
  "user-friendly",
  "user friendly",
  "well-designed",
  "well-tested",
  "where possible",
  "works well",
];

/** With a hyphen, a colon or a slash in it (`test:fast`), it is one word. */
const WORD = /\w+(?:[:/-]\w+)*/gu;

/** By their first word, the rest of each. */
const BY_FIRST = new Map<string, string[][]>();
for (const words of VAGUE_WORDS.map((phrase) => phrase.split(" "))) {
  const [first = "", ...rest] = words;
  BY_FIRST.set(first, [...(BY_FIRST.get(first) ?? []), rest]);
}

/** Those in a text, each once and in small letters; what stands between backticks or double quotes is no word of it. */
export function vagueWordsIn(text: string): readonly string[] {
  const words =
    text
      .replaceAll(/`[^`]*`|"[^"]*"/gu, " ")
      .toLowerCase()
      .match(WORD) ?? [];
  const found = words.flatMap((word, at) =>
    (BY_FIRST.get(word) ?? [])
      .filter((rest) => rest.every((next, index) => words[at + 1 + index] === next))
      .map((rest) => [word, ...rest].join(" ")),
  );
  return [...new Set(found)];
}
