import { setTimeout as sleep } from "node:timers/promises";
import { controlRefsOf, requestIn } from "../core/control-requests.ts";
import type { Control, ControlRequest } from "../core/ports.ts";
import type { Remote } from "../git/git.ts";
import { oneAtATime } from "../os/concurrency.ts";
import { RemoteGit } from "../git/remote-git.ts";
import { seconds } from "../views/amounts.ts";
import { oneLine } from "../views/plain-text.ts";
import { requestStream } from "./request-stream.ts";

export interface GitRefControlOptions extends Remote {
  readonly loopId: string;
  /** a bare git directory of our own, absolute; made when it is missing */
  readonly folder: string;
  /** marks git's processes, see `supervise` */
  readonly mark: string;
  /** the time between two questions to the remote, in milliseconds */
  readonly everyMs?: number;
  /** how long it has to answer, in milliseconds */
  readonly answerMs?: number;
  /** refs that were obeyed before and could not be deleted (`Acknowledged.left`) */
  readonly seen: readonly string[];
  /**
   * Whether `commit` is where the loop's ref stood when this run began, or since. A request points at the commit that
   * the ref stood at when it was made: one that was there before this run and points elsewhere was meant for a state
   * that is history.
   */
  readonly isCurrent: (commit: string) => boolean;
  /** takes what a person has to know of it, in whole sentences; called seldom */
  readonly tell: (notice: string) => void;
}

/** What is on the remote when a run ends. */
interface Acknowledged {
  /** what was asked for since the run listened last and was not obeyed; it stays where it is */
  readonly unheard: readonly ControlRequest[];
  /** full names of refs that were obeyed and could not be deleted: `seen` of the next run */
  readonly left: readonly string[];
}

/** Requests that people put under `refs/smithers-control/<loop-id>/` of the repository on the network. */
export interface GitRefControl extends Control {
  /**
   * Looks a last time, and deletes the requests that were obeyed or are history. Call it when the run is over and its
   * last record is written. Never throws.
   */
  acknowledge(within: number): Promise<Acknowledged>;
}

const EVERY_MS = 20_000;
const ANSWER_MS = 15_000;

/**
 * Listens to requests from people while the loop runs. The names of refs say everything: no object is read, so the
 * server does little and the API is not used.
 *
 * A server that fails or is silent neither delays nor ends anything; a person is told once.
 */
export function createGitRefControl(options: GitRefControlOptions): GitRefControl {
  return new Listener(options);
}

type Found = ReadonlyMap<string, string>;

class Listener implements GitRefControl {
  readonly #options: GitRefControlOptions;
  readonly #prefix: string;
  readonly #inTurn = oneAtATime();
  /** obeyed or outdated requests, with the commit that each points at; to be deleted */
  readonly #done = new Map<string, string>();
  readonly #told = new Set<string>();
  #isTroubleTold = false;
  /** whether it was ever known what lay there */
  #hasLooked = false;
  /** a request stays until the run is over: to ask whether there is one would have it fetched every time */
  #isSomethingThere = false;

  constructor(options: GitRefControlOptions) {
    this.#options = options;
    this.#prefix = controlRefsOf(options.loopId);
  }

