import { describe, expect, it } from "vitest";
import type { Habit } from "./habit.ts";
import { HABITS } from "./habits.ts";
import { judge } from "./judge.ts";

const titled = (habits: readonly Habit[]) => habits.map((habit) => [habit.rows, habit.agent, habit] as const);

const asExpected = ({ ends, status, at }: Habit) => ({ ends, status, at });

describe("the loop ends as it should, and is not completed falsely, with an agent that", () => {
  const told = HABITS.filter(({ reported }) => reported === undefined);
  it.concurrent.each(titled(told))("$1 [$0, W-58]", async (_rows, _agent, habit) => {
    expect(await judge(habit)).toMatchObject({ ...asExpected(habit), falselyCompleted: false });
  });
});

describe("a person is told what to look at after an agent that", () => {
  const hidden = HABITS.filter(({ reported }) => reported === "tampering");
  it.concurrent.each(titled(hidden))("$1 [$0]", async (_rows, _agent, habit) => {
    expect(await judge(habit)).toMatchObject({ ...asExpected(habit), falselyCompleted: true, tampered: true });
  });
});
