import { committer } from "./transition.ts";
import { decide } from "./decide.ts";
import { openLoop, timestamp } from "./open-loop.ts";
import type { StopReason } from "./outcome.ts";
import type { Ports } from "./ports.ts";
import { examined } from "./progress/failures.ts";
import { judged } from "./progress/strength.ts";
import { listen, type Requests } from "./control-requests.ts";
import { concludeWork, settle } from "./settle.ts";
import type { LoopState } from "./state.ts";
import type { Facts } from "./stop/rule.ts";
import { hasChecks, type Task } from "./task.ts";
import { moveStory } from "./story/moves.ts";
import { sessionFor } from "./session.ts";
import { chosenAgent, takeTurn } from "./turn.ts";
import type { Verdict } from "./verdict.ts";

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
  let state = await openLoop(task, ports, stored, commit);
  const remembered = rememberTests(task, state, ports);
  // It may fail before it is waited for.
  remembered.catch(() => undefined);
  const endAs = async (reason: StopReason): Promise<StopReason> => {
    await remembered;
    await commit({ type: "loop_stopped", reason, commit: null, at: at() });
    return reason;
  };

  for (;;) {
    const move = decide(task, state, await look(state, ports, requests));
    switch (move.do) {
      case "stop": {
        const ending = await concludeWork(task, state, ports, move.reason);
        await remembered;
        await commit({ type: "loop_stopped", ...ending, at: at() });
        return ending.reason;
      }
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
        const verdict = await ports.gate.judge(move.evidence, requests.cut);
        await remembered;
        state = await commit({
          type: "proved",
          ...examined(verdict, ports.digest, task.runtime.workspaceRoot),
          ...judged(verdict, state.strength.counts, await testChangesIn(verdict, state, ports), task.runtime.weakProof),
          at: at(),
        });
        break;
      }
      case "examine":
      case "give_up":
      case "shelve":
      case "settle": {
        const work = { task, state, ports };
        const next = move.do === "settle" ? await settle(work, move) : await moveStory(work, move, requests.cut);
        if (next === undefined) break;
        if ("kind" in next) return endAs(next);
        state = await commit(next);
        break;
      }
    }
  }
}

/** It is not needed before the agent has had its first turn. */
async function rememberTests(task: Task, { snapshot, iteration, stories }: LoopState, ports: Ports): Promise<void> {
  if (snapshot === null || !hasChecks(task.identity.checks)) return;
  if (stories?.accepted === true) await ports.tests.renew(snapshot, iteration);
  else await ports.tests.remember(snapshot, iteration);
}

/** Only green checks have to be strong; before the first turn nothing has changed. */
async function testChangesIn({ result }: Verdict, { snapshot, iteration }: LoopState, { tests }: Ports) {
  return result === "passed" && snapshot !== null && iteration > 0 ? tests.since(snapshot) : null;
}

async function look(state: LoopState, ports: Ports, requests: Requests): Promise<Facts> {
  const item = (await ports.backlog.next(state)) ?? null;
  const hardStops = await ports.hardStops.scan();
  return { now: ports.clock.now(), request: requests.strongest(), item, hardStops };
}
