/** What a person needs to know about an error: what happened, what is unharmed, what to do next. */
export interface Problem {
  /** stable, for machines and for searching: `STATE_DAMAGED` */
  readonly code: string;
  readonly what: string;
  readonly next: string;
  /** what checks have written and nobody could put back, as people read paths; absent: none */
  readonly files?: readonly string[];
}

/** An error that an adapter expects and explains. Anything else that is thrown counts as a bug. */
export class OperationalError extends Error {
  override readonly name = "OperationalError";
  readonly code: string;
  readonly next: string;

  constructor(problem: Problem, options?: { cause?: unknown }) {
    super(problem.what, options);
    this.code = problem.code;
    this.next = problem.next;
  }
}

/** Bad usage or configuration, found before anything was written: exit code 64 (section 4.5 of the requirements). */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly problems: readonly Problem[];

  constructor(found: Problem | readonly Problem[]) {
    const problems = "code" in found ? [found] : found;
    super(problems.map((problem) => problem.what).join("\n"));
    this.problems = problems;
  }
}

/** What went wrong, of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
