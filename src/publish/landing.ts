import type { Config } from "../config/config.ts";
import { done, failed, type Result } from "../core/result.ts";
import type { WorkBranch } from "../git/branch.ts";
import type { PushTrouble } from "../git/branch-push.ts";
import type { NotRenewed, Renewing } from "../git/landing/workflow-files.ts";
import type { GithubAccess } from "../github/access.ts";
import type { Refused } from "../github/refusal.ts";
import { putRef } from "../github/refs.ts";
import { timer } from "../os/clock.ts";
import { type Pushed, pushSigned } from "./push-signed.ts";

interface LandingOptions {
  readonly name: string;
  readonly workBranch: WorkBranch;
  readonly config: Pick<Config, "signCommits">;
  readonly github: GithubAccess | undefined;
  readonly loopId: string;
  /** tells a person */
  readonly notice: (text: string) => void;
  /** what was checked out when the run began; null before the first commit */
  readonly head: string | null;
  /** gives the default branch's tip, as GitHub has it now; empty: not known */
  readonly upstream: () => Promise<readonly string[]>;
}

/** Where the work's branch is on GitHub, as this run knows it, and how it gets forward there (decision 0054). */
export class Landing {
  /** as the run began, or as its latest push has left it; null: nothing of the work is there */
  tip: string | null;
  /** the local commit for `tip`: a different one if GitHub signed it and it could not be fetched */
  here: string | null;
  /** where the branch was put with nothing on it; null: it was not */
  #begun: string | null;
  readonly #options: LandingOptions;

  constructor(options: LandingOptions, { tip, begun }: { readonly tip: string | null; readonly begun: string | null }) {
    this.#options = options;
    this.tip = tip;
    this.here = tip;
    this.#begun = begun;
  }

