import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { addFile } from "../support/model-server.ts";
import { expectExit } from "./expect-exit.ts";
import { claims, worksOn } from "./says.ts";
import { freshHome, workbench } from "./workbench.ts";

const SCRIPT = [
  ...[addFile("one.txt", "1\n"), worksOn("learned: the build needs FLAG=7")],
  ...[addFile("two.txt", "2\n"), claims()],
];
const START = ["Write two files.", "--full-auto", "--max-iterations", "1"];
const RESUME = ["--full-auto", "--max-iterations", "5"];

describe.concurrent("a session of the real Codex on another day", () => {
  test("with nothing but the session file, a second machine goes on in the same session [W-06]", async () => {
    await using bench = await workbench(SCRIPT);
    const first = await bench.run([...START, "--loop-id", "moved"]);
    expectExit(first, 2);
    const { session_id: session } = (await bench.state("moved")).codex;
    await using home = await freshHome(bench.model, bench.home);

    const second = await bench.run(["resume", "--loop-id", "moved", ...RESUME], { home });

    expectExit(second, 0);
    expect(await bench.sessionsOf("moved", 2)).toEqual([session]);
    expect(bench.model.requests.at(-1)?.prompts).toHaveLength(2);
    expect(await bench.state("moved")).toMatchObject({ status: "completed", codex: { session_id: session } });
  });

  test("without it, the same iteration goes to a fresh session that gets the task and the notes [C2, W-66]", async () => {
    await using bench = await workbench(SCRIPT);
    await bench.run([...START, "--loop-id", "lost"]);
    const { session_id: lost } = (await bench.state("lost")).codex;
    await rm(path.join(bench.home.path, ".codex/sessions"), { recursive: true });

    const second = await bench.run(["resume", "--loop-id", "lost", ...RESUME]);

    expectExit(second, 0);
    const request = bench.model.requests[2];
    expect(request?.prompts).toHaveLength(1);
    expect(request?.prompt).toContain("<task>\nWrite two files.\n</task>");
    expect(request?.prompt).toContain("learned: the build needs FLAG=7");
    const state = await bench.state("lost");
    expect(state).toMatchObject({ status: "completed", iteration: 2 });
    expect(state.codex.session_id).not.toBe(lost);
    expect(state.iterations.map(({ agent }) => agent)).toEqual(["ok", "ok"]);
  });

  test("--session fresh begins a new session for every turn [C2]", async () => {
    await using bench = await workbench(SCRIPT);

    const run = await bench.run(["Write two files.", "--loop-id", "fresh", "--full-auto", "--session", "fresh"]);

    expectExit(run, 0);
    expect(new Set(bench.model.requests.map((request) => request.threadId)).size).toBe(2);
    expect(bench.model.requests[2]?.prompt).toContain("learned: the build needs FLAG=7");
  });
});
