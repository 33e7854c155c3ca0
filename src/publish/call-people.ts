import type { Config } from "../config/config.ts";
import type { LoopState } from "../core/state.ts";
import type { Github } from "../github/client.ts";
import { ownLogin, peopleBehind, permissionOf, requestReview, sameLogin } from "../github/accounts.ts";
import { callsPerson } from "../views/github/call.ts";
import type { PublicationFacts } from "../views/github/facts.ts";
import type { RunView } from "../views/run-view.ts";

/** Who is to be told of an ending. */
export interface People extends Pick<Config, "reviewers" | "notify"> {
  /** the commit that the loop began with; null: none, or not known */
  readonly began: string | null;
}

/** The setting `notify` that tells nobody. */
const NOBODY = "none";

/** The account with which GitHub's website commits; it says that it is a person's. */
const WEBSITE = "web-flow";

/**
 * Asks for reviews at an ending that calls people: only where the pull request is ready, for GitHub lets drafts wait. Who
 * cannot be asked is to be mentioned: there, or on the issue that the loop works on. Never throws.
 *
 * @returns who is to be mentioned
 */
export async function callPeople(
  access: Github,
  people: People,
  view: RunView,
  { pullRequest, head }: Pick<PublicationFacts, "pullRequest" | "head">,
): Promise<readonly string[]> {
  const isSaid = pullRequest !== null || view.state.github?.issue !== undefined;
  if (!isSaid || !callsPerson(view)) return [];
  const own = await ownLogin(access);
  const isOwn = (login: string): boolean => own.ok && sameLogin(own.value, login);
  const { ask, mention } = await chosen(access, people, view.state, head, isOwn);
  if (pullRequest === null || pullRequest.draft) return distinct([...ask, ...mention]);
  const { number } = pullRequest;
  const asked = await Promise.all(
    ask.map(async (login) => ({ login, is: (await requestReview(access, { number, login, head })).ok })),
  );
  return distinct([...asked.flatMap(({ login, is }) => (is ? [] : [login])), ...mention]);
}

/** Those who are named; else one person: who let the loop run, else who is behind what it began from. */
async function chosen(
  access: Github,
  { reviewers, notify, began }: People,
  { github }: LoopState,
  head: string | null,
  isOwn: (login: string) => boolean,
): Promise<{ readonly ask: readonly string[]; readonly mention: readonly string[] }> {
  const isPerson = (name: string): boolean => name !== NOBODY && !name.endsWith("[bot]") && !isOwn(name);
  const [ask, mention] = [reviewers, notify].map((names) => names.map(withoutAt).filter(isPerson));
  if (reviewers.length > 0 || notify.length > 0) return { ask: ask ?? [], mention: mention ?? [] };
  const by = github?.authorised_by ?? null;
  if (by !== null && isPerson(by)) return { ask: [by], mention: [] };
  const from = began ?? head;
  const person = from === null ? null : await whoCommitted(access, from, isPerson);
  return { ask: person === null ? [] : [person], mention: [] };
}

/** Only who may write here: the address in a commit can be anybody's, and nobody is called because of a forged one. */
async function whoCommitted(
  access: Github,
  commit: string,
  isPerson: (login: string) => boolean,
): Promise<string | null> {
  const behind = await peopleBehind(access, commit);
  if (!behind.ok) return null;
  for (const { login, type } of behind.value) {
    if (type !== "User" || login === WEBSITE || !isPerson(login)) continue;
    const may = await permissionOf(access, login);
    if (may.ok && (may.value === "write" || may.value === "admin")) return login;
  }
  return null;
}

function withoutAt(name: string): string {
  return name.replace(/^@/u, "");
}

function distinct(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.findIndex((other) => sameLogin(other, name)) === index);
}
