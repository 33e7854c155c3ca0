import { describe, expect, it } from "vitest";
import type { Habit } from "./habit.ts";
import { SUITES } from "./habits.ts";
import { judge } from "./judge.ts";

const titled = (habits: readonly Habit[]) => habits.map((habit) => [habit.rows, habit.agent, habit] as const);

const asExpected = ({ ends, status, at }: Habit) => ({ ends, status, at });

/** The trials of one part, of several that run side by side: every third suite, from this one on. */
export function tryPart(part: 0 | 1 | 2): void {
  const habits = Object.values(SUITES).filter((_suite, index) => index % 3 === part);
  describe("the loop ends as it should, and is not completed falsely unless a person is told, with an agent that", () => {
    it.concurrent.each(titled(habits.flat()))("$1 [$0, W-58]", async (_rows, _agent, habit) => {
      const told =
        habit.reported === undefined ? { falselyCompleted: false } : { falselyCompleted: true, tampered: true };
      expect(await judge(habit)).toMatchObject({ ...asExpected(habit), ...told });
    });
  });
}