  /** See `PublishBranch.begin`. */
  async begin(withinMs: number): Promise<Result<void, Refused>> {
    const { name, head, github } = this.#options;
    if (this.tip !== null || head === null || github === undefined || this.#begun === head) return done(undefined);
    const put = await putRef(await github.within(withinMs), `refs/heads/${name}`, { from: this.#begun, to: head });
    if (put.ok) this.#begun = head;
    return put;
  }

  /** See `PublishBranch.end`. */
  async end(withinMs: number): Promise<Result<boolean>> {
    const put = this.#begun;
    if (this.tip !== null || put === null) return done(false);
    const removed = await this.#options.workBranch.remove(put, withinMs);
    if (removed.ok) this.#begun = null;
    return removed.ok ? done(true) : removed;
  }

  /** See `PublishBranch.push`. */
  async push(commit: string, withinMs: number): Promise<Result<Pushed, PushTrouble>> {
    const leftMs = timer(withinMs);
    let pushed = await this.#land(commit, leftMs);
    if (!pushed.ok && pushed.trouble.kind === "moved" && (await this.#isOurs(pushed.trouble.now, commit, leftMs)))
      pushed = await this.#land(commit, leftMs);
    if (pushed.ok) ({ head: this.tip, here: this.here } = pushed.value);
    return pushed;
  }

  async #land(commit: string, leftMs: () => number): Promise<Result<Pushed, PushTrouble>> {
    const { workBranch } = this.#options;
    const { tip, here } = this;
    const onto = here === null ? done(commit) : await workBranch.onto(commit, here, this.#message(), leftMs());
    if (!onto.ok) return failed({ kind: "unreachable", because: onto.trouble.because });
    if (tip !== null && here !== null && onto.value === here) return done({ head: tip, here });
    const pushed = await this.#send(onto.value, leftMs());
    if (pushed.ok || !this.#mayBeWorkflows(pushed.trouble)) return pushed;
    return this.#renew({ commit, published: onto.value === commit ? null : here }, pushed.trouble, leftMs);
  }

  /** The API only says that the token may not do this. */
  #mayBeWorkflows({ kind }: PushTrouble): boolean {
    return kind === "workflow_files" || (kind === "permission" && this.#options.config.signCommits);
  }

  async #send(commit: string, withinMs: number): Promise<Result<Pushed, PushTrouble>> {
    const { config, name, workBranch, head, github, notice } = this.#options;
    const tip = this.tip ?? this.#begun;
    if (config.signCommits)
      return pushSigned({ name, workBranch, tip, base: this.here ?? head, github, notice }, commit, withinMs);
    const pushed = await workBranch.push(commit, tip, withinMs);
    return pushed.ok ? done({ head: commit, here: commit }) : pushed;
  }

  /** Tries again with the default branch's workflow files on top. */
  async #renew(
    work: Pick<Renewing, "commit" | "published">,
    refused: PushTrouble,
    leftMs: () => number,
  ): Promise<Result<Pushed, PushTrouble>> {
    const { workBranch, head, upstream, notice, name } = this.#options;
    const [theirs] = await upstream();
    if (theirs === undefined) return failed(refused);
    const bases = [...new Set([head, this.here, theirs].filter((id) => id !== null))];
    const renewing = { ...work, upstream: theirs, bases, message: this.#message() };
    const renewed = await workBranch.withWorkflowsOf(renewing, leftMs());
    if (!renewed.ok) return failed(whyNot(refused, renewed.trouble));
    const pushed = await this.#send(renewed.value, leftMs());
    if (pushed.ok) notice(renewedNotice(name, pushed.value.head));
    return pushed;
  }

  /**
   * Whether where the branch was found has nothing of others: where an earlier attempt put it, or work that main pushed
   * before it was ended and could not note that. An empty branch that somebody has deleted may be made again.
   */
  async #isOurs(now: string | null, commit: string, leftMs: () => number): Promise<boolean> {
    const { workBranch, head } = this.#options;
    if (this.tip === null && (now === null ? this.#begun !== null : now === head && this.#begun !== head)) {
      this.#begun = now;
      return true;
    }
    const from = this.tip ?? this.#begun ?? head;
    if (now === null || from === null || from === now) return false;
    const holds = async (later: string, base: string): Promise<boolean> =>
      (await workBranch.commitsSince({ base, commit: later, most: 1 }, leftMs())).ok;
    const onto = await workBranch.onto(commit, now, this.#message(), leftMs());
    const isBelow = onto.ok && (onto.value !== commit || (await holds(commit, now)));
    if (!isBelow || !(await holds(now, from))) return false;
    this.tip = now;
    this.here = now;
    return true;
  }

  #message(): string {
    const why = "GitHub takes no push of a branch whose workflow files lag behind those of the default branch.";
    return `Take over the default branch's workflow files\n\n${why}\n\nSmithers-Loop: ${this.#options.loopId}\n`;
  }
}

/** What a person can do so that a push with workflow files is taken, in whole sentences. */
const WAYS_OUT =
  "No line under `permissions:` gives that right. Give github-token a token that has it, of a GitHub App or a fine-grained personal one with “Workflows: read and write”: the next run pushes the work then. Or leave that file to a person: close its path in protected-paths, and apply its change by hand.";

function whyNot(refused: PushTrouble, { kind, because }: NotRenewed): PushTrouble {
  if (kind === "touched")
    return { kind: "workflow_files", because: `${because}, and the token may write no workflow files`, next: WAYS_OUT };
  if (refused.kind !== "workflow_files") return refused;
  if (kind === "failed") return { ...refused, because: `${refused.because}; ${because}`, next: WAYS_OUT };
  const why = "a commit of the work changes a workflow file, though a later one takes it back";
  return { kind: "workflow_files", because: `${why}, and the token may write none`, next: WAYS_OUT };
}

function renewedNotice(branch: string, head: string): string {
  return `The default branch's workflow files have moved while this run was at work, and GitHub takes no branch that lags behind them. So ${branch} has them in one more commit on top of the work, ${head.slice(0, 12)}; the work itself is as it was proved.`;
}
