import { expect, test } from "vitest";
import { committer } from "../../src/core/transition.ts";
import { aLoopStarted, AT, aState } from "../support/builders.ts";
import { fakePorts } from "../support/fake-ports.ts";

const waiting = { type: "wait_started", at: AT, until: AT, why: "interval" } as const;

test("an event is stored with the state it leads to, then the reporters hear of it", async () => {
  const ports = fakePorts();
  const seen: string[] = [];
  const commit = committer(
    {
      store: {
        ...ports.store,
        append: async (event, state) => {
          await Promise.resolve();
          seen.push(`stored ${event.type} ${state.revision}`);
        },
      },
      reporter: { ...ports.reporter, report: (event, state) => seen.push(`told ${event.type} ${state.revision}`) },
    },
    undefined,
  );
  await commit(aLoopStarted());
  expect(await commit(waiting)).toMatchObject({ revision: 2 });
  expect(seen).toEqual([
    "stored loop_started 1",
    "told loop_started 1",
    "stored wait_started 2",
    "told wait_started 2",
  ]);
});

test("a stored loop goes on from its revision", async () => {
  const stored = aState({ revision: 7 });
  const ports = fakePorts({ stored });
  expect(await committer(ports, stored)(waiting)).toMatchObject({ revision: 8 });
});

test("what could not be stored did not happen", async () => {
  const ports = fakePorts();
  let full = true;
  const store = {
    ...ports.store,
    append: async (...args: Parameters<typeof ports.store.append>) => {
      if (full) throw new Error("disk full");
      await ports.store.append(...args);
    },
  };
  const commit = committer({ store, reporter: ports.reporter }, undefined);
  await expect(commit(aLoopStarted())).rejects.toThrow("disk full");
  expect(ports.reported).toEqual([]);
  full = false;
  expect(await commit(aLoopStarted())).toMatchObject({ revision: 1 });
});
