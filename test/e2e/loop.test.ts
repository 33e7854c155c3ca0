import { describe, expect, test } from "vitest";
import { addFile, command, type ModelRequest, patch, type Reply } from "../support/model-server.ts";
import { waitFor } from "../support/wait-for.ts";
import { expectExit } from "./expect-exit.ts";
import { claims, worksOn } from "./says.ts";
import { workbench } from "./workbench.ts";

const WRITES = "--full-auto";

describe.concurrent("a loop with the real Codex", () => {
  test("three iterations go on in a single session [W-04, W-59, W-02, W-35]", async () => {
    await using bench = await workbench([
      ...[addFile("one.txt", "1\n"), worksOn("one is written")],
      ...[addFile("two.txt", "2\n"), worksOn("two is written")],
      ...[addFile("three.txt", "3\n"), claims()],
    ]);

    const run = await bench.run(["Write three files.", "--loop-id", "w59", WRITES]);

    expectExit(run, 0);
    const state = await bench.state("w59");
    const session = state.codex.session_id ?? "none";
    for (const iteration of [1, 2, 3]) expect(await bench.sessionsOf("w59", iteration)).toEqual([session]);
    expect(new Set(bench.model.requests.map((request) => request.threadId))).toEqual(new Set([session]));
    expect(bench.model.requests.at(-1)?.prompts).toHaveLength(3);
    expect(bench.model.requests[0]?.prompt).toContain("<task>\nWrite three files.\n</task>");
    expect(bench.model.requests[2]?.prompt).toContain("Continue the Smithers loop.");
    expect(await bench.repository.git("status", "--porcelain")).toBe("?? one.txt\n?? three.txt\n?? two.txt");
    expect(state).toMatchObject({ status: "completed", iteration: 3, spent: { turns: 3, tokens: 6 * 120 } });
  });

  test("the promise ends the loop at once [W-60, W-38]", async () => {
    await using bench = await workbench([addFile("done.txt", "yes\n"), claims()]);

    const run = await bench.run(["Write a file.", "--loop-id", "w60", WRITES]);

    expectExit(run, 0);
    expect(bench.model.requests).toHaveLength(2);
    expect(await bench.state("w60")).toMatchObject({
      status: "completed",
      stop_reason: { kind: "promise", verified: false },
      iteration: 1,
      last_result: { exit_code: 0, detected_promise: true },
    });
    expect(await bench.read("done.txt")).toBe("yes\n");
  });

  test("the iteration cap stops the loop [W-61, W-39]", async () => {
    await using bench = await workbench([worksOn("one"), worksOn("two")]);

    const run = await bench.run(["Never ends.", "--loop-id", "w61", "--max-iterations", "2"]);

    expectExit(run, 2);
    expect(bench.model.requests).toHaveLength(2);
    expect(await bench.state("w61")).toMatchObject({ status: "stopped_max_iterations", iteration: 2 });
    expect(run.stdout + run.stderr).toContain("--max-iterations");
  });

  test("two loops at the same time do not get in each other's way [W-62, W-08, W-42]", async () => {
    const loops = new Set<string>();
    const turns = new Map<string, number>();
    await using bench = await workbench(async (request: ModelRequest): Promise<Reply> => {
      const loop = request.prompt.includes("Loop left,") ? "left" : "right";
      loops.add(loop);
      await waitFor("both loops to be at work", () => loops.size === 2);
      const turn = request.prompts.length;
      turns.set(loop, turn);
      if (request.outputs.length === 0) return addFile(`${loop}-${turn}.txt`, `${loop}\n`);
      return turn === 2 ? claims() : worksOn(`${loop} goes on`);
    });

    const runs = await Promise.all(
      ["left", "right"].map((loop) => bench.run([`Write the ${loop} files.`, "--loop-id", loop, WRITES])),
    );

    for (const run of runs) expectExit(run, 0);
    const [left, right] = await Promise.all([bench.state("left"), bench.state("right")]);
    expect(left).toMatchObject({ loop_id: "left", status: "completed", iteration: 2, prompt: "Write the left files." });
    expect(right).toMatchObject({ loop_id: "right", status: "completed", iteration: 2 });
    expect(left.codex.session_id).not.toBe(right.codex.session_id);
    expect(turns).toEqual(new Map(Object.entries({ left: 2, right: 2 })));
    expect(await bench.repository.git("status", "--porcelain")).toBe(
      ["left-1.txt", "left-2.txt", "right-1.txt", "right-2.txt"].map((file) => `?? ${file}`).join("\n"),
    );
  });

  test("a second run of the same loop is refused and spends nothing [W-08, W-42]", async () => {
    await using bench = await workbench([command("touch started; while [ ! -e go ]; do sleep 0.1; done"), claims()]);
    const args = ["Go.", "--loop-id", "same", WRITES];
    await using first = bench.start(args);
    await bench.hasFile("started");

    const second = await bench.run(args);
    await bench.repository.write("go", "");

    expectExit(second, 1);
    expect(second.stderr).toContain("Loop same is being run by process");
    expectExit(await first.finished, 0);
    expect(bench.model.requests).toHaveLength(2);
  });

  test("a reader that goes away does not stop the loop [W-09]", async () => {
    await using bench = await workbench([worksOn("one"), worksOn("two"), claims()]);

    const run = await bench.shell("{ smithers Go --loop-id piped; echo $? > code; } 2>&1 | head -n 1");

    expect(run.stdout.split("\n")).toHaveLength(2);
    expect(await bench.read("code")).toBe("0\n");
    expect(await bench.state("piped")).toMatchObject({ status: "completed", iteration: 3 });
  });
});

