import { describe, expect, test } from "vitest";
import { command } from "../support/model-server.ts";
import { expectExit } from "./expect-exit.ts";
import { hostileMachine } from "./hostile-machine.ts";
import { claims } from "./says.ts";
import { workbench } from "./workbench.ts";

const STOPPED = { loot: "", changed: [], daemon: "ended" };

const AGENT = JSON.stringify(["sh", "-c", "sh attack.sh; echo '<promise>TASK_COMPLETE</promise>'"]);

describe.concurrent("an agent in isolation", () => {
  test("Codex without a sandbox of its own reads, changes and leaves nothing outside of its workspace [T2, T11, T19]", async () => {
    await using it = await hostileMachine([command("sh attack.sh"), claims()], "somebody");

    const run = await it.run(["Go.", "--loop-id", "codex", "--sandbox", "danger-full-access"]);

    expectExit(run, 0);
    expect(run.stderr).not.toContain("not isolated");
    expect(await it.outcome()).toEqual(STOPPED);
  });

  test.each(["root", "somebody"] as const)(
    "a command of %s reads, changes and leaves nothing outside of its workspace [T2, T11, T19]",
    async (user) => {
      await using it = await hostileMachine([], user);

      const run = await it.run(["Go.", "--provider", "command", "--provider-command", AGENT]);

      expectExit(run, 0);
      expect(await it.outcome()).toEqual(STOPPED);
    },
  );

  test("where turns and checks would run as you, require-isolation refuses with each reason [T3]", async () => {
    await using bench = await workbench([]);
    const agent = ["--provider", "command", "--provider-command", '["true"]', "--agent-isolation", "off"];

    const run = await bench.run([
      ...["Go.", ...agent, "--require-isolation"],
      ...["--check-sandbox", "off", "--quality-commands", "true"],
    ]);

    expectExit(run, 64);
    expect(run.stderr).toMatch(/the agent's turns cannot be isolated here: agent-isolation is off/u);
    expect(run.stderr).toMatch(/checks cannot be isolated here: check-sandbox is off/u);
  });
});
