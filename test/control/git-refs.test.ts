import path from "node:path";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { describe, expect, it } from "vitest";
import { controlRefOf, controlRefsOf } from "../../src/core/control-requests.ts";
import { createGitRefControl, type GitRefControl, type GitRefControlOptions } from "../../src/control/git-refs.ts";
import type { ControlRequest } from "../../src/core/ports.ts";
import { collect, controlContract } from "../contract/control-contract.ts";
import { gitHttp, type GitHttp } from "../support/git-http.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const SOON = 20_000;
const PATIENTLY = { timeout: 10_000 };

/** A repository on the network, a loop that listens to it, and the people who ask. */
interface Stage extends AsyncDisposable {
  readonly http: GitHttp;
  /** commits of the loop's ref: history, and the one that the run began with */
  readonly old: string;
  readonly current: string;
  readonly told: string[];
  control(overrides?: Partial<GitRefControlOptions>): GitRefControl;
  /** Asks the way the relay does; returns the ref. */
  ask(kind: "pause" | "stop" | "cancel", login?: string, commit?: string): Promise<string>;
  /** requests that lie there */
  refs(): Promise<readonly string[]>;
}

async function stage(): Promise<Stage> {
  const http = await gitHttp();
  const folder = await tempFolder("control-");
  await using repository = await gitRepository();
  const old = await repository.git("rev-parse", "HEAD");
  await repository.git("commit", "-q", "--allow-empty", "-m", "state");
  const current = await repository.git("rev-parse", "HEAD");
  await repository.git("push", "-q", http.folder, "main", "HEAD:refs/smithers-loops/a-loop");
  const told: string[] = [];
  let id = 100;
  return {
    http,
    old,
    current,
    told,
    control: (overrides = {}) =>
      createGitRefControl({
        loopId: "a-loop",
        url: http.url,
        token: http.writeToken,
        folder: `${folder.path}/control.git`,
        mark: "test",
        everyMs: 50,
        seen: [],
        isCurrent: (commit) => commit === current,
        tell: (notice) => void told.push(notice),
        ...overrides,
      }),
    async ask(kind, login = "ann-lee", commit = current) {
      const ref = controlRefOf("a-loop", { kind, login, id: String((id += 1)) });
      await http.git("update-ref", ref, commit);
      return ref;
    },
    refs: async () =>
      (await http.git("for-each-ref", "--format=%(refname)", "refs/smithers-control")).split("\n").filter(Boolean),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

controlContract("requests under a git ref", async () => {
  const on = await stage();
  return {
    control: on.control(),
    ask: async () => void (await on.ask("stop")),
    expected: { kind: "stop", by: "ann-lee on GitHub" },
    [Symbol.asyncDispose]: () => on[Symbol.asyncDispose](),
  };
});

/** The first `count` requests. */
async function heard(control: GitRefControl, count: number): Promise<readonly ControlRequest[]> {
  const requests: ControlRequest[] = [];
  for await (const request of control.watch(new AbortController().signal)) {
    requests.push(request);
    if (requests.length === count) break;
  }
  return requests;
}

describe("requests under a git ref", () => {
  it("the strongest comes first, each is told once, and all are deleted when the run is over [W-46]", async () => {
    await using on = await stage();
    await on.ask("pause", "zoe");
    await on.ask("stop", "app[bot]");
    await on.ask("cancel", "under_score");
    const control = on.control();
    expect(await heard(control, 3)).toEqual([
      { kind: "cancel", by: "under_score on GitHub" },
      { kind: "stop", by: "app[bot] on GitHub" },
      { kind: "pause", by: "zoe on GitHub" },
    ]);
    expect(await on.refs()).toHaveLength(3);
    await on.ask("pause", "late");
    expect(await heard(control, 1)).toEqual([{ kind: "pause", by: "late on GitHub" }]);
    expect(await control.acknowledge(SOON)).toEqual({ unheard: [], left: [] });
    expect(await on.refs()).toEqual([]);
    expect(on.told).toEqual([]);
  });

  it("what was asked of a state that is history is not obeyed, and deleted [W-46]", async () => {
    await using on = await stage();
    await on.ask("stop", "before", on.old);
    await on.ask("pause", "now", on.current);
    const control = on.control();
    expect(await heard(control, 1)).toEqual([{ kind: "pause", by: "now on GitHub" }]);
    // While it runs, everything is meant for it, whatever it points at: the relay may be a moment behind.
    await on.ask("stop", "during", on.old);
    expect(await heard(control, 1)).toEqual([{ kind: "stop", by: "during on GitHub" }]);
    expect(await control.acknowledge(SOON)).toEqual({ unheard: [], left: [] });
    expect(await on.refs()).toEqual([]);
  });

  it("an obeyed request that cannot be deleted does not stop the next run [W-46]", async () => {
    await using on = await stage();
    const ref = await on.ask("stop");
    const control = on.control({ token: on.http.readToken });
    await heard(control, 1);
    expect(await control.acknowledge(SOON)).toEqual({ unheard: [], left: [ref] });
    expect(on.told).toEqual([expect.stringMatching(/could not be deleted: the token may not write.*\.$/u)]);
    const next = on.control({ seen: [ref] });
    const hears = heard(next, 1);
    await on.ask("pause", "bob");
    expect(await hears).toEqual([{ kind: "pause", by: "bob on GitHub" }]);
    expect(await next.acknowledge(SOON)).toEqual({ unheard: [], left: [] });
    expect(await on.refs()).toEqual([]);
  });

  it("what nobody heard any more is told at the end, and stays [W-46]", async () => {
    await using on = await stage();
    const control = on.control();
    const end = new AbortController();
    const all = collect(control.watch(end.signal));
    await expect.poll(() => on.http.requests.length, PATIENTLY).toBeGreaterThan(1);
    end.abort();
    expect(await all).toEqual([]);
    const ref = await on.ask("stop");
    const unheard = [{ kind: "stop", by: "ann-lee on GitHub" }];
    expect(await control.acknowledge(SOON)).toEqual({ unheard, left: [] });
    expect(await on.refs()).toEqual([ref]);
  });

  it("names that mean nothing have no effect, and are told once [T15]", async () => {
    await using on = await stage();
    const strange = ["stop/ann", "stop/-1", "explode/ann-1", "stop/ann-1/more", "supersede/ann-1", "stop/Ä-1"];
    for (const name of strange) await on.http.git("update-ref", `${controlRefsOf("a-loop")}${name}`, on.current);
    await on.http.git("update-ref", "refs/x/refs/smithers-control/a-loop/stop/ann-1", on.current);
    await on.http.git("update-ref", "refs/smithers-control/a-loop-2/stop/ann-1", on.current);
    const control = on.control();
    const hears = heard(control, 1);
    await on.ask("pause");
    expect(await hears).toEqual([{ kind: "pause", by: "ann-lee on GitHub" }]);
    expect(on.told.length).toBeGreaterThan(0);
    expect(new Set(on.told).size).toBe(on.told.length);
    await control.acknowledge(SOON);
    expect(await on.refs()).toHaveLength(strange.length + 1);
  });

  it.each([
    ["hangs", "hang"],
    ["hangs up", "drop"],
    ["is in trouble", { status: 503, text: "no" }],
    ["does not know the token", { status: 401, text: "no" }],
    ["does not say a word of git", { status: 200, text: "<html>" }],
  ] as const)("a server that %s is told once; later requests are heard [W-46]", async (_what, fault) => {
    await using on = await stage();
    on.http.fault = () => fault;
    const control = on.control({ answerMs: 500 });
    const hears = heard(control, 1);
    await expect.poll(() => on.http.requests.length, PATIENTLY).toBeGreaterThan(3);
    on.http.fault = undefined;
    await on.ask("stop");
    expect(await hears).toEqual([{ kind: "stop", by: "ann-lee on GitHub" }]);
    expect(on.told).toEqual([expect.stringMatching(/^Requests .* cannot be heard now: .*The loop goes on/u)]);
  });

  it("a server that hangs delays no ending [W-46]", async () => {
    await using on = await stage();
    await on.ask("stop");
    const control = on.control();
    await heard(control, 1);
    on.http.fault = () => "hang";
    const end = new AbortController();
    const all = collect(control.watch(end.signal));
    const asked = on.http.requests.length;
    await expect.poll(() => on.http.requests.length, PATIENTLY).toBeGreaterThan(asked);
    const ended = performance.now();
    end.abort();
    expect(await all).toEqual([]);
    expect(performance.now() - ended).toBeLessThan(2000);
    const { unheard, left } = await control.acknowledge(600);
    expect([unheard, left.length]).toEqual([[], 1]);
    expect(performance.now() - ended).toBeLessThan(8000);
  });

  it("in a repository with many refs the server tells of its requests alone [W-46]", async () => {
    await using on = await stage();
    const others = Array.from({ length: 2000 }, (_none, i) => `${on.current} refs/pull/${i}/head\n`);
    await writeFile(path.join(on.http.folder, "packed-refs"), others.join(""), { flag: "a" });
    let bytes = 0;
    await using counting = await forwarding(on.http.url, (chunk) => (bytes += chunk.length));
    const control = on.control({ url: counting.url });
    const hears = heard(control, 1);
    await expect.poll(() => on.http.requests.length, PATIENTLY).toBeGreaterThan(8);
    expect(bytes).toBeLessThan(20_000);
    await on.ask("stop");
    await hears;
    expect(on.told).toEqual([]);
  });
});

/** A server that hands everything on to another, and shows what that answers. */
async function forwarding(to: string, onAnswer: (chunk: Buffer) => void) {
  const server = createServer((asked, answer) => {
    const { method = "", headers, url = "" } = asked;
    const forward = request(new URL(url, to), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.on("data", onAnswer).pipe(answer);
    });
    asked.pipe(forward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/o/r`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
