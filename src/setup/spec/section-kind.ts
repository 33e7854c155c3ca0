import { isPriorityTitle, plain } from "./priority.ts";

/**
 * What a section of a spec is about: work to be done, commands to build and test, or neither. `left_out` is what the
 * spec does not want done, so that nothing in it is ever work.
 */
export type SectionKind = "work" | "commands" | "prose" | "left_out";

const LEFT_OUT =
  /\bnon[- ]?goals?\b|\bnon[- ]requirements?\b|\b(?:out of|not in|beyond) scope\b|\bwon'?t\b|\bnot (?:planned|included|required|carried)\b|^exclusions?$|^future$|\bfuture (?:work|features?|enhancements?|improvements?|extensions?|versions?|ideas?|scope|considerations?|plans?)\b/iu;
const WORK = new RegExp(
  String.raw`\b(?:${[
    ...["requirements?", "features?", "acceptance criteria", "criteria for acceptance", "definition of done"],
    ...["(?:user )?stor(?:y|ies)", "use cases?", "epics?", "tasks?", "to-?dos?", "backlog", "checklist", "work items?"],
    ...[
      "deliverables?",
      "milestones?",
      "roadmap",
      "(?:implementation|rollout|release|test|fix|work) (?:plan|steps|phases)",
    ],
    ...["must[- ]haves?", "should[- ]haves?", "could[- ]haves?", "nice[- ]to[- ]haves?", "in scope", "capabilities"],
  ].join("|")})\b`,
  "iu",
);
/** What explains work among work; anywhere else a title that does not tell is prose as well. */
const PROSE =
  /^(?:overview|introduction|summary|background|context|motivation|rationale|goals?|objectives?|constraints?|assumptions?|(?:technical |implementation |design )?notes|technical (?:constraints|details|considerations|design)|risks?|open questions|glossary|references|appendix|dependencies)$/iu;
/** A title that is about commands has no other words than these: "Build a login page" is work. */
const COMMANDS =
  /^(?:(?:build|building|test|tests|testing|run|running|start|starting|develop|developing|development|dev|install|installing|installation|set|up|setup|lint|linting|usage|use|commands?|scripts?|environment|tooling|quick|quickstart|getting|started|how|to|and|or|the|it|locally|local|project|instructions|guide|workflow|unit|integration|end|e2e|prerequisites)\b[\s&,/+-]*)+$/iu;
const ONE_PIECE = /^(?:feature|(?:user )?story|requirement|epic|task|milestone|step|phase)\s*(?:[#:]|\d)/iu;
const NUMBERED = /^(?:FR|NFR|REQ|R|US|UC|AC|F|T|FEAT|TASK|STORY|EPIC)[-_ ]?\d+\b/u;

/**
 * What a section is by its own title; undefined when the title does not tell, and the section around it decides.
 */
export function kindOf(title: string): SectionKind | undefined {
  const words = plain(title);
  if (LEFT_OUT.test(words)) return "left_out";
  if (isPriorityTitle(title) || WORK.test(words) || isOnePiece(title)) return "work";
  if (COMMANDS.test(words)) return "commands";
  return PROSE.test(words) ? "prose" : undefined;
}

/** Whether a title names one piece of work rather than a group: `US-3: Log in`, `Feature 2`. */
export function isOnePiece(title: string): boolean {
  const words = plain(title);
  return ONE_PIECE.test(words) || NUMBERED.test(words);
}