  watch(signal: AbortSignal): AsyncIterable<ControlRequest> {
    return requestStream(signal, (push, ended) => void this.#listen(push, ended));
  }

  async #listen(push: (request: ControlRequest) => void, ended: AbortSignal): Promise<void> {
    const { everyMs = EVERY_MS, answerMs = ANSWER_MS } = this.#options;
    while (!ended.aborted) {
      const next = performance.now() + everyMs;
      const found = await this.#look(answerMs, ended);
      if (found !== undefined && !ended.aborted) for (const [request] of this.#take(found)) push(request);
      const left = Math.max(0, next - performance.now());
      // Never keeps the process alive.
      await sleep(left, undefined, { signal: ended, ref: false }).catch(() => undefined);
    }
  }

  async acknowledge(within: number): Promise<Acknowledged> {
    const until = performance.now() + within;
    const found = await this.#look(within / 2);
    // Nothing is known of them, so that they may still be there.
    if (found === undefined) return { unheard: [], left: [...new Set([...this.#options.seen, ...this.#done.keys()])] };
    const unheard = this.#take(found);
    for (const [, ref] of unheard) this.#done.delete(ref);
    const there = [...this.#done].filter(([ref]) => found.has(ref));
    const left = there.length === 0 ? [] : await this.#delete(new Map(there), until - performance.now());
    return { unheard: unheard.map(([request]) => request), left };
  }

  /** The refs there; undefined when they are not known. */
  #look(within: number, ended?: AbortSignal): Promise<Found | undefined> {
    return this.#bounded(within, ended, async (git) => {
      await git.prepare(null);
      if (!this.#isSomethingThere && (await git.hasAnyBelow(this.#prefix)) === false) return NOTHING;
      const listed = await git.list(`${this.#prefix}*`);
      if (!listed.ok) return this.#tellTrouble(listed.trouble.because);
      this.#isSomethingThere = listed.value.size > 0;
      return listed.value;
    });
  }

  /** The requests among `found` that were not heard before, the strongest first, with their refs. */
  #take(found: Found): readonly (readonly [ControlRequest, string])[] {
    const isFirst = !this.#hasLooked;
    this.#hasLooked = true;
    const heard: [ControlRequest, string][] = [];
    for (const [ref, commit] of found) {
      if (!ref.startsWith(this.#prefix) || this.#done.has(ref)) continue;
      const request = requestIn(ref.slice(this.#prefix.length));
      if (request === undefined) {
        this.#tell(`A request to this loop is not understood and has no effect: ${oneLine(ref).slice(0, 200)}.`);
        continue;
      }
      this.#done.set(ref, commit);
      const isHistory = this.#options.seen.includes(ref) || (isFirst && !this.#options.isCurrent(commit));
      if (!isHistory) heard.push([request, ref]);
    }
    return heard.toSorted(([one], [other]) => STRENGTH.indexOf(one.kind) - STRENGTH.indexOf(other.kind));
  }

  /** @returns those that are still there, as far as is known */
  async #delete(refs: Found, within: number): Promise<readonly string[]> {
    const still = await this.#bounded(within, undefined, async (git) => {
      const deleted = await git.push([...refs].map(([ref, expected]) => ({ ref, to: null, expected })));
      if (deleted.ok) return [];
      const listed = await git.list(`${this.#prefix}*`);
      const left = [...refs.keys()].filter((ref) => !listed.ok || listed.value.has(ref));
      if (left.length > 0) this.#tell(`Requests that were obeyed could not be deleted: ${deleted.trouble.because}.`);
      return left;
    });
    return still ?? [...refs.keys()];
  }

  async #bounded<T>(
    within: number,
    ended: AbortSignal | undefined,
    act: (git: RemoteGit) => Promise<T>,
  ): Promise<T | undefined> {
    const late = AbortSignal.timeout(Math.max(0, Math.round(within)));
    const signal = ended === undefined ? late : AbortSignal.any([late, ended]);
    try {
      return await this.#inTurn(() => act(new RemoteGit(this.#options, signal)));
    } catch (error) {
      if (ended?.aborted === true) return undefined;
      return this.#tellTrouble(late.aborted ? `there was no answer within ${seconds(within)}` : String(error));
    }
  }

  #tellTrouble(why: string): undefined {
    if (this.#isTroubleTold) return;
    this.#isTroubleTold = true;
    const { everyMs = EVERY_MS, tell } = this.#options;
    tell(
      `Requests to pause, stop or cancel this loop cannot be heard now: ${oneLine(why).slice(0, 400)}. The loop goes on, and it is asked again every ${seconds(everyMs)}.`,
    );
  }

  #tell(notice: string): void {
    if (this.#told.has(notice) || this.#told.size >= NOTICE_LIMIT) return;
    this.#told.add(notice);
    this.#options.tell(notice);
  }
}

const NOTHING: Found = new Map();
const NOTICE_LIMIT = 5;
const STRENGTH: readonly ControlRequest["kind"][] = ["supersede", "cancel", "stop", "pause"];
