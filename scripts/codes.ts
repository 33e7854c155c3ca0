/**
 * Every code that somebody cites (W-37, C25, PRE 6, B3, T12, section 4.3) can be looked up: docs/requirements.md or
 * docs/threats.md defines it, once.
 *
 *     node scripts/codes.ts [root]
 */
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./command.ts";

/** A place where a code is cited or defined. */
export interface CodeAt {
  /** relative to the root */
  readonly file: string;
  /** from 1 */
  readonly line: number;
  readonly code: string;
}

const CITING = [
  ...["src", "test", "scripts", "bench", "fuzz", "examples", "docs", ".github"],
  ...["action.yml", "README.md", "AGENTS.md", "CONTRIBUTING.md", "CHANGELOG.md"],
];
/** Recordings and expected output of other programs: what looks like a code there is none. */
const FOREIGN = ["test/fixtures", "test/golden"];
const TEXT = /\.(?:ts|mjs|md|ya?ml|sh)$/u;

/** Where codes are defined, and what stands before a section of that page where it is cited. */
const PAGES = [
  { file: "docs/requirements.md", page: "" },
  { file: "docs/threats.md", page: "threats, " },
] as const;

const CODE = String.raw`[WRLSD]-\d{1,3}|(?:PRE|POST) \d{1,2}[a-z]?|FR\d{1,2}|[CTBP][1-9]\d?`;
const NUMBER = String.raw`\d{1,2}(?:\.\d{1,2})?`;
const NUMBERS = String.raw`${NUMBER}(?:(?:, | and |, and )${NUMBER})*`;
const CITED_CODE = new RegExp(String.raw`(?<![\w.-])(?:${CODE})(?![\w-])`, "gu");
/** One section or several, as in "sections 4.1 and 4.2". */
const CITED_SECTIONS = new RegExp(String.raw`\b(?<page>threats, )?sections? (?<numbers>${NUMBERS})(?![\w.]*\w)`, "giu");
const CITED = String.raw`(?:${CODE}|(?:threats, )?[Ss]ections? ${NUMBERS})(?![\w-])`;
/** The codes that a text begins with; `colon` when they head the rest of it, as a title's must not. */
export const LEADING_CODES = new RegExp(String.raw`^${CITED}(?:(?:, | and | to | )${CITED})*(?<colon>: )?`, "u");
/** The first cell of a table, or the beginning of a heading. */
const DEFINITION = new RegExp(String.raw`^(?:\| *|#{2,4} )(?<code>${CODE})(?: *\|| )`, "u");
const SECTION = new RegExp(String.raw`^#{2,4} (?<number>${NUMBER}) `, "u");

/** The citations of codes that nobody defines, in the order of files and lines. @param root of the project */
export async function undefinedCodes(root: string = ROOT): Promise<readonly CodeAt[]> {
  const defined = new Set((await definitions(root)).map(({ code }) => code));
  const files = (await Promise.all(CITING.map((place) => textFiles(root, place)))).flat().toSorted();
  const cited = await Promise.all(files.map((file) => inLines(root, file, codesIn)));
  return cited.flat().filter(({ code }) => !defined.has(code));
}

/** The definitions of codes that are defined already. @param root of the project */
export async function codesDefinedTwice(root: string = ROOT): Promise<readonly CodeAt[]> {
  const all = await definitions(root);
  return all.filter(({ code }, index) => all.findIndex((other) => other.code === code) < index);
}

async function definitions(root: string): Promise<readonly CodeAt[]> {
  const found = PAGES.map(({ file, page }) => inLines(root, file, (line) => definedIn(line, page)));
  return (await Promise.all(found)).flat();
}

function definedIn(line: string, page: string): readonly string[] {
  const code = DEFINITION.exec(line)?.groups?.["code"];
  const section = SECTION.exec(line)?.groups?.["number"];
  return [...(code === undefined ? [] : [code]), ...(section === undefined ? [] : [`${page}section ${section}`])];
}

function codesIn(line: string): readonly string[] {
  const codes = [...line.matchAll(CITED_CODE)].map(([code]) => code);
  const sections = [...line.matchAll(CITED_SECTIONS)].flatMap(({ groups }) =>
    (groups?.["numbers"] ?? "").split(/, and |, | and /u).map((number) => `${groups?.["page"] ?? ""}section ${number}`),
  );
  return [...codes, ...sections];
}

async function inLines(
  root: string,
  file: string,
  find: (line: string) => readonly string[],
): Promise<readonly CodeAt[]> {
  const lines = (await readFile(path.join(root, file), "utf8")).split("\n");
  return lines.flatMap((line, index) => find(line).map((code) => ({ file, line: index + 1, code })));
}

/** Those below `place`, a file or a folder that need not be there. */
async function textFiles(root: string, place: string): Promise<readonly string[]> {
  const found = await stat(path.join(root, place)).catch(() => undefined);
  if (found === undefined) return [];
  if (found.isFile()) return [place];
  const below = await readdir(path.join(root, place), { recursive: true, withFileTypes: true });
  return below
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !FOREIGN.some((folder) => file.startsWith(`${folder}${path.sep}`)));
}

if (import.meta.main) {
  const root = path.resolve(process.argv[2] ?? ROOT);
  const [unknown, twice] = await Promise.all([undefinedCodes(root), codesDefinedTwice(root)]);
  for (const { file, line, code } of unknown) console.error(`${file}:${line}: ${code} is defined nowhere`);
  for (const { file, line, code } of twice) console.error(`${file}:${line}: ${code} is defined already`);
  process.exitCode = unknown.length + twice.length === 0 ? 0 : 1;
}
