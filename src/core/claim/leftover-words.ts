/**
 * The English words by which an agent admits that it leaves something. Each is tried on one part of a sentence, of at
 * most 2,000 characters; only words that can hardly mean anything else.
 */
export interface LeftoverWords {
  readonly says: RegExp;
  /** `breath`: only beside the promise; `message`: anywhere in the message */
  readonly counts: "breath" | "message";
  /** a stub, or something that does not work: a person has to look at it */
  readonly isBroken?: true;
}

const CHECKED = "(?:tests?|checks?|specs?|cases?|assertions?|failures?|errors?|suites?|builds?|lints?)";
const PIECES =
  "(?:tests?|checks?|specs?|cases?|assertions?|failures?|errors?|items?|tasks?|steps?|issues?|bugs?|parts?)";
const SOME = "(?:[1-9]\\d*|one|two|three|four|five|six|some|several|a few|many|most|half)";
const WORK =
  "(?:docs?|documentation|migrations?|implementation|features?|requirements?|items?|tasks?|endpoints?|validation|error handling|edge cases?|refactoring|clean-?up|\\w+ support|rest|remainder|remaining \\w+|second (?:half|part)|changelog|parts?|sections?|translations?|writing|adding|implementing|handling)";
const MADE =
  "(?:done|added|implemented|finished|completed?|covered|migrated|ported|converted|written|supported|handled|fixed|updated|translated|replaced)";
const DOES = "(?:add|implement|write|finish|fix|complete|migrate|port|handle|cover|do|address|wire|document|tackle)";
const LATER = "(?:later|next (?:iteration|turn|pass|pr|step|release|version|sprint|time)|another (?:turn|pr|time))";
/** Not a part of a sentence that only says which, when or where. */
const TELLING = "^(?!.*\\b(?:where|when|whenever|what|whatever|which|that|whether|who)\\b).*";
const ADVERBS = "(?:still |only |just |currently |now |basically |mostly |merely |simply |really )*";

const broken = (says: RegExp, counts: LeftoverWords["counts"] = "message"): LeftoverWords => ({
  says,
  counts,
  isBroken: true,
});
const admitted = (says: RegExp): LeftoverWords => ({ says, counts: "message" });
const beside = (says: RegExp): LeftoverWords => ({ says, counts: "breath" });

