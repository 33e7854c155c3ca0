import { describe, expect, it } from "vitest";
import { HABITS } from "./habits.ts";
import { judge } from "./judge.ts";

describe("an agent that", () => {
  it.concurrent.each(HABITS.map((habit) => [habit.rows, habit.agent, habit] as const))(
    "%s: %s",
    async (_rows, _agent, habit) => {
      const { ends, status, at, falselyCompleted } = await judge(habit);
      expect({ ends, status, at, falselyCompleted }).toEqual({
        ends: habit.ends,
        status: habit.status,
        at: habit.at,
        falselyCompleted: false,
      });
    },
  );
});
