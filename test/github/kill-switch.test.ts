import { describe, expect, test } from "vitest";
import { DONE, failed } from "../../src/core/result.ts";
import { KILL_SWITCH, readKillSwitch } from "../../src/github/kill-switch.ts";
import { asking } from "../support/asking.ts";

const OFF = failed({ because: "loops are switched off in this repository (its variable SMITHERS_DISABLED is set)" });

describe("the kill switch", () => {
  test.for(["1", "true", "yes", "because it was expensive"])("%j switches loops off", async (given) => {
    await using at = await asking();
    expect(await readKillSwitch(at.github, given)).toEqual(OFF);
    expect(at.api.requests).toEqual([]);
  });

  test.for(["", " ", "0", "false", "False", "no", "off"])("%j does not", async (given) => {
    await using at = await asking();
    expect(await readKillSwitch(at.github, given)).toEqual(DONE);
  });

  test("where the workflow says nothing, GitHub is asked; a token that may not ask hears of none", async () => {
    await using job = await asking();
    job.api.world.variables.set(KILL_SWITCH, "1");
    expect(await readKillSwitch(job.github, null)).toEqual(DONE);
    await using app = await asking({ variables: "read" });
    expect(await readKillSwitch(app.github, null)).toEqual(DONE);
    app.api.world.variables.set(KILL_SWITCH, "1");
    expect(await readKillSwitch(app.github, null)).toEqual(OFF);
  });

  test("a GitHub that fails may hide that they are off", async () => {
    await using at = await asking();
    at.api.fail("actions/get-repo-variable", { status: 500, body: { message: "Oops" } });
    expect(await readKillSwitch(at.github, null)).toEqual({
      ok: false,
      trouble: {
        because: "whether loops are switched off here (SMITHERS_DISABLED) cannot be told: GitHub answered 500 (Oops)",
      },
    });
  });
});
