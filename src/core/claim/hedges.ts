import { LANGUAGES, type Language } from "./languages.ts";

/** What a sentence says of the moment at which work is done. */
export interface Hedges {
  /** it denies, and not in order to say that all is well */
  readonly denies: boolean;
  /** it says "not yet" in another language than English, see `Language.notYet` */
  readonly isNotYet: boolean;
  readonly conditions: boolean;
  readonly announces: boolean;
  /** it is about being done, or about the promise */
  readonly ofBeingDone: boolean;
}

const READ = 500; // of a sentence; UTF-16 units
const CLAUSES = /[,;()，；、،؛]|\b(?:but|however|although|though|while)\b/iu;

/** Reads a sentence in each language that it may be in, clause by clause; what holds of one clause of one counts. */
export function hedgesOf(sentence: string): readonly Hedges[] {
  const clauses = sentence
    .slice(0, READ)
    .split(CLAUSES)
    .map(wordsOf)
    .filter((words) => words.trim() !== "");
  const likely = likelyLanguages(clauses.join(""));
  return clauses.flatMap((words) => likely.map((language) => hedgesIn(words, language)));
}

function hedgesIn(words: string, language: Language): Hedges {
  const has = (entries: readonly string[]): boolean => entries.some((entry) => holds(words, entry, language));
  return {
    denies: (has(language.negation) || has(language.notYet)) && !has(language.clean),
    isNotYet: has(language.notYet) && !has(language.clean),
    conditions: has(language.condition),
    announces: has(language.future),
    ofBeingDone: has(language.done),
  };
}

/** The words in lower case, one blank before and behind each. */
function wordsOf(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[‘’ʼ]/gu, "'")
    // The French and Italian article is a word of its own.
    .replaceAll(/(?<![\p{L}'])([cdjlmnst]|qu)'/gu, "$1' ");
  return ` ${words.replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, " ").trim()} `;
}

function holds(words: string, entry: string, { written }: Pick<Language, "written">): boolean {
  if (written === "parts") return words.includes(entry);
  if (entry.startsWith("*")) return words.includes(`${entry.slice(1)} `);
  return entry.endsWith("*") ? words.includes(` ${entry.slice(0, -1)}`) : words.includes(` ${entry} `);
}

/**
 * The languages of which most words are there, so that the Spanish "no" is not read into English. Several where that does
 * not tell them apart, unless English, in which the prompt is, is among them.
 */
function likelyLanguages(words: string): readonly Language[] {
  const scored = LANGUAGES.map((language) => {
    const { negation, notYet, condition, future, done, clean, common } = language;
    const known = [...negation, ...notYet, ...condition, ...future, ...done, ...clean, ...common];
    const found = known.filter((entry) => holds(words, entry, language));
    return { language, score: found.join(" ").split(" ").filter(Boolean).length };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const likely = best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ language }) => language);
  const english = likely.filter(({ name }) => name === "English");
  return english.length > 0 ? english : likely;
}
