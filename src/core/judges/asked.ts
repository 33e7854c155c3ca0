import type { Bend, BendKind, TextChange } from "./bend.ts";

/**
 * What the words of a task ask for, as far as it bends what judges the work (C42). Words that ask for something else, such
 * as "fix the failing tests", ask for nothing of this.
 */
export interface Asked {
  readonly kinds: ReadonlySet<BendKind>;
  /** what is to be removed, in lower case: names and words of four characters and more */
  readonly removed: ReadonlySet<string>;
  /** platforms that are named, in lower case */
  readonly platforms: ReadonlySet<string>;
  /** numbers that stand in the task */
  readonly numbers: ReadonlySet<string>;
  /** its words, at most 16,384 characters */
  readonly text: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const CHANGE = words(
  "update updates updating rewrite rewriting adapt adapting adjust adjusting migrate migrating port porting convert converting replace replacing rename renaming refactor refactoring restructure restructuring simplify simplifying modernize modernise correct correcting change changing edit editing modify modifying merge deduplicate parametrize parametrise parameterize",
);
const RENEW = words(
  "regenerate regenerating refresh refreshing record re-record rerecord rebaseline bless accept approve",
);
const REMOVE = words("remove removing delete deleting drop dropping prune pruning retire retiring purge strip erase");
const SKIP = words("skip skipping disable disabling quarantine quarantining mute exclude excluding xfail ignore");
const LOOSEN = words(
  "lower lowering reduce reducing relax relaxing raise raising increase increasing loosen loosening widen widening extend bump bumping tolerate allow permit",
);
const OFF = words("disable disabling silence silencing suppress suppressing ignore ignoring relax relaxing loosen add");
const MOCK = words("mock mocking stub stubbing fake faking");
const DONE_TO = words(
  "updated rewritten adapted adjusted migrated ported converted replaced renamed corrected changed regenerated refreshed re-recorded removed deleted dropped skipped disabled quarantined excluded lowered reduced relaxed raised increased loosened widened extended bumped suppressed silenced ignored mocked stubbed",
);

const TESTS = words(
  "test tests spec specs testsuite suite suites assertion assertions expectations testcases unittests",
);
const EXPECTED = words("expectation expectations expected assertion assertions");
const SNAPSHOTS = words(
  "snapshot snapshots snap golden goldens goldenfiles baseline baselines fixture fixtures cassettes",
);
const TIMEOUTS = words("timeout timeouts time-out time-outs");
const TOLERANCES = words("tolerance tolerances epsilon precision rounding");
const THRESHOLDS = words("threshold thresholds coverage mutation max-warnings warnings limit");
const RULES = words(
  "rule rules lint linter linting eslint biome oxlint ruff flake8 pylint mypy clippy rubocop golangci-lint noqa strict strictness suppressions suppression warning warnings type-check typecheck",
);
const RUNNERS = words(
  "jest vitest mocha jasmine ava tape karma node:test pytest unittest nose nose2 junit junit4 junit5 testng spock minitest rspec phpunit pest nunit xunit mstest googletest gtest catch2 doctest runner framework",
);
const ERRORS = words("error errors exception exceptions failure failures");

const OF_TESTS: readonly BendKind[] = [
  "expectation_replaced",
  "matcher_loosened",
  "fewer_assertions",
  "tolerance_widened",
  "timeout_raised",
  "snapshot_replaced",
];

interface Wish {
  readonly verbs: readonly ReadonlySet<string>[];
  readonly objects: ReadonlySet<string>;
  readonly kinds: readonly BendKind[];
}

/** What stands for tests that the sentence has named before. */
const NAMED_BEFORE = words("them it those these");

/** A verb, and soon after it what it is done to. */
const WISHES: readonly Wish[] = [
  { verbs: [CHANGE], objects: TESTS, kinds: OF_TESTS },
  { verbs: [CHANGE, RENEW], objects: SNAPSHOTS, kinds: ["snapshot_replaced", "expectation_replaced"] },
  { verbs: [RENEW], objects: TESTS, kinds: OF_TESTS },
  { verbs: [CHANGE, RENEW], objects: EXPECTED, kinds: ["expectation_replaced", "snapshot_replaced"] },
  { verbs: [REMOVE], objects: TESTS, kinds: ["tests_removed", "fewer_assertions"] },
  { verbs: [REMOVE], objects: SNAPSHOTS, kinds: ["snapshot_replaced", "tests_removed", "fewer_assertions"] },
  { verbs: [SKIP], objects: TESTS, kinds: ["tests_excluded"] },
  { verbs: [LOOSEN, CHANGE], objects: TIMEOUTS, kinds: ["timeout_raised"] },
  { verbs: [LOOSEN, CHANGE], objects: TOLERANCES, kinds: ["tolerance_widened", "matcher_loosened"] },
  { verbs: [LOOSEN, CHANGE, REMOVE], objects: THRESHOLDS, kinds: ["threshold_lowered"] },
  { verbs: [LOOSEN], objects: TESTS, kinds: ["matcher_loosened", "tolerance_widened"] },
  { verbs: [OFF, REMOVE, CHANGE], objects: RULES, kinds: ["rule_off", "rule_off_inline"] },
  { verbs: [MOCK], objects: TESTS, kinds: ["unit_stubbed"] },
  { verbs: [SKIP, words("swallow swallowing suppress tolerate")], objects: ERRORS, kinds: ["errors_swallowed"] },
];

const NEVER_BLOCKS =
  /\b(?:non-?blocking|informational|advisory|allow(?:ed)?[- ](?:to[- ]fail|failures?)|continue-on-error|best[- ]effort|may fail|does not fail the build)\b/iu;
const FLAKY = /\b(?:fix-flakes|flak(?:y|es|iness|e)|deflake|intermittent(?:ly)?)\b/iu;
const MIGRATES = words(
  "migrate migrating move moving switch switching port porting convert converting replace replacing",
);
const PLATFORM =
  /\b(?:windows|win32|macos|mac os|darwin|osx|linux|freebsd|android|ios|arm64|arm|x86|wasm|musl|big-endian|platforms?)\b/giu;

/** Behind these a verb has another object, or none. */
const ENDS = words(
  "so until make makes making that which while because when if pass passes passing whether not never without nothing instead but run running rerun keep keeps against before after",
);
const NEGATES = words(
  "not never don't dont mustn't cannot can't without no avoid avoiding shouldn't won't leave keep nor",
);
const REACH = 6; // words
const TASK_LENGTH = 16_384;
const SENTENCES = 400;
const WORDS = 120; // of a sentence

/** Reads what a task asks for. Takes time linear in the length, of which the first 16,384 characters count. */
export function askedIn(task: string): Asked {
  const text = task.slice(0, TASK_LENGTH);
  const sentences = text.split(/[!?\n;]|\.(?=\s|$)|,\s+(?=but\b)/u, SENTENCES).map(wordsIn);
  const kinds = new Set<BendKind>();
  for (const { verbs, objects, kinds: found } of WISHES) {
    if (sentences.some((sentence) => verbs.some((of) => wishes(sentence, of, objects))))
      for (const kind of found) kinds.add(kind);
  }
  if (
    sentences.some(
      (sentence) =>
        wishes(sentence, MIGRATES, RUNNERS) && sentence.some((word) => TESTS.has(word) || NAMED_RUNNERS.has(word)),
    )
  ) {
    for (const kind of [...OF_TESTS, "tests_removed", "tests_excluded", "unit_stubbed"] as const) kinds.add(kind);
  }
  if (FLAKY.test(text))
    for (const kind of ["timeout_raised", "tolerance_widened", "matcher_loosened", "expectation_replaced"] as const)
      kinds.add(kind);
  if (NEVER_BLOCKS.test(text)) kinds.add("cannot_fail");
  return {
    kinds,
    removed: new Set(sentences.flatMap(removedIn)),
    platforms: new Set([...text.matchAll(PLATFORM)].map(([name]) => name.toLowerCase())),
    numbers: new Set([...text.matchAll(NUMBER)].map(([found]) => found)),
    text,
  };
}

const NAMED_RUNNERS: ReadonlySet<string> = new Set(
  [...RUNNERS].filter((name) => name !== "runner" && name !== "framework"),
);

const TURNS_OFF = /\b(?:turn|switch)(?:ing|ed|es|s)?(?: \S{1,60}){0,5}? off\b/giu;

function wordsIn(sentence: string): readonly string[] {
  const plain = sentence.replace(TURNS_OFF, (said) => said.replace(/^\S+/u, "disable"));
  return (plain.toLowerCase().match(/[\p{L}\d][\p{L}\d:_'’-]*/gu) ?? [])
    .slice(0, WORDS)
    .map((word) => word.replace("’", "'"));
}

function wishes(sentence: readonly string[], verbs: ReadonlySet<string>, objects: ReadonlySet<string>): boolean {
  return sentence.some((word, at) => {
    if (verbs.has(word) && !isNegated(sentence, at)) return objectAfter(sentence, at, objects);
    return objects.has(word) && !isNegated(sentence, at) && isDoneTo(sentence, at, verbs);
  });
}

function objectAfter(sentence: readonly string[], at: number, objects: ReadonlySet<string>): boolean {
  const behind = sentence.slice(at + 1, at + 1 + REACH);
  const end = behind.findIndex((word) => ENDS.has(word));
  const within = end === -1 ? behind : behind.slice(0, end);
  if (within.some((word, i) => objects.has(word) && !isPartOfName(word, behind[i + 1]))) return true;
  // "Mark the slow tests and skip them."
  return (
    NAMED_BEFORE.has(within[0] ?? "") && objects === TESTS && sentence.slice(0, at).some((word) => objects.has(word))
  );
}

/** A test runner is no test, nor is a test database. */
function isPartOfName(word: string, next: string | undefined): boolean {
  return (
    word === "test" &&
    next !== undefined &&
    /^(?:runner|framework|command|script|database|server|env|environment|data|helper|helpers|setup|dependency|dependencies|job)$/u.test(
      next,
    )
  );
}

/** "The snapshots need to be regenerated". */
function isDoneTo(sentence: readonly string[], at: number, verbs: ReadonlySet<string>): boolean {
  const behind = sentence.slice(at + 1, at + 1 + REACH);
  const end = behind.findIndex((word) => ENDS.has(word) || word === "was" || word === "were");
  const within = end === -1 ? behind : behind.slice(0, end);
  const must = within.findIndex((word) => /^(?:should|must|need|needs|have|has|can|may|shall)$/u.test(word));
  return must !== -1 && within.slice(must).some((word) => DONE_TO.has(word) && isFormOf(word, verbs));
}

function isFormOf(participle: string, verbs: ReadonlySet<string>): boolean {
  const stem = participle.replace(/(?:ten|ed|d)$/u, "").slice(0, 5);
  return [...verbs].some((verb) => verb.startsWith(stem));
}

function isNegated(sentence: readonly string[], at: number): boolean {
  return sentence.slice(Math.max(0, at - 4), at).some((word) => NEGATES.has(word));
}

const GONE =
  /^(?:remove|delete|drop|retire|purge|prune|removing|deleting|dropping|deprecat\w{1,4}|dead|unused|obsolete|rid|eliminate|eliminating|removal|discontinue)$/u;

/** What a sentence says is to go. */
function removedIn(sentence: readonly string[]): readonly string[] {
  return sentence.flatMap((word, at) => {
    const isOver = word === "longer" && sentence[at - 1] === "no" && OVER.has(sentence[at + 1] ?? "");
    if (!isOver && (!GONE.test(word) || isNegated(sentence, at))) return [];
    const behind = sentence.slice(at + 1, at + 1 + REACH * 2);
    const end = behind.findIndex((other) => ENDS.has(other));
    return (end === -1 ? behind : behind.slice(0, end)).filter(
      (other) => other.length >= 4 && !TESTS.has(other) && !COMMON.has(other),
    );
  });
}

/** "We no longer support it." */
const OVER = words("support need use want offer ship maintain");
const COMMON = words(
  "support need want offer ship maintain from with code dead unused obsolete the this that file files function module class method legacy command option feature and also their them",
);

const NUMBER = /(?<![\w.])-?\d{1,40}(?:[._]\d{1,40}){0,8}(?!\w)/gu;
const QUOTED = /"[^"\n]{0,200}"|'[^'\n]{0,200}'|`[^`\n]{0,200}`/gu;
const SHORTEST = 2; // of a text in quotation marks that is looked for in the task

function unquoted(literal: string): string {
  return literal.replace(/^(["'`])([^]*)\1$/u, "$2");
}

/** Whether a bend is what the task asks for, or what that brings along. */
export function isAsked(asked: Asked, found: Bend, changes: readonly TextChange[]): boolean {
  const { kind, now } = found;
  if (asked.kinds.has(kind)) return true;
  if (WITH_UNIT.has(kind)) return goesWithItsUnit(asked, found, changes);
  if (kind === "tests_excluded") return isOfPlatform(asked, now ?? "");
  return OF_VALUES.has(kind) && isSaid(asked, found);
}

/** What goes when what they test goes. */
const WITH_UNIT: ReadonlySet<BendKind> = new Set(["tests_removed", "fewer_assertions"]);
/** What a new value can be. */
const OF_VALUES: ReadonlySet<BendKind> = new Set([
  "expectation_replaced",
  "tolerance_widened",
  "timeout_raised",
  "threshold_lowered",
]);

/** Tests go with what they test, where that was to go. */
function goesWithItsUnit({ removed }: Asked, { path, was }: Bend, changes: readonly TextChange[]): boolean {
  if (removed.size === 0) return false;
  const about = `${unitOf(path)} ${was ?? ""}`.toLowerCase();
  if ([...removed].some((word) => about.includes(word))) return true;
  const text = changes.find((change) => change.path === path)?.before ?? "";
  const units = changes
    .filter(({ after, path: of }) => after === null && of !== path)
    .map(({ path: of }) => unitOf(of).toLowerCase());
  return units.some(
    (unit) =>
      unit.length >= 3 &&
      (unitOf(path).toLowerCase() === unit || text.toLowerCase().includes(unit)) &&
      [...removed].some((word) => unit.includes(word) || word.includes(unit)),
  );
}

/** The file's name without its ending and what makes it a test. */
function unitOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/u, "");
  return name
    .replace(/(?:[._-](?:tests?|specs?))$/iu, "")
    .replace(/^(?:tests?|specs?)[._-]/iu, "")
    .replace(/(?:Tests?|Spec|TestCase)$/u, "");
}

function isOfPlatform({ platforms }: Asked, now: string): boolean {
  return (
    platforms.size > 0 &&
    /win(?:dows|32)|darwin|mac_?os|linux|platform|goos|goarch|arch\b|arm|wasm|target_os|IsOSPlatform|EnabledOnOs|DisabledOnOs/iu.test(
      now,
    )
  );
}

/** That a task wants something, and not that it is so: "must return null", "Throw an error", not "returns null". */
const wanted = (what: string): RegExp =>
  new RegExp(
    String.raw`(?:\b(?:must|should|shall|has to|have to|needs? to|make|let)\b(?! not)|(?:^|[.!?\n])\s{0,9}(?:return|throw|raise|reject|refuse))(?:(?!\b(?:not|never|instead of|rather than)\b)[^.!?\n]){0,80}\b(?:${what})\b`,
    "iu",
  );

/** What a line of a test says in words, and how a task says that it wants it. */
const SAID_IN_WORDS: readonly { readonly line: RegExp; readonly task: RegExp }[] = [
  {
    line: /\b(?:null|None|nil|undefined|toBeNull|toBeUndefined|assertNull|assertIsNone|assertNil|be_nil|BeNull|is_none|isNull|IsNull)\b/u,
    task: wanted("null|none|nil|undefined|nothing"),
  },
  { line: /\b(?:true|True|toBeTruthy|assertTrue|be_truthy|BeTrue)\b/u, task: wanted("true") },
  { line: /\b(?:false|False|toBeFalsy|assertFalse|be_falsey|BeFalse)\b/u, task: wanted("false") },
  {
    line: /\b(?:toThrow\w{0,5}|rejects|raises|assertRaises\w{0,5}|assertThrows\w{0,7}|Throws\w{0,5}|raise_error|expectException\w{0,7}|is_err|should_panic|Panics)\b/u,
    task: wanted("throws?|thrown|raised?|reject(?:ed)?|panic|fail|error|exception"),
  },
];

/** Every value that is new in the line stands in the task. */
function isSaid({ numbers, text }: Asked, { was, now }: Bend): boolean {
  if (now === null) return false;
  const isNew = (values: (line: string) => readonly string[]): readonly string[] => {
    const before = new Set(values(was ?? ""));
    return values(now).filter((value) => !before.has(value));
  };
  const [amounts, quotations] = [isNew(numbersIn), isNew(quotedIn)];
  const inWords = SAID_IN_WORDS.filter(({ line }) => line.test(now) && !line.test(was ?? ""));
  if (amounts.length + quotations.length + inWords.length === 0) return false;
  const templates = quotedIn(text).filter((template) => HOLE.test(template));
  return (
    amounts.every((value) => numbers.has(value)) &&
    quotations.every((value) => value.length >= SHORTEST && (text.includes(value) || fitsAny(templates, value))) &&
    inWords.every(({ task }) => task.test(text))
  );
}

/** `config not found: <path>`, `%s is missing`: where anything may stand. */
const HOLE = /<[\w .-]{1,40}>|\{[\w .]{0,40}\}|\$\{?\w{1,40}\}?|%[sdfvq]/u;
const LEAST_FIXED = 6; // of a template, UTF-16 units
const MOST_TEMPLATES = 20;

/** Whether a value is what a template makes of something: its fixed parts stand in it, in order. */
function fitsAny(templates: readonly string[], value: string): boolean {
  return templates.slice(0, MOST_TEMPLATES).some((template) => {
    const parts = template.split(new RegExp(HOLE.source, "gu"));
    let at = 0;
    for (const part of parts) {
      const found = value.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return parts.join("").length >= LEAST_FIXED;
  });
}

function numbersIn(line: string): readonly string[] {
  return [...line.replaceAll(QUOTED, " ").matchAll(NUMBER)].map(([found]) => found);
}

function quotedIn(line: string): readonly string[] {
  return [...line.matchAll(QUOTED)].map(([found]) => unquoted(found));
}
