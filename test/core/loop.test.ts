import { expect, test } from "vitest";
import { runLoop } from "../../src/core/loop.ts";
import { aTask, aTurn } from "../support/builders.ts";
import { fakePorts } from "../support/fake-ports.ts";

const never = new AbortController().signal;

test("W-60: one promise stops the loop at once", async () => {
  const ports = fakePorts({ turns: [aTurn({ message: "<promise>DONE</promise>" })] });
  expect(await runLoop(aTask(), ports, never)).toEqual({ kind: "promise", verified: false });
  expect(ports.turns).toHaveLength(1);
  expect(ports.state.status).toBe("completed");
});
