import { z } from "zod";
import { type Command, COMMANDS, TEXT_LIMIT } from "../core/policy/command.ts";
import { isLoopId } from "../core/names.ts";
import { done, failed, type Result } from "../core/result.ts";
import { isPrdName, isStoryId } from "../core/story/story.ts";
import { visible } from "../core/text.ts";
import { isBranchName } from "../git/branch.ts";
import type { GithubContext } from "./context.ts";

/** The input of `workflow_dispatch` that asks a loop. Nothing in it is believed: it only says where to look. */
export interface DispatchInput {
  readonly command: Command;
  readonly loop: string | null;
  /** the pull request's number */
  readonly pr: number | null;
  /** the commit that was asked about; 40 or 64 hex digits */
  readonly head: string | null;
  /** the failed run that is to be repaired, with the command `fix`; absent: the newest of the commit */
  readonly run?: number;
  /** what a person did, or which run failed */
  readonly request: RequestId | null;
  /** whether the loop itself asks, which with a person's token looks like that person: it only ever takes rights away */
  readonly self: boolean;
  /** the issue that the loop works on, or will; null: none, or it is not known */
  readonly issue: IssueOrder | null;
  /** what is asked of a PRD, with the command `prd`; null with every other one */
  readonly prd: PrdOrder | null;
}

/** An issue that a loop works on. */
export interface IssueOrder {
  readonly number: number;
  /** what its text was when somebody ordered a loop to begin, see `issueDigest`; null: nobody orders that */
  readonly text: string | null;
}

/** What a workflow is to do with a PRD. */
export interface PrdOrder {
  /** null: not named, so the only one that there is */
  readonly name: string | null;
  readonly verb: PrdOrderVerb;
  /** which story; null for `run` */
  readonly story: string | null;
  /** where the wave before has landed its stories, as the run says that has asked for this one; null: nobody says */
  readonly branch: string | null;
  /** what a person who starts the workflow by hand says to the story's next attempt; "" without, and always in a relay's */
  readonly words: string;
}

const ORDERS = ["run", "retry", "accept"] as const;
type PrdOrderVerb = (typeof ORDERS)[number];

/** Where GitHub keeps what was asked: in a comment, in a review, in the event of a label, in a workflow's run. */
export interface RequestId {
  readonly kind: "comment" | "review" | "label" | "run";
  readonly id: number;
}

/** The name of the input. */
export const INPUT = "smithers";

const LONGEST = 10_000;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
const REQUEST = /^(comment|review|label|run):([1-9]\d{0,14})$/u;

const IssueNumber = z.int().positive().max(2_147_483_647).nullable().default(null);
const Head = z.string().regex(COMMIT).nullable().default(null);
const Request = z.string().regex(REQUEST).transform(requestIn).nullable().default(null);

const LoopInput = z
  .strictObject({
    command: z.enum(COMMANDS).exclude(["prd"]),
    loop: z.string().refine(isLoopId, "is no loop's id").nullable().default(null),
    pr: IssueNumber,
    issue: IssueNumber,
    text: z
      .string()
      .regex(/^[0-9a-f]{64}$/u)
      .nullable()
      .default(null),
    head: Head,
    run: z.int().positive().exactOptional(),
    request: Request,
    self: z.boolean().default(false),
  })
  .refine(({ command, run }) => command === "fix" || run === undefined, { path: ["run"] })
  .refine(({ issue, text, command }) => text === null || (issue !== null && command === "start"), { path: ["text"] })
  .transform(({ issue: number, text, ...input }): DispatchInput => {
    return { ...input, issue: number === null ? null : { number, text }, prd: null };
  });

const PrdInput = z
  .strictObject({
    command: z.literal("prd"),
    prd: z.string().refine(isPrdName, "is no PRD's name").nullable().default(null),
    verb: z.enum(ORDERS),
    story: z.string().refine(isStoryId, "is no story's id").nullable().default(null),
    words: z.string().max(TEXT_LIMIT).default(""),
    branch: z.string().refine(isBranchName).nullable().default(null),
    head: Head,
    request: Request,
    self: z.boolean().default(false),
  })
  .refine(({ verb, story }) => (verb === "run") === (story === null), { path: ["story"] })
  .refine(({ verb, words }) => verb === "retry" || words === "", { path: ["words"] })
  // What a comment says is read from the comment.
  .refine(({ request, words }) => request === null || words === "", { path: ["words"] })
  .refine(({ request }) => request === null || request.kind === "comment", { path: ["request"] })
  .transform(({ command, prd: name, verb, story, words, branch, head, request, self }): DispatchInput => {
    return {
      command,
      loop: null,
      pr: null,
      issue: null,
      head,
      request,
      self,
      prd: { name, verb, story, branch, words: visible(words).trim() },
    };
  });

const Named = z.object({ command: z.string() });

/** The input that a workflow was started with, not verified yet; null: none, or a malformed one. */
export function dispatchedWith({ eventName, event }: Pick<GithubContext, "eventName" | "event">): DispatchInput | null {
  const text = event.inputs[INPUT]?.trim() ?? "";
  const read = eventName === "workflow_dispatch" && text !== "" ? readInput(text) : undefined;
  return read?.ok === true ? read.value : null;
}

/**
 * Reads a bare command or the JSON that `writeInput` makes; anything else is refused as a whole, and `because` is part
 * of a sentence that begins with the input.
 */
export function readInput(text: string): Result<DispatchInput> {
  if (text.length > LONGEST) return failed({ because: `has more than ${LONGEST} characters` });
  const json = text.trim().startsWith("{") ? parse(text) : { command: text.trim() };
  if (json === undefined) return failed({ because: "is no JSON" });
  const shape = Named.safeParse(json).data?.command === "prd" ? PrdInput : LoopInput;
  const parsed = shape.safeParse(json, { jitless: true });
  if (parsed.success) return done(parsed.data);
  const [issue] = parsed.error.issues;
  const [field] = issue?.path ?? [];
  if (field === "command") return failed({ because: `names none of the commands ${COMMANDS.join(", ")}` });
  return failed({ because: field === undefined ? "has fields that there are not" : `has a wrong ${String(field)}` });
}

/** The text that `readInput` reads. */
export function writeInput({ command, loop, pr, issue, head, run, request, self, prd }: DispatchInput): string {
  return JSON.stringify({
    command,
    ...(prd === null ? {} : written(prd)),
    ...(loop === null ? {} : { loop }),
    ...(pr === null ? {} : { pr }),
    ...(issue === null ? {} : { issue: issue.number }),
    ...(issue === null || issue.text === null ? {} : { text: issue.text }),
    ...(head === null ? {} : { head }),
    ...(run === undefined ? {} : { run }),
    ...(request === null ? {} : { request: `${request.kind}:${request.id}` }),
    ...(self ? { self } : {}),
  });
}

function written({ name, verb, story, branch, words }: PrdOrder) {
  return {
    ...(name === null ? {} : { prd: name }),
    verb,
    ...(story === null ? {} : { story }),
    ...(branch === null ? {} : { branch }),
    ...(words === "" ? {} : { words }),
  };
}

function requestIn(text: string): RequestId {
  const [, kind, id] = REQUEST.exec(text) ?? [];
  return { kind: kind === "label" || kind === "run" || kind === "review" ? kind : "comment", id: Number(id) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
