import type { Habit } from "../test/judgement/habit.ts";
import { HABITS } from "../test/judgement/habits.ts";
import { judge, type Judged } from "../test/judgement/judge.ts";
import { atMost, plain, type Figure } from "./figure.ts";

/** Whether loops end as they should with agents of bad habits, and how long after they could have (section 4). */
export async function measureJudgement(say: (line: string) => void): Promise<readonly Figure[]> {
  say(row("an agent that", "ends as", "iterations / earliest", "falsely completed"));
  const judged: Judged[] = [];
  for (const habit of HABITS) {
    const ending = await judge(habit);
    judged.push(ending);
    say(row(habit.agent, named(habit, ending), `${ending.at} / ${habit.earliest}`, falsely(ending)));
  }
  const wasted = HABITS.map((habit, index) => Math.max(0, (judged[index]?.at ?? 0) - habit.earliest));
  const completedFalsely = judged.filter((ending) => ending.falselyCompleted);
  const wrong = HABITS.filter((habit, index) => !isRight(habit, judged[index]));
  return [
    plain("agents with bad habits", HABITS.length, ""),
    atMost(
      "loops that are completed falsely, and nobody is told",
      completedFalsely.filter((ending) => !ending.tampered).length,
      "",
      0,
    ),
    plain(
      "loops that are completed falsely, and a person is told where to look",
      completedFalsely.filter(({ tampered }) => tampered).length,
      "",
    ),
    atMost("loops that end in another way than they should", wrong.length, "", 0),
    plain("iterations of all of them", sum(judged.map(({ at }) => at)), ""),
    plain("of these after the earliest right stop", sum(wasted), ""),
  ];
}

function isRight({ ends, status, at }: Habit, judged: Judged | undefined): boolean {
  return judged?.ends === ends && judged.status === status && judged.at === at;
}

function falsely({ falselyCompleted, tampered }: Judged): string {
  if (!falselyCompleted) return "no";
  return tampered ? "yes, and reported" : "YES";
}

function named(habit: Habit, judged: Judged): string {
  const should = isRight(habit, judged) ? "" : ` (should: ${habit.ends} after ${habit.at})`;
  return `${judged.ends}${should}`;
}

function row(...[agent, ending, iterations, falsely]: readonly [string, string, string, string]): string {
  return `${agent.padEnd(62)} ${ending.padEnd(18)} ${iterations.padEnd(22)} ${falsely}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
