import type { Command } from "./command.ts";
import type { PrdVerb } from "./prd-ask.ts";

export type Way = "comment" | "review" | "label" | "workflow_run" | "dispatch" | "event";

/** What GitHub says that somebody may do with the repository; `unknown` when it could not be asked. */
export type Permission = "admin" | "write" | "triage" | "read" | "none" | "unknown";

export interface Actor {
  /** not asked for a bot: it has none */
  readonly permission: Permission;
  /** anything but a person's account */
  readonly bot: boolean;
  /** whether `allowed-bots` names it */
  readonly listed: boolean;
  readonly ourselves: boolean;
  /** whether the pull request, or the issue, is theirs */
  readonly author: boolean;
  /** whether the pull request comes from another repository */
  readonly fork: boolean;
  /** whether the comment, or the review, is not what it was when it was written */
  readonly edited: boolean;
}

/** Who asks, as the table groups them. An account without rights is in that group first of all. */
export type ActorKind =
  | "admin"
  | "write"
  | "bot_listed"
  | "edited_comment"
  | "fork_head"
  | "triage"
  | "author_without_rights"
  | "read"
  | "none"
  | "unknown"
  | "bot_not_listed"
  | "ourselves";

export type AuthDecision =
  /** `as` says whose decisions are open to them (C25): those of a person, or those of any trusted trigger */
  | { readonly kind: "allowed"; readonly as: "person" | "trigger" }
  /** only a line in the log; `why` is part of a sentence that begins with who asked */
  | { readonly kind: "ignored"; readonly why: string }
  /** `reason` is a sentence for the actor; `reply`: it is posted where they asked */
  | { readonly kind: "refused"; readonly reason: string; readonly reply: boolean };

const PERSON: AuthDecision = { kind: "allowed", as: "person" };
const TRIGGER: AuthDecision = { kind: "allowed", as: "trigger" };

const ignored = (why: string): AuthDecision => ({ kind: "ignored", why });
const told = (reason: string): AuthDecision => ({ kind: "refused", reason, reply: true });

const NO_WRITE = ignored("has no write permission here");
const TRIAGE = ignored("has the triage role, which is not enough: it takes write permission");
const AUTHOR = ignored("opened what this is about but has no write permission here");
const UNKNOWN = ignored("could not be looked up, and counts as somebody without permission");
const BOT = ignored("is a bot that allowed-bots does not name");
const OURSELVES = ignored("is the loop's own account, which never asks itself");
/** Why nothing is done for a fork, as sentences. */
export const FROM_FORK =
  "This pull request comes from a fork. The loop never works on a fork's branch, because what runs there would run with this repository's rights.";
const FORK = told(FROM_FORK);
const EDITED = told("The comment was edited. Write a new one: only what nobody has changed counts.");

const REVIEW_EDITED = told("The review was edited. Submit a new one: only what nobody has changed counts.");

const STRANGERS = {
  triage: TRIAGE,
  author_without_rights: AUTHOR,
  read: NO_WRITE,
  none: NO_WRITE,
  unknown: UNKNOWN,
  bot_not_listed: BOT,
  ourselves: OURSELVES,
} as const satisfies Partial<Record<ActorKind, AuthDecision>>;

const UNTOLD: AuthDecision = { kind: "refused", reason: FROM_FORK, reply: false };

/** Those who may write, and what they wrote themselves, all with the same say. */
function writers(say: AuthDecision) {
  return { admin: say, write: say, bot_listed: say, edited_comment: say };
}

/**
 * Who may ask, for each way of asking. Whether a person may is the write permission of who *did* it, by GitHub's API;
 * roles, associations and names prove nothing (T4). Forks and edits are told only to those who may ask.
 */
export const AUTHORISATION = {
  comment: { ...writers(PERSON), edited_comment: EDITED, fork_head: FORK, ...STRANGERS },
  // Everybody who may read a public repository can submit a review, and request changes by it.
  review: { ...writers(PERSON), edited_comment: REVIEW_EDITED, fork_head: FORK, ...STRANGERS },
  label: { ...writers(PERSON), fork_head: FORK, ...STRANGERS },
  workflow_run: { ...writers(TRIGGER), fork_head: ignored("ran it for a fork's commit"), ...STRANGERS },
  // GitHub only starts a workflow for an account that may; but only a person counts as one. A program may be the loop
  // itself, which must not count as a person who lets it go on.
  dispatch: {
    ...writers(PERSON),
    bot_listed: TRIGGER,
    fork_head: UNTOLD,
    ...STRANGERS,
    ourselves: TRIGGER,
    bot_not_listed: TRIGGER,
  },
  // What anybody can cause who may read the repository runs a loop for those only who may write.
  event: { ...writers(TRIGGER), fork_head: UNTOLD, ...STRANGERS },
} satisfies Record<Way, Record<ActorKind, AuthDecision>>;

export function kindOf(actor: Actor): ActorKind {
  if (actor.ourselves) return "ourselves";
  if (actor.bot && !actor.listed) return "bot_not_listed";
  const { permission } = actor;
  if (!actor.bot && permission !== "admin" && permission !== "write") {
    return actor.author && permission !== "unknown" ? "author_without_rights" : permission;
  }
  if (actor.fork) return "fork_head";
  if (actor.edited) return "edited_comment";
  if (actor.bot) return "bot_listed";
  return permission === "admin" ? "admin" : "write";
}

export function may(way: Way, actor: Actor): AuthDecision {
  return AUTHORISATION[way][kindOf(actor)];
}

/** Commands after which an agent works: they hold for one commit, and the kill switch is for them. */
const FORWARD: ReadonlySet<Command> = new Set(["continue", "start", "fix", "prd", "reset-circuit", "accept"]);

/**
 * Whether a command lets the agent work, other than those that only ask or end something.
 *
 * @param verb what is asked of a PRD; null: nothing is
 */
export function letsWork(command: Command, verb: PrdVerb | null = null): boolean {
  return FORWARD.has(command) && verb !== "status";
}

/** What triggers without a person may ask: a loop may be started and go on, and a PRD too, nothing else (C25). */
export function openToTriggers(asked: Command | PrdVerb): boolean {
  return asked === "continue" || asked === "start" || asked === "run";
}
