import { saidWithCode } from "../markup.ts";

const SENTENCES = 400; // no more of a message is read, from its end
const SENTENCE = 1_000;
const NAMES = 40; // no more files of a message are looked up
const PATH_LENGTH = 200;

/** Files that end in something else may be a call, a host, a version or a product. */
const EXTENSIONS = new Set(
  "c cc cpp h hpp cs fs vb go rs py pyi rb php java kt kts scala clj ex exs erl hs ml swift m mm dart lua pl pm r jl zig nim sh bash zsh fish ps1 bat js mjs cjs jsx ts mts cts tsx vue svelte astro html htm css scss sass less md mdx rst adoc txt json jsonc json5 yml yaml toml ini cfg conf env xml svg csv tsv sql graphql gql proto tf hcl gradle cmake mk lock snap ipynb tex feature png jpg jpeg gif webp pdf".split(
    " ",
  ),
);
const WHOLE_NAMES =
  /^(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Justfile|LICENSE|CODEOWNERS|\.gitignore|\.dockerignore|\.editorconfig|\.gitattributes|\.npmrc)$/u;
/** "Node.js", "Vue.js", "lodash.js" are no files, unless somebody has written them. */
const PRODUCT = /^[\w-]+\.js$/iu;

const MAKES = "created|wrote|written|generated|saved";
const VERBS = `${MAKES}|added|updated|modified|edited|changed|rewrote|rewritten|extended|fixed|corrected|implemented|refactored|documented|adjusted|improved|expanded|filled`;
/** What somebody says to have done: at the start of a clause, without anybody else as the one who did it. */
const DID = new RegExp(
  `^[\\s\\-*+•✅✔☑_]*(?:\\d{1,3}[.)]\\s+)?(?:(?:done|summary|changes?|result)\\s*[:-]\\s*)?(?:and\\s+|then\\s+|also\\s+|finally\\s+|next,?\\s+)*(?:(?:i|we)(?:['’]ve|\\s+have)?\\s+)?(?:(?:also|then|now|newly|finally|successfully|just)\\s+)*(?<verb>${VERBS})\\b(?<rest>.*)$`,
  "isu",
);
/** "`a.ts` was updated", "a.ts: created"; the name is put in place of a sign before. */
const DONE_TO =
  /^[\s\-*+•✅✔☑_]*(?:\d{1,3}[.)]\s+)?(?:the (?:new )?(?:files?|module|script|test)?\s*)?\uE000(?<at>\d+)\uE000\s*(?:[:–—-]\s*|\((?:was )?)?(?:(?:is|was|has been|have been|were) (?:now )?)?(?:newly )?(?<verb>created|written|generated|added|updated|modified|edited|changed|rewritten|extended)\b(?!\s+by\b)/iu;
/** A list of what was done under one heading. */
const LISTED =
  /^[\s#*_>-]*(?:(?:new|created|added|written|changed|modified|updated|edited) files?|files? (?:i )?(?:created|added|written|changed|modified|updated|edited))[\s*_]*:?[\s*_]*$/iu;
/** "New file: a.ts" */
const LISTED_HERE =
  /^[\s#*_>•+-]*(?:new|created|added|written|changed|modified|updated|edited) files?[*_]*\s*[:–—-][*_]*\s+(?=\S)/iu;
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/u;

/** Before the name: what is done is done to something else, or to it in a way that leaves no trace. */
const OF_SOMETHING_ELSE =
  /\b(?:for|from|like|using|via|against|about|with|by|of|than|that|which|where|reads?|loads?|parses?|see|per|on|under|after|before|import\w*|referenc\w*|links?|pointers?|redirects?|dependenc\w+|package|library|support|no|not|never|without|unchanged|instead|rather|if|when|would|should|could|existing tests? in|bug in \w+ of)\b|n['’]t\b/iu;
/** In the sentence of the name, or right behind it: it need not be there any more, or is no file of the work. */
const IS_GONE =
  /\b(?:remov\w+|delet\w+|clean\w* up|revert\w+|renam\w+|mov(?:ed|ing)|temporar\w+|scratch|throw-?away|undid|undone|rolled back|replac\w+|no longer|discard\w*|dropp\w+|merged into|folded into|split into|submodule|other repo\w*|another repo\w*|upstream|git-?ignored|ignored|already|unchanged|untouched|example|e\.g\.|for instance|such as|would|could|should|published|deployed|uploaded|at (?:run|build|compile) ?time|bucket|wiki|gist)\b|→|->|\bsame as\b/iu;
const REFERS_BACK = /^\s*(?:it|they|that|this|these|those|both|the (?:file|script)s?)\b/iu;
const VERSION_BEHIND = /^\s*(?:to|from|v|@)\s*v?\d+[.\d]*/iu;

const CLAUSES =
  /[;]|,\s(?=(?:and\s|then\s|also\s)?(?:I|we|\w+ed|wrote|written|rewrote)\b)|\.\s|\s(?:and|but|then)\s(?=(?:then\s|also\s)?(?:I\s|we\s)?(?:\w+ed|wrote|rewrote|ran|saw|read)\b)/iu;

/**
 * The files that a message names as written by who speaks (C47). Cautious, in English: code, quotations, globs, URLs,
 * paths out of the workspace, and what is told of others do not count, nor what the message says to be gone, moved or
 * elsewhere.
 *
 * @param message normalised text
 */
export function writtenFiles(message: string): readonly string[] {
  const lines = saidWithCode(message);
  const sentences: string[] = [];
  let isListed = false;
  for (const line of lines) {
    if (line === null || line.trim() === "") continue;
    if (isListed && BULLET.test(line)) sentences.push(line.replace(BULLET, "created ").slice(0, SENTENCE));
    else sentences.push(...sentencesOf(line.replace(LISTED_HERE, "created ")));
    isListed = LISTED.test(line) || (isListed && BULLET.test(line));
  }
  const read = sentences.slice(-SENTENCES).map(withNames);
  const gone = new Set(read.flatMap(({ text, names }, at) => (isGone(text, read[at + 1]?.text) ? names : [])));
  const found = read.flatMap(writtenIn).filter((name) => !gone.has(name));
  return [...new Set(found)].slice(0, NAMES);
}

/** A row of a table is a sentence: "a.ts: updated". */
function sentencesOf(line: string): readonly string[] {
  const cells = /^\s*\|(?<inner>.*)\|\s*$/u.exec(line)?.groups?.["inner"];
  const said = cells === undefined ? line : cells.trim().replaceAll(/\s*\|\s*/gu, ": ");
  return said.split(/(?<=[.!?])\s+/u).map((sentence) => sentence.slice(0, SENTENCE));
}

function isGone(text: string, next: string | undefined): boolean {
  return IS_GONE.test(text) || (next !== undefined && REFERS_BACK.test(next) && IS_GONE.test(next));
}

/** A sentence in which numbers between two signs stand for the files that it names. */
interface Named {
  readonly text: string;
  readonly names: readonly string[];
}

const LINK = /\[[^\]\n]{0,200}\]\((?<target>[^()\s]{1,300})\)/gu;
const WORD = /`+[^`\n]{1,300}`+|[^\s`,;()"'“”‘’*<>|]+/gu;
const SIGN = "\uE000";

function withNames(sentence: string): Named {
  const names: string[] = [];
  const text = sentence
    .replaceAll(SIGN, " ")
    .replaceAll(LINK, "$<target>")
    .replaceAll(WORD, (word) => {
      const inner = word.replaceAll("`", "");
      const name = pathIn(inner);
      if (name === null) return inner === word ? word : "code";
      names.push(name);
      return `${SIGN}${names.length - 1}${SIGN}${word.endsWith(":") ? ":" : ""}`;
    });
  return { text, names };
}

/** The path that a word is; null: it is none of a file in the workspace. */
function pathIn(word: string): string | null {
  const path = word
    .replace(/[.:!?]+$/u, "")
    .replace(/(?::\d+(?:[:-]\d+)?|#L?\d+(?:-L?\d+)?)$/u, "")
    .replace(/^(?:\.\/)+/u, "");
  if (path.length > PATH_LENGTH || !/^[\p{L}\p{N}_.@+][\p{L}\p{N}_.@+/-]*$/u.test(path)) return null;
  if (/(?:^|\/)\.{1,2}(?:\/|$)|\/\/|\/$|^(?:path|your|example)\//u.test(path) || /^www\./iu.test(path)) return null;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (WHOLE_NAMES.test(name)) return path;
  const dot = name.lastIndexOf(".");
  const isFile =
    dot > 0 && EXTENSIONS.has(name.slice(dot + 1).toLowerCase()) && /[\p{L}\p{N}]/u.test(name.slice(0, dot));
  // The host of a URL without its scheme.
  const isHost = /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai)\//u.test(path);
  return isFile && !isHost ? path : null;
}

function writtenIn({ text, names }: Named): readonly string[] {
  if (names.length === 0) return [];
  return text.split(CLAUSES).flatMap((clause) => {
    const done = DONE_TO.exec(clause)?.groups;
    if (done !== undefined) return kept(names[Number(done["at"])], String(done["verb"]), clause);
    const did = DID.exec(clause)?.groups;
    return did === undefined ? [] : objectsOf(String(did["rest"]), String(did["verb"]), names);
  });
}

/** The files behind a verb, as long as nothing before them says that something else is meant. */
function objectsOf(rest: string, verb: string, names: readonly string[]): readonly string[] {
  const found: string[] = [];
  let before = "";
  const parts = rest.split(SIGN);
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) {
      before += part;
      continue;
    }
    if (OF_SOMETHING_ELSE.test(before) || wordsIn(before) > 12) break;
    found.push(...kept(names[Number(part)], verb, String(parts[at + 1])));
    before += " ";
  }
  return found;
}

function wordsIn(text: string): number {
  return text.split(/\s+/u).length;
}

function kept(name: string | undefined, verb: string, behind: string): readonly string[] {
  const isProduct = name !== undefined && PRODUCT.test(name) && !new RegExp(`^(?:${MAKES})$`, "iu").test(verb);
  return name === undefined || isProduct || VERSION_BEHIND.test(behind) ? [] : [name];
}
