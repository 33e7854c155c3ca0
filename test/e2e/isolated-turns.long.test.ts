import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { addFile, command } from "../support/model-server.ts";
import { expectExit } from "./expect-exit.ts";
import { hostileMachine } from "./hostile-machine.ts";
import { claims, worksOn } from "./says.ts";
import { KEY } from "./workbench.ts";

const PREPARE = 'touch "$HOME/installed" 2>/dev/null; true';
const USE = '[ -e "$HOME/installed" ] && echo kept; true';

describe("turns of the real Codex in isolation", () => {
  test("without it, the same attack succeeds, and that is said before [T2, T11]", async () => {
    await using it = await hostileMachine([command("sh attack.sh"), claims()], "somebody");

    const run = await it.run(["Go.", "--sandbox", "danger-full-access", "--agent-isolation", "off"]);

    expectExit(run, 0);
    expect(run.stderr).toMatch(/the agent's turns are not isolated \(agent-isolation is off\)/u);
    const { loot, changed } = await it.outcome();
    for (const secret of [KEY, "CANARY-hand-over", "CANARY-ssh", "CANARY-socket"]) expect(loot).toContain(secret);
    expect(changed).toHaveLength(4);
  });

  test.each(["read-only", "workspace-write", "danger-full-access"])(
    "work and go on with their session in %s",
    async (sandbox) => {
      const script = [addFile("new.txt", "1\n"), command(PREPARE), worksOn("one"), command(USE), claims()];
      await using it = await hostileMachine(script, "somebody");

      const run = await it.run(["Go.", "--loop-id", "modes", "--sandbox", sandbox]);

      expectExit(run, 0);
      expect(run.stderr).not.toContain("not isolated");
      const { bench } = it;
      expect((await bench.read("new.txt").catch(() => "")) === "").toBe(sandbox === "read-only");
      // What a turn writes to HOME is there for the next one, and never reaches the person's.
      const said = bench.model.requests.at(-1)?.outputs.at(-1) ?? "";
      expect(/^kept$/mu.test(said)).toBe(sandbox === "danger-full-access");
      expect(await readdir(bench.home.path)).not.toContain("installed");
      const [first, second] = await Promise.all([1, 2].map((nth) => bench.sessionsOf("modes", nth)));
      expect(second).toEqual(first);
      expect(await readFile(bench.loopFile("modes", "last_message_iter_2.txt"), "utf8")).toContain("TASK_COMPLETE");
      const sessions = await readdir(path.join(bench.home.path, ".codex/sessions"), { recursive: true });
      expect(sessions.join("\n")).toContain(first?.[0]);
    },
  );

  test("of root run in Codex's own sandbox alone, which is said once; without one they are isolated", async () => {
    await using held = await hostileMachine([worksOn("one"), claims()], "root");
    const run = await held.run(["Go.", "--loop-id", "held", "--sandbox", "workspace-write"]);
    expectExit(run, 0);
    expect(run.stderr.split("not isolated (as root")).toHaveLength(2);

    await using free = await hostileMachine([command("sh attack.sh"), claims()], "root");
    expectExit(await free.run(["Go.", "--sandbox", "danger-full-access"]), 0);
    expect(await free.outcome()).toEqual({ loot: "", changed: [], daemon: "ended" });
  });

  test("open by name what agent-access says, and nothing beside it [T2]", async () => {
    const agent = JSON.stringify(["sh", "-c", 'cat "$HOME/.ssh/id" >> "$HOME/.bashrc"; sh attack.sh']);
    await using it = await hostileMachine([], "somebody");
    const provider = ["--provider", "command", "--provider-command", agent, "--max-iterations", "1"];

    await it.run(["Go.", ...provider, "--agent-access", "~/.ssh/id", "--agent-access", "~/.bashrc:rw"]);

    const { loot, changed } = await it.outcome();
    expect(loot.trim()).toBe("CANARY-ssh");
    expect(changed).toEqual([".bashrc"]);
    expect(await readFile(path.join(it.bench.home.path, ".bashrc"), "utf8")).toContain("CANARY-ssh");
  });
});
