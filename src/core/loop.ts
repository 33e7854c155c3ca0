import { committer } from "./transition.ts";
import { decide } from "./decide.ts";
import { tokensOfOthers } from "./stop/limits.ts";
import type { Proved } from "./events.ts";
import { openLoop, timestamp } from "./open-loop.ts";
import type { LoopStopped } from "./events.ts";
import type { StopReason } from "./outcome.ts";
import { settleAbandoned } from "./recover/abandoned-turn.ts";
import type { Ports } from "./ports.ts";
import { examined } from "./progress/failures.ts";
import { judgingOf, mayComplete, withBends } from "./judges/weigh.ts";
import { type Judged, judged, provesSomething } from "./progress/strength.ts";
import { listen, type Requests } from "./control-requests.ts";
import { holdReview } from "./review/hold-review.ts";
import { concludeWork, settle } from "./settle.ts";
import type { LoopState } from "./state.ts";
import type { Facts } from "./stop/rule.ts";
import { hasChecks, type Task } from "./task.ts";
import { moveStory } from "./story/moves.ts";
import { sessionFor } from "./session.ts";
import { chosenAgent, takeTurn } from "./turn.ts";
import type { Evidence, Verdict } from "./verdict.ts";

/**
 * Look, decide, make one move, write it down; again, until a stop rule ends it. Whatever happens to this process, the
 * stored state tells the next run where to go on.
 */
export async function runLoop(task: Task, ports: Ports, signal: AbortSignal): Promise<StopReason> {
  const requests = listen(ports.control, signal);
  try {
    return await advance(task, ports, requests);
  } finally {
    await requests.close();
  }
}

async function advance(task: Task, ports: Ports, requests: Requests): Promise<StopReason> {
  const at = (): string => timestamp(ports.clock.now());
  const stored = await ports.store.load(task.loopId);
  const commit = committer(ports, stored);
  const found = await settleAbandoned(task, ports, stored, commit);
  if (found !== undefined && "kind" in found) return found;
  let state = await openLoop(task, ports, found, commit);
  const remembered = rememberTests(task, state, ports);
  // It may fail before it is waited for.
  remembered.catch(() => undefined);
  const endAs = async (ending: Pick<LoopStopped, "reason" | "commit">): Promise<StopReason> => {
    await remembered;
    await commit({ type: "loop_stopped", ...ending, at: at() });
    return ending.reason;
  };

  for (;;) {
    const move = decide(task, state, await look(task, state, ports, requests));
    switch (move.do) {
      case "stop":
        return endAs(await concludeWork(task, state, ports, move.reason));
      case "wait":
        state = await commit({ type: "wait_started", until: timestamp(move.until), why: move.why, at: at() });
        await ports.clock.sleepUntil(move.until, requests.wake);
        break;
      case "turn": {
        const { item } = move;
        const session = sessionFor(task, state);
        const begun = { iteration: state.iteration + 1, item, session, ...chosenAgent(task, item) };
        state = await commit({ type: "turn_started", ...begun, at: at() });
        const ended = await takeTurn({ task, state, item, ports, commit }, requests.cut);
        await remembered;
        state = await commit(ended);
        break;
      }
      case "prove": {
        const proved = await prove(move.evidence, { task, state, ports }, requests.cut, remembered);
        state = await commit({ ...proved, at: at() });
        break;
      }
      case "review":
        state = await commit(await holdReview({ task, state, ports }, requests.cut));
        break;
      case "examine":
      case "give_up":
      case "shelve":
      case "settle": {
        const work = { task, state, ports };
        const next = move.do === "settle" ? await settle(work, move) : await moveStory(work, move, requests.cut);
        if (next === undefined) break;
        if ("kind" in next) return endAs({ reason: next, commit: null });
        state = await commit(next);
        break;
      }
    }
  }
}

/** What the checks say, and what that is worth. @param remembered with what green checks are compared */
async function prove(
  evidence: Evidence,
  { task, state, ports }: Parameters<typeof settle>[0],
  signal: AbortSignal,
  remembered: Promise<void>,
): Promise<Omit<Proved, "at">> {
  const { occasion } = evidence;
  const said = await ports.gate.judge(evidence, signal);
  const verdict: Verdict = occasion === "change" ? { ...said, occasion } : said;
  await remembered;
  return {
    type: "proved",
    ...examined(verdict, ports.digest, task.runtime.workspaceRoot),
    ...(await weigh(task, state, { evidence, verdict }, ports)),
  };
}

/** It is not needed before the agent has had its first turn. */
async function rememberTests(task: Task, { snapshot, iteration, stories }: LoopState, ports: Ports): Promise<void> {
  if (snapshot === null || !hasChecks(task.identity.checks)) return;
  if (stories?.accepted === true) await ports.tests.renew(snapshot, iteration);
  else await ports.tests.remember(snapshot, iteration);
}

/**
 * What a verdict is worth (C21, C40). Only green checks have to be strong; before the first turn nothing has changed. What
 * has changed is only read where the verdict may complete something.
 */
async function weigh(
  task: Task,
  state: LoopState,
  { evidence, verdict }: { readonly evidence: Evidence; readonly verdict: Verdict },
  { tests, workspace }: Ports,
): Promise<Judged> {
  const { snapshot, iteration, strength, boundary } = state;
  const { begun } = boundary;
  const isGreen = provesSomething(verdict) && snapshot !== null && iteration > 0;
  const found = judged(verdict, strength.counts, isGreen ? await tests.since(snapshot) : null, task.runtime.weakProof);
  const isWhole = isGreen && begun !== null && mayComplete(evidence);
  const weighed = isWhole ? withBends(found, await tests.texts(begun, snapshot), judgingOf(task, state)) : found;
  // A check leaves files of its own, and a person accepts what is there then.
  const tree = weighed.weaknesses.length === 0 ? null : ((await workspace.snapshot())?.tree ?? null);
  return { ...weighed, tree };
}

async function look(task: Task, state: LoopState, ports: Ports, requests: Requests): Promise<Facts> {
  const item = (await ports.backlog.next(state)) ?? null;
  const hardStops = await ports.hardStops.scan();
  const now = ports.clock.now();
  const others = await tokensOfOthers(task.limits, ports, now);
  const used = others === undefined ? {} : { tokensOfOthers: others };
  return { now, request: requests.strongest(), item, hardStops, ...used };
}
