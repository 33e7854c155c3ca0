import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { settle } from "../../src/core/settle.ts";
import { aLastTurn, aState, aTask } from "../support/builders.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** Settles with ports that write down when they begin and end. */
async function settled(record: () => Promise<void>) {
  const order: string[] = [];
  const ports = fakePorts();
  const task = aTask();
  const state = aState({ phase: "unsettled", iteration: 4, last_turn: aLastTurn({ iteration: 4 }) }, task);
  const told = async (name: string, work: () => Promise<void>) => {
    order.push(`${name} begun`);
    await nextTick();
    await work();
    order.push(`${name} done`);
    return undefined;
  };
  vi.spyOn(ports.progress, "record").mockImplementation(() => told("notes", record));
  vi.spyOn(ports.workspace, "commit").mockImplementation(() => told("commit", nextTick));
  const counted = await settle({ task, state, ports }, { commits: true, story: null }).catch(String);
  return { order, counted };
}

test("notes and commit are written side by side [C18, C13]", async () => {
  const { order, counted } = await settled(async () => {});
  expect(counted).toMatchObject({ type: "settled" });
  expect(order).toEqual(["notes begun", "commit begun", "notes done", "commit done"]);
});

test("that notes cannot be written is told when nothing is being written any more [C18]", async () => {
  const { order, counted } = await settled(() => Promise.reject(new Error("disk full")));
  expect(counted).toBe("Error: disk full");
  expect(order).toEqual(["notes begun", "commit begun", "commit done"]);
});