export const LEFTOVER_WORDS: readonly LeftoverWords[] = [
  // Stubs and placeholders.
  broken(
    new RegExp(
      `\\b(?:is|are|as|remains?|still|stays?|left|only|just) ${ADVERBS}(?:an? |the |some |all )?(?:simple |temporary |empty |mere |plain |hard-?coded )*(?:stubs?|stubbed(?: out)?|no-?ops?|skeletons?|mock-?ups?|dummy (?:implementations?|values?|data))\\b`,
      "iu",
    ),
  ),
  broken(
    new RegExp(
      `\\b(?:is|are|as|remains?|still|stays?|only|just) ${ADVERBS}(?:an? |the |some )?(?:simple |temporary |empty |mere |plain )*placeholders?\\b(?! (?:text|attributes?|syntax|names?)\\b| for (?!now\\b))`,
      "iu",
    ),
  ),
  broken(/\b(?:I |we )?(?:stubbed|mocked|faked|hard-?coded)\b.{0,80}\b(?:for now|out|until|instead of)\b/iu),
  broken(/\b(?:placeholder|stub|dummy|hard-?coded|fake|mock)\w*\b.{0,80}\bfor now\b(?!-)/iu),
  broken(/\bleft (?:an? |some |the )?(?:\w+ )?(?:stubs?|placeholders?)\b/iu),
  broken(/\bwith (?:an? |some )?(?:stubs?|placeholders?) (?:for now|instead)\b/iu),
  broken(/\b(?:throws?|raises?|panics? with) (?:an? )?(?:["']?not implemented|NotImplemented|unimplemented|todo!)/iu),
  broken(
    /^(?!.*\b(?:tests?|specs?)\b).*\b(?:I|we) (?:used?|added|wrote|return) (?:an? |some )?(?:dummy|fake|mock|stub) (?:implementations?|data|values?|responses?|results?)\b/iu,
  ),
  broken(
    /^(?!.*\b(?:tests?|specs?)\b).*\breturns? (?:only |just )?(?:mock(?:ed)?|fake|dummy|hard-?coded|placeholder) (?:data|values?|results?|responses?)\b/iu,
  ),
  // What does not work.
  broken(
    /\b(?:does|do|is|are|will)(?: not|n['’]t) (?:yet |fully |really |quite |actually )*(?:work|compile|build|start|run)(?:s|ing)? (?:yet|correctly|properly|at all|completely)\b/iu,
  ),
  broken(
    /\b(?:does|do|is|are)(?: not|n['’]t) (?:yet|fully|really|quite|actually) (?:work|compile|build|start|run|pass)(?:ing|s)?\b/iu,
  ),
  broken(/\bstill (?:does|do|is|are)(?: not|n['’]t) (?:work|compile|build|start|run|pass)(?:ing|s)?\b/iu),
  broken(new RegExp(`${TELLING}\\b(?:does|do|is|are)(?: not|n['’]t) (?:work|working|functional)\\W*$`, "iu"), "breath"),
  broken(new RegExp(`${TELLING}\\bnot (?:yet )?(?:working|functional)(?: yet)?\\W*$`, "iu"), "breath"),
  broken(/\bstill (?:fail\w*|broken|red|crash\w*)\b/iu, "breath"),
  broken(new RegExp(`\\b${SOME} (?:\\w+ )?${PIECES} (?:still )?fail(?:s|ing)?\\b`, "iu"), "breath"),
  broken(
    new RegExp(
      `\\b(?:the|one|that|this) (?:\\w+ ){0,3}${CHECKED} (?:is|are|remains?) (?:still |currently )?(?:failing|red|broken)\\b`,
      "iu",
    ),
    "breath",
  ),
  // Put off.
  admitted(
    /\b(?:is|are|uses?|returns?|just|only|simply)\b.{0,60}(?<!\b(?:all|it|done|everything|enough|finished|complete|ready|good|green) )(?<=\w )for now\W*$/iu,
  ),
  admitted(
    new RegExp(
      `\\b(?:(?:should|will|has to|needs to) be (?:${MADE}|improved|tackled|addressed) later(?! by\\b)|(?:can|could|should|will|has to|needs to) be (?:${MADE}|improved|tackled|addressed) in (?:an?|the|some) (?:later|separate|future|follow-?up|next|second) \\w+\\b)`,
      "iu",
    ),
  ),
  admitted(
    /\b(?:I|we) (?:have )?(?:disabled|commented out|muted|quarantined) (?:the |an? |one |two |three |some |\d+ )?(?:(?!(?:in|of|for|from|during|by) )\w+ ){0,3}(?:tests?|specs?|checks?)\b/iu,
  ),
  admitted(
    /\b(?:proper|real|full|actual|complete) (?:fix|implementation|solution) (?:(?:is|will be) (?:still )?(?:needed|required|necessary)|(?:will|has to) (?:come|follow)|comes later)\b/iu,
  ),
  admitted(
    /\b(?:left|leave|leaving|skip\w*|only|keep\w*|kept|disabled|commented out|simple|minimal|basic|ignor\w+|omit\w*|missing|unsupported|unimplemented|not \w+)\b.{0,80}\bfor now\b(?!-)/iu,
  ),
  admitted(
    /\bfor now\b(?!-).{0,80}\b(?:only|left|leave|skip\w*|disabled|commented out|ignor\w+|omit\w*|missing|not)\b/iu,
  ),
  admitted(new RegExp(`\\b(?:will|['’]ll|to) (?:then |also |be )*(?:${DOES}|${MADE})\\b.{0,60}\\b${LATER}\\W*$`, "iu")),
  admitted(
    new RegExp(`\\b(?:left|leave|leaving|saved?|kept|planned) (?:\\w+ ){0,6}(?:for|until) (?:\\w+ )?${LATER}\\b`, "iu"),
  ),
  admitted(
    new RegExp(
      `${TELLING}\\b(?:is|are|be|being|gets?) (?:\\w+ )?${MADE} later\\b(?! by\\b)|\\b(?:follows?|comes?) later\\b`,
      "iu",
    ),
  ),
  admitted(
    /\b(?:in|as|for|to|needs?|requires?|deserves?) (?:an? |the |some |later |future |separate |another )*follow[- ]?ups?\b(?! (?:e-?mails?|questions?|requests?|messages?|calls?|turns?|prompts?|mails?|reminders?|forms?)\b)/iu,
  ),
  admitted(
    /\bfollow[- ]?ups? (?:PRs? |pull requests? |commits? |tasks? |issues? |changes? |work )*(?:will|is needed|are needed|needed|required|is required|remains?)\b/iu,
  ),
  admitted(
    /^(?!.*\b(?:that|which|who) (?:is|are|was|were) postponed\b).*\b(?:is|are|was|were|been|be|I|we|have|has) postponed?\b(?! (?:until|while|when|by) (?!(?:[\w-]{1,20} ){0,4}(?:later|next (?!tick)|release|sprint|version|milestone|follow|merged?)))/iu,
  ),
  admitted(/\b(?:I|we) (?:have )?(?:deferred|put off|de-?scoped|left out)\b/iu),
  admitted(
    /\b(?:is|are|was|were|been|be) (?:deferred|put off) (?:to|until|for) (?:an? |the )?(?:later|next|follow|future|separate|another)/iu,
  ),
  admitted(
    new RegExp(
      `\\b(?:I|we|have|has) (?:have )?skipp?ed (?:over )?(?:the |all |some |its |this |that |both )?(?:\\w+ )?${WORK}\\b`,
      "iu",
    ),
  ),
  admitted(
    new RegExp(
      `\\b${WORK} (?:\\w+ ){0,3}(?:was|were|is|are|has been|have been) (?:skipped|left out|omitted|postponed)\\b`,
      "iu",
    ),
  ),
  admitted(
    new RegExp(
      `^\\W*(?:skipped|skipping|postponed|omitted|left out)\\b:? (?:the |all |some )?(?:\\w+ )?${WORK}\\b`,
      "iu",
    ),
  ),
  admitted(new RegExp(`\\b${WORK} (?:\\w+ly )?(?:postponed|deferred|skipped|omitted|left out)\\W*$`, "iu")),
  admitted(
    /\b(?:I|we) (?:have )?skipp?ed (?:over )?(?:the |all |some |those |these )(?:\w+ ){0,3}(?:tests?|specs?|(?:first|last|next|second|third|final) (?:steps?|parts?|ones?))\b(?!['’])/iu,
  ),
  // Partial scope.
  admitted(new RegExp(`${TELLING}\\b(?:is|are|has|have)(?: not|n['’]t) (?:been )?${MADE} yet\\b`, "iu")),
  admitted(new RegExp(`${TELLING}\\bnot yet (?:been )?${MADE}\\b`, "iu")),
  admitted(new RegExp(`${TELLING}\\b${WORK} (?:is|are)(?: not|n['’]t) (?:yet )?${MADE}\\b`, "iu")),
  admitted(
    /\b(?:I|we) have(?: not|n['’]t) (?:yet )?(?:implemented|finished|completed|migrated|ported|covered)\b(?! any)/iu,
  ),
  admitted(new RegExp(`${TELLING}\\b(?:is|are) still (?:missing|open|outstanding|incomplete|unfinished)\\b`, "iu")),
  admitted(
    new RegExp(`\\b${SOME} of (?:the |these |those )?(?:\\w+ ){1,3}still (?:use|need|lack|miss|have|fail)s?\\b`, "iu"),
  ),
  admitted(
    /\b(?:feature|task|work|implementation|migration|port|refactoring) is (?:mostly|almost|nearly|largely|partially|partly) (?:complete|done|finished|implemented|working)\b/iu,
  ),
  admitted(new RegExp(`\\b(?:partially|partly|half|half-way|incompletely) ${MADE}\\b`, "iu")),
  admitted(
    /\bonly (?:the )?(?:first|happy path|half|part|some|a few|one|two|basic|simplest?)\b.{0,60}\b(?:is|are|was|were|work|works|done|implemented|covered|handled|supported|ported|migrated)\b/iu,
  ),
  admitted(
    /\b(?:only|just) (?:implemented|did|finished|covered|ported|migrated|handled|converted|wrote|updated) (?:the )?(?:first|happy path|half|part|some|a few|one|two|basic|simplest?)\b/iu,
  ),
  admitted(
    new RegExp(
      `\\bthe (?:rest|remainder|others?|remaining \\w+(?: \\w+)?)(?: of \\w+(?: \\w+)?)? (?:(?:is|are) (?:still |yet |not )*(?:missing|open|left|pending|undone|unfinished|unimplemented|to (?:do|be)|for (?:later|another|an?)\\b|not (?:yet )?${MADE})|(?:will|can) (?:follow|come|be ${MADE})|follows?\\b|remains? (?:open|to|unfinished)|still\\b|needs? (?:to|more|work))`,
      "iu",
    ),
  ),
  admitted(
    /\bonly (?:implemented|did|finished|covered|ported|migrated|handled|converted|wrote|tested) (?:the )?(?:most (?:common|important|obvious|relevant)|common|easy|easiest|main|core|simple) (?:\w+ )?(?:cases?|paths?|parts?|ones?|flows?|features?|scenarios?)\b/iu,
  ),
  admitted(/\bdue to (?:time|budget|context|token) (?:constraints?|limits?|limitations?)\b/iu),
  admitted(/\b(?:ran|run|running) out of (?:time|context|budget|tokens)\b/iu),
  admitted(/\bdid(?: not|n['’]t) (?:get to|get around to|have time|manage)\b/iu),
  admitted(/\b(?:is|are) (?:still )?(?:a )?(?:work in progress|WIP)\b/u),
  admitted(
    /\bleft (?:as )?(?:an? |some |two |three |the )?(?:\w+ )?TODOs?\b(?! (?:lists?|apps?|items?|components?|pages?|models?)\b)|\bTODOs? (?:comments? )?(?:are |is )?(?:left|remain)/u,
  ),
  admitted(
    /\b(?:needs?|requires?) (?:more|further|some more) work\b|\b(?:more|further) work (?:is|will be) (?:needed|required|necessary)\b/iu,
  ),
  admitted(/\bleft (?:as an exercise|to (?:you|the (?:reader|user|next|team)))\b/iu),
  admitted(
    /\bwill be (?:done|added|implemented|fixed|finished|handled|written|covered) (?:soon|next|afterwards|separately)\b/iu,
  ),
  admitted(/\btemporarily (?:disabled|commented out|skipped|removed|hard-?coded|returns?|ignor\w+)\b/iu),
  admitted(/\b(?:is|are|remains?|left) (?:still )?unimplemented\b/iu),
  // In the same breath as the promise less is enough.
  beside(/(?<!\b(?:all|it|done|everything|enough|finished|complete|ready|good|green) )(?<=\w )for now\W*$/iu),
  beside(
    new RegExp(
      `${TELLING}\\bstill (?:missing|pending|incomplete|unfinished|unimplemented|open|to do|to be|needs?|have to|has to|must|remains?)\\b`,
      "iu",
    ),
  ),
  beside(
    /\bnot yet\b|\bnot (?:fully |completely |entirely |quite |all )*(?:done|implemented|finished|complete|covered|ready)\b(?! any)/iu,
  ),
  beside(
    /\b(?:is|are|was|were|has|have|am|did|do|does)(?: not|n['’]t) (?:yet |been |all )*(?:done|implemented|implement|finished|finish|completed?|fixed|working|passing|pass)\b(?! any)/iu,
  ),
  beside(
    /\b(?:could|can)(?: ?not|n['’]t) (?:finish|complete|implement|fix|get)\b|\b(?:unable|failed) to (?:finish|complete|implement|fix|get)\b/iu,
  ),
  beside(/\b(?:was|were|am|are)(?: not|n['’]t) able to (?:finish|complete|implement|fix|get|make)\b/iu),
  beside(/\bcommented (?:it|them|that|those|these) out\b/iu),
  beside(
    /\b(?:mostly|almost|nearly|largely|partially|partly) (?:complete|done|finished|implemented|working|ready)\b/iu,
  ),
  beside(
    new RegExp(
      `${TELLING}\\b(?:some|several|a few|many|certain|other) (?:\\w+ ){0,3}(?:is|are)(?: not|n['’]t) (?:yet )?${MADE}\\b`,
      "iu",
    ),
  ),
  beside(
    /\bleft to (?:do|be done|implement|fix|finish|write)\b|\b(?:remains?|needs?|has|have) to be (?:done|implemented|fixed|finished|written|added)\b/iu,
  ),
  beside(
    new RegExp(`\\b${PIECES} (?:still )?(?:remain|remains|remaining|are left|is left|are missing|is missing)\\b`, "iu"),
  ),
  beside(/^\s*(?:\W\s*)?remaining\b(?: work| items?| tasks?| steps?| todos?)?\s*$/iu),
  beside(/\b(?:left|remains?|is|are|as) (?:as )?(?:an? )?TODOs?\b/u),
  beside(
    new RegExp(
      `\\b(?:I|we)(?:['’]ll| will| (?:still )?need to| (?:still )?have to| plan to| am going to| are going to) (?:then |next |also |still )*${DOES}\\b`,
      "iu",
    ),
  ),
];

/** Words that say that a part of a sentence means nothing, or something past. */
export const NOTHING_LEFT =
  /\b(?:no|nothing|none|nobody|zero|0|without|neither|nor|never|not any|isn['’]t any|aren['’]t any|no longer|previously|earlier|before|used to|now pass(?:es)?|fixed|resolved|addressed|removed|cleared|if|unless|should|would)\b|\bnot (?:needed|necessary|required)\b/iu;

/** The same of words that say enough by themselves: "the docs will be fixed later" stays an admission. */
export const NOTHING_ADMITTED =
  /\b(?:no(?!-)|nothing|none|nobody|zero|0|neither|nor|never|no longer|any ?more|previously|used to|removed|replaced|resolved|deleted|if|unless|would)\b|\bnot (?:needed|necessary|required)\b|\bneed(?:s|ed)?(?: not|n['’]t)\b|\bis(?: not|n['’]t) an? (?:stub|placeholder)\b|\b(?:mock|fake|test|stub) (?:servers?|services?|apis?|clients?|backends?|doubles?|fixtures?|helpers?)\b/iu;

/** What was like that already, or is meant to be: no matter of this work. */
export const MEANT =
  /\bas before\b|\bon this (?:platform|machine|system)\b|\bpre-?existing\b|\balready (?:fail\w*|skipped|broken|red)\b|\bunrelated\b|\b(?:as|like) (?:requested|asked|required|instructed|agreed|specified|the (?:task|issue|prompt|spec) (?:says|asks|wants|requires))\b|\bis what the (?:task|issue|prompt|ticket|spec\w{0,10}) (?:says|asks?|wants?|requires?|calls)\b|\bby design\b|\bon purpose\b|\bintentional(?:ly)?\b/iu;

const LISTS =
  "(?:TODOs?|Remaining(?: work| items?| tasks?| steps?)?|What(?:['’]s| is)? (?:remains|left|still missing|missing)|(?:tasks?|items?|work)[ _]remaining|Left to do|Left for later|Not (?:done|implemented|included|covered)(?: yet)?|Missing|Outstanding|Pending|Still to do|Postponed|Deferred|Follow[- ]?ups?|Open points|Known (?:gaps|limitations))";
/** `TODO: write the migration`, and not `TODO: none`. */
export const HEADINGS = new RegExp(`^\\W*${LISTS}\\b\\W*:\\s*(\\S.*)$`, "iu");
/** Of those the ones that count anywhere in a message. */
export const FAR_HEADINGS =
  /^\W*(?:TODOs?|Not (?:done|implemented)|Left to do|Still to do|What['’]s missing|What is missing)\b/iu;
/** The same with a list below it. */
export const LIST_HEADING = new RegExp(`^\\W*${LISTS}\\b[^\\p{L}\\p{N}]*$`, "iu");
/** `… every token (TODO: verify the signature)` */
export const TODO_ASIDE = /[([]\s?(?:TODO|FIXME)\b\W{0,3}(?!none|nothing|n\/a)\w/u;
/** What comes next where it is the work itself. */
export const NEXT_STEPS = /^\W*next (?:steps?|up)\b\W*:\W*(?:implement|finish|complete|wire|port|migrate|write)\b/iu;
export const EMPTY_LIST = /^\W*(?:none|nothing|n\/a|nil|no\b|not (?:needed|required)|-|–|—|0\b|$)/iu;

/** `For now, the limit is fixed.` */
export const FOR_NOW = /^\W*for now,/iu;

/** `- [x]` and `- [ ]`: an item of a list that its writer ticks off. */
export const TICKED = /^\s*[-*+]\s+\[[xX]\]\s/u;
export const UNTICKED = /^\s*[-*+]\s+\[ ?\]\s+\S/u;

export const ALL_BUT =
  /\b(?:all|everything|every|done|complete|completed|finished|pass|passes|passing|works?)\b.*\b(?:except|apart from|aside from)\b/iu;

/** `2 of the 5 endpoints are ported`: the two numbers. */
export const PART_OF = new RegExp(
  `\\b(?<part>\\d{1,6}) (?:out )?of (?:the |all |its )?(?<whole>\\d{1,6})\\b.{0,60}\\b(?:${MADE}|pass(?:es|ing)?|green|work|works)\\b|\\b${MADE} (?<part2>\\d{1,6}) (?:out )?of (?:the |all |its )?(?<whole2>\\d{1,6})\\b`,
  "iu",
);
