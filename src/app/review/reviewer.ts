import { createProvider, type ProviderContext } from "../../agents/registry.ts";
import { configOfAgent } from "../../agents/several.ts";
import { retryDelays, withCost, withRetry } from "../../agents/with-retry.ts";
import { failure } from "../../agents/agent.ts";
import type { Config } from "../../config/config.ts";
import { type AgentChoice, chosenReviewer, hasSandbox, type ProviderName } from "../../config/settings/agent.ts";
import { NO_USAGE, type TurnCompleted, type TurnFailed } from "../../core/agent.ts";
import { OperationalError } from "../../core/errors.ts";
import type { Provider, Reviewer, TakenOut } from "../../core/ports.ts";
import type { Snapshot } from "../../core/state.ts";
import type { Isolation } from "../../os/isolation/isolation.ts";

/** Where a reviewer looks around. */
interface Measured {
  snapshot(): Promise<Snapshot | null>;
  /** puts back what was written since, and keeps it as `file` of the loop's folder */
  takeOut(since: Snapshot, file: string): Promise<TakenOut>;
}

/** Who reviews: the agent and its model; null: nobody. */
export function reviewerOf({ reviewer, reviewerAgent, provider, model }: Config): AgentChoice | null {
  if (reviewer === "off") return null;
  const own = { name: provider, model };
  return chosenReviewer(reviewerAgent, own) ?? own;
}

/** The settings with which an agent reviews. */
export function reviewing(config: Config, { name, model }: AgentChoice): Config {
  return { ...configOfAgent(config, name), model };
}

/** All that a run starts: those that take turns, and the reviewer's. */
export function withReviewer(names: readonly ProviderName[], config: Config): readonly ProviderName[] {
  const name = reviewerOf(config)?.name;
  return name === undefined ? names : [...new Set([...names, name])];
}

/**
 * What reviews the work of a loop, by its settings (docs/decisions/0040-second-key.md). Where the agent cannot be kept from
 * changing anything, what it changes is put back; without a repository it is not asked then.
 *
 * @param workspace undefined: nothing can be measured
 * @param isolationOf what the sessions of an agent run in
 * @throws UsageError when what the agent needs is missing or wrong
 */
export async function createReviewer(
  context: ProviderContext,
  workspace: Measured | undefined,
  isolationOf: (name: ProviderName) => (() => Promise<Isolation | undefined>) | undefined,
  notice: (text: string) => void,
): Promise<Reviewer> {
  const choice = reviewerOf(context.config);
  if (choice === null) return NOBODY;
  const { name } = choice;
  const config = reviewing(context.config, choice);
  const { provider, priced } = await createProvider({
    ...context,
    config,
    reviews: true,
    isolation: isolationOf(name),
  });
  const tried = withRetry(withCost(provider, priced), { delaysMs: retryDelays(config), clock: context.clock });
  if (workspace === undefined && !hasSandbox(name)) return notHere(name);
  const reviewer = asking(tried, notice);
  return workspace === undefined ? reviewer : leavingNothing(reviewer, workspace, notice);
}

/** A reviewer that nobody has asked for; the engine does not. */
const NOBODY: Reviewer = {
  async ask() {
    throw new Error("a loop without a reviewer asked for a review");
  },
};

function notHere(name: string): Reviewer {
  const message = `${name} cannot be kept from changing files, and without a git repository nothing that it changes could be undone.`;
  return { ask: async () => failed("bad_request", message) };
}

function failed(kind: "bad_request" | "protocol", message: string): TurnFailed {
  return {
    type: "turn.failed",
    failure: failure(kind, message),
    ...{ exitCode: null, lastMessage: "", usage: NO_USAGE, sessionUsage: null },
  };
}

/** Of what a session does, people hear what it is warned of; its words are for the engine. */
function asking(provider: Provider, notice: (text: string) => void): Reviewer {
  return {
    async ask(request, signal) {
      let end: TurnCompleted | TurnFailed | undefined;
      for await (const event of provider.runTurn({ ...request, sessionId: null, sessionUsage: null }, signal)) {
        if (event.type === "notice") notice(`the reviewer: ${event.text}`);
        if (event.type === "turn.completed" || event.type === "turn.failed") end = event;
      }
      return end ?? failed("protocol", "The provider's stream ended without an end of the review.");
    },
  };
}

const NAMED = 5;

/**
 * A reviewer that leaves the work tree as it was judged.
 *
 * @param notice tells a person what was put back
 */
export function leavingNothing(reviewer: Reviewer, workspace: Measured, notice: (text: string) => void): Reviewer {
  return {
    async ask(request, signal) {
      const before = await workspace.snapshot();
      const end = await reviewer.ask(request, signal);
      if (before === null) return end;
      const after = await workspace.snapshot();
      if (after === null || after.id === before.id) return end;
      if (after.tree !== before.tree || after.nested !== before.nested) {
        const patch = `review-${request.iteration}.patch`;
        const { made, changed, left } = await workspace.takeOut(before, patch);
        if (left.length > 0) throw leftFiles(left.map(({ why }) => why).join("; "));
        const files = listed([...made, ...changed]);
        notice(
          `the reviewer changed ${files}, which it may not; that is undone, and kept in ${patch} of the loop's folder`,
        );
      }
      const now = await workspace.snapshot();
      if (now?.head !== before.head) throw leftFiles("HEAD names another commit than before the review");
      if (now.tree !== before.tree || now.nested !== before.nested) throw leftFiles("the files are not what they were");
      return end;
    },
  };
}

function leftFiles(why: string): OperationalError {
  return new OperationalError({
    code: "REVIEWER_LEFT_FILES",
    what: `The reviewer changed something, which it may not, and that could not be undone: ${why}. The loop is unharmed, and the work waits for its review.`,
    next: "Put it back as it was, or turn the reviewer off with --reviewer off; then resume the loop.",
  });
}

function listed(files: readonly string[]): string {
  const rest = files.length - NAMED;
  return [...files.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
