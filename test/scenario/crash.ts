import type { Ports } from "../../src/core/ports.ts";

/** The death of a run, as a test sees it. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Kills the run at its n-th port call (from 0), before the call has any effect or after it has all of its effect. */
export interface CrashPoint {
  readonly call: number;
  readonly when: "before" | "after";
}

/** Ports that count their calls and die at one of them. */
export interface CountedPorts {
  readonly ports: Ports;
  /** names of the calls made so far */
  readonly calls: readonly string[];
}

/**
 * Counts every call of a port that can touch the world: each promise, and each step of a turn's stream. Reporters must
 * not throw and control requests come from outside, so neither is a crash point.
 */
export function crashAt(ports: Ports, point: CrashPoint | undefined): CountedPorts {
  const calls: string[] = [];
  const guarded = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    const number = calls.push(name) - 1;
    if (point?.call === number && point.when === "before") throw new Crash(`before ${name}`);
    const result = await call();
    if (point?.call === number && point.when === "after") throw new Crash(`after ${name}`);
    return result;
  };
  const { provider, backlog, gate, workspace, store, progress, tests, hardStops, lists, matcher, clock } = ports;
  return {
    calls,
    ports: {
      ...ports,
      provider: {
        ...provider,
        async *runTurn(request, signal) {
          const stream = provider.runTurn(request, signal)[Symbol.asyncIterator]();
          for (;;) {
            const step = await guarded("provider.runTurn", async () => stream.next());
            if (step.done === true) return;
            yield step.value;
          }
        },
      },
      backlog: {
        next: async (state) => guarded("backlog.next", async () => backlog.next(state)),
        count: async () => guarded("backlog.count", async () => backlog.count()),
        sync: async (state) => guarded("backlog.sync", async () => backlog.sync(state)),
      },
      gate: { judge: async (evidence, signal) => guarded("gate.judge", async () => gate.judge(evidence, signal)) },
      workspace: {
        snapshot: async () => guarded("workspace.snapshot", async () => workspace.snapshot()),
        compare: async (a, b) => guarded("workspace.compare", async () => workspace.compare(a, b)),
        refusal: async (begun, now) => guarded("workspace.refusal", async () => workspace.refusal(begun, now)),
        keepPatch: async (begun, now) => guarded("workspace.keepPatch", async () => workspace.keepPatch(begun, now)),
        testFiles: async (snapshot, query) =>
          guarded("workspace.testFiles", async () => workspace.testFiles(snapshot, query)),
        changedTexts: async (begun, now, scripts) =>
          guarded("workspace.changedTexts", async () => workspace.changedTexts(begun, now, scripts)),
        commit: async (request) => guarded("workspace.commit", async () => workspace.commit(request)),
        pendingFiles: async (on) => guarded("workspace.pendingFiles", async () => workspace.pendingFiles(on)),
        named: async (begun, now, names) => guarded("workspace.named", async () => workspace.named(begun, now, names)),
        changedOtherwise: async (since) =>
          guarded("workspace.changedOtherwise", async () => workspace.changedOtherwise(since)),
        setAside: async (file) => guarded("workspace.setAside", async () => workspace.setAside(file)),
        holding: async (commits) => guarded("workspace.holding", async () => workspace.holding(commits)),
      },
      store: {
        load: async (id) => guarded("store.load", async () => store.load(id)),
        append: async (event, state) => guarded(`store.append ${event.type}`, async () => store.append(event, state)),
      },
      progress: {
        record: async (n, entry) => guarded("progress.record", async () => progress.record(n, entry)),
        tail: async (bytes) => guarded("progress.tail", async () => progress.tail(bytes)),
      },
      tests: {
        remember: async (snapshot, n) => guarded("tests.remember", async () => tests.remember(snapshot, n)),
        renew: async (snapshot, n) => guarded("tests.renew", async () => tests.renew(snapshot, n)),
        since: async (snapshot) => guarded("tests.since", async () => tests.since(snapshot)),
        texts: async (begun, now) => guarded("tests.texts", async () => tests.texts(begun, now)),
      },
      hardStops: { ...hardStops, scan: async () => guarded("hardStops.scan", async () => hardStops.scan()) },
      lists: { read: async () => guarded("lists.read", async () => lists.read()) },
      matcher: { test: async (pattern, text) => guarded("matcher.test", async () => matcher.test(pattern, text)) },
      clock: {
        now: () => clock.now(),
        sleepUntil: async (at, signal) => guarded("clock.sleepUntil", async () => clock.sleepUntil(at, signal)),
      },
    },
  };
}
