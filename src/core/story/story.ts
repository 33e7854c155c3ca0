/** A product requirements document (PRD) as the engine works on it: read once, when a run begins. */
export interface Prd {
  /** of its folder, see `isPrdName` */
  readonly name: string;
  /** its folder seen from the workspace, with `/` */
  readonly folder: string;
  readonly project: string;
  readonly description: string;
  /** the branch that its stories land on; null: it does not say */
  readonly branchName: string | null;
  /** which agent works on it; null: the settings say */
  readonly provider: string | null;
  /** in the order of the file */
  readonly stories: readonly Story[];
}

/** One piece of work that becomes one commit (D-43). */
export interface Story {
  /** `US-001` */
  readonly id: string;
  /** one line */
  readonly title: string;
  readonly description: string;
  /** at least one */
  readonly criteria: readonly string[];
  /** commands that criteria name; a criterion may have several, and need not have one */
  readonly checks: readonly CriterionCheck[];
  /** the lowest number comes first */
  readonly priority: number;
  /** ids of stories that have to have passed; null: it does not say, which an empty list does */
  readonly dependsOn: readonly string[] | null;
  /** globs of what it is going to change; null: it does not say */
  readonly paths: readonly string[] | null;
  /** which agent works on it; null: the PRD's */
  readonly provider: string | null;
  /** how many agents try it side by side, of which the best one wins */
  readonly attempts: number;
  /** whether a person has to look at it before the next one begins */
  readonly pauseAfter: boolean;
  /** what the file says; only the engine writes it */
  readonly passes: boolean;
}

/** A command that shows whether one criterion of a story is met. */
interface CriterionCheck {
  /** which criterion, from 0 */
  readonly criterion: number;
  /** shell text */
  readonly run: string;
  /** milliseconds; null: as long as any check may take */
  readonly timeoutMs: number | null;
}

const PRD_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

/** Words of commands, which would be read as such in place of a name. */
const RESERVED: ReadonlySet<string> = new Set(
  "new list status validate edit run accept retry clean start pause stop resume".split(" "),
);

/** What the id of a story's loop ends with: the loop of a PRD that is called so could be taken for it. */
const LIKE_A_STORYS_LOOP = /\.us-\d{3,6}\.\d+(?:-\d+)?$/iu;

/** Whether a text can name a PRD: a part of paths, of git's refs and of commands (D-35). */
export function isPrdName(text: string): boolean {
  if (LIKE_A_STORYS_LOOP.test(text)) return false;
  return (
    PRD_NAME.test(text) && !text.includes("..") && !/\.(?:lock)?$/u.test(text) && !RESERVED.has(text.toLowerCase())
  );
}

/** The id of the loop that works on a PRD; its ref holds what is known of the stories. */
export function loopIdOfPrd(name: string): string {
  return `prd-${name}`;
}

/** Which agent works on a story; null: neither it nor its PRD says. */
export function providerOf({ provider, stories }: Pick<Prd, "provider" | "stories">, id: string): string | null {
  return stories.find((story) => story.id === id)?.provider ?? provider;
}

const STORY_ID = /^US-\d{3,6}$/u;

export function isStoryId(text: string): boolean {
  return STORY_ID.test(text);
}