const CHECK = `import { readFileSync } from "node:fs";
const answer = readFileSync("answer.txt", "utf8").trim();
if (answer !== "42") {
  console.log(\`CHECK: expected 42, got \${answer}\`);
  process.exit(1);
}
`;
const TASK = { "check.mjs": CHECK, "answer.txt": "0\n" };
const REPAIR = patch("*** Update File: answer.txt\n@@\n-41\n+42");
const NEARLY = patch("*** Update File: answer.txt\n@@\n-0\n+41");

describe.concurrent("claims and checks with the real Codex", () => {
  test("a false claim is refused, and the next prompt says why [C7, W-58]", async () => {
    await using bench = await workbench([NEARLY, claims(), REPAIR, claims()], { files: TASK });

    const run = await bench.run([
      "Find the answer.",
      "--loop-id",
      "c7",
      WRITES,
      "--quality-commands",
      "node check.mjs",
    ]);

    expectExit(run, 0);
    const next = bench.model.requests[2]?.prompt ?? "";
    expect(next).toContain("CHECK: expected 42, got 41");
    expect(next).toContain("the claim was refused");
    const state = await bench.state("c7");
    expect(state).toMatchObject({
      status: "completed",
      stop_reason: { kind: "promise", verified: true },
      iteration: 2,
    });
    expect(state.iterations.map(({ claimed, checks }) => ({ claimed, checks }))).toEqual([
      { claimed: true, checks: "failed" },
      { claimed: true, checks: "passed" },
    ]);
    expect(await bench.read("answer.txt")).toBe("42\n");
  });

  test("the success command decides alone [C7, S-18]", async () => {
    await using bench = await workbench([NEARLY, claims("too early"), REPAIR, worksOn("not sure")], { files: TASK });

    const run = await bench.run(["Find it.", "--loop-id", "s18", WRITES, "--success-cmd", '["node","check.mjs"]']);

    expectExit(run, 0);
    expect(bench.model.requests[0]?.prompt).toContain("CHECK: expected 42, got 0");
    expect(await bench.state("s18")).toMatchObject({
      status: "completed",
      stop_reason: { kind: "success_command" },
      iteration: 2,
    });
  });

  test("work that is green already costs no request [PRE 6]", async () => {
    await using bench = await workbench([], { files: { ...TASK, "answer.txt": "42\n" } });

    const run = await bench.run(["Find it.", "--loop-id", "pre6", WRITES, "--success-cmd", '["node","check.mjs"]']);

    expectExit(run, 0);
    expect(bench.model.requests).toHaveLength(0);
    expect(await bench.state("pre6")).toMatchObject({ stop_reason: { kind: "already_green" }, iteration: 0 });
  });
});
