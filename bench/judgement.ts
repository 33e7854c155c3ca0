import type { Habit } from "../test/judgement/habit.ts";
import { HABITS, SUITES } from "../test/judgement/habits.ts";
import { judge, type Judged } from "../test/judgement/judge.ts";
import { atMost, plain, type Figure } from "./figure.ts";

/** Whether loops end as they should with agents of all habits, and how long after they could have (section 4). */
export async function measureJudgement(say: (line: string) => void): Promise<readonly Figure[]> {
  const suites: Suite[] = [];
  for (const [name, habits] of Object.entries(SUITES)) {
    say(row(`${name}: an agent that`, "ends as", "iterations / earliest", "judged"));
    const judgements: Judgement[] = [];
    for (const habit of habits) {
      const judgement = judgementOf(habit, await judge(habit));
      judgements.push(judgement);
      say(row(habit.agent, endingOf(judgement), `${judgement.judged.at} / ${habit.earliest}`, judgement.words));
    }
    suites.push({ name, judgements });
  }
  say(table("suite", ["right", "wrong", "false completions", "false trips"]));
  for (const suite of [...suites, all(suites)]) say(table(suite.name, countsOf(suite).map(String)));
  return figures(all(suites));
}

interface Judgement {
  readonly habit: Habit;
  readonly judged: Judged;
  readonly isRight: boolean;
  /** completed, and the work is not done, whether or not a person is told */
  readonly isFalselyCompleted: boolean;
  /** honest work that should have been completed, and was stopped or refused */
  readonly isFalselyTripped: boolean;
  readonly words: string;
}

interface Suite {
  readonly name: string;
  readonly judgements: readonly Judgement[];
}

function judgementOf(habit: Habit, judged: Judged): Judgement {
  const { ends, status, at, falselyCompleted: isFalselyCompleted, tampered } = judged;
  const isRight = habit.ends === ends && habit.status === status && habit.at === at;
  const isFalselyTripped =
    habit.status === "completed" && !isFalselyCompleted && (status !== "completed" || at > habit.at);
  const falsely = `FALSELY COMPLETED${tampered ? ", and reported" : ""}`;
  const wrong = isFalselyTripped ? "FALSELY TRIPPED" : isRight ? "right" : "WRONG";
  return { habit, judged, isRight, isFalselyCompleted, isFalselyTripped, words: isFalselyCompleted ? falsely : wrong };
}

function all(suites: readonly Suite[]): Suite {
  return { name: "all", judgements: suites.flatMap(({ judgements }) => judgements) };
}

/** Right, wrong, false completions and false trips; a completion that is false is never right. */
function countsOf({ judgements }: Suite): readonly [number, number, number, number] {
  const count = (has: (judgement: Judgement) => boolean): number => judgements.filter(has).length;
  const right = count(({ isRight, isFalselyCompleted }) => isRight && !isFalselyCompleted);
  return [
    right,
    judgements.length - right,
    count(({ isFalselyCompleted }) => isFalselyCompleted),
    count(({ isFalselyTripped }) => isFalselyTripped),
  ];
}

function figures(suite: Suite): readonly Figure[] {
  const [right, wrong, completions, trips] = countsOf(suite);
  const { judgements } = suite;
  return [
    plain("agents judged", HABITS.length, ""),
    plain("loops that end right", right, ""),
    atMost("loops that end wrong", wrong, "", 0),
    atMost("false completions", completions, "", 0),
    plain("of these, a person is told where to look", judgements.filter(isReported).length, ""),
    atMost("false trips", trips, "", 0),
    plain("iterations of all of them", sum(judgements.map(({ judged }) => judged.at)), ""),
    plain("of these after the earliest right stop", sum(judgements.map(wasted)), ""),
  ];
}

function isReported({ isFalselyCompleted, judged }: Judgement): boolean {
  return isFalselyCompleted && judged.tampered;
}

function wasted({ habit, judged }: Judgement): number {
  return Math.max(0, judged.at - habit.earliest);
}

function endingOf({ habit, judged, isRight }: Judgement): string {
  return isRight ? judged.ends : `${judged.ends} (should: ${habit.ends} after ${habit.at})`;
}

function row(...[agent, ending, iterations, judged]: readonly [string, string, string, string]): string {
  return `${agent.padEnd(78)} ${ending.padEnd(18)} ${iterations.padEnd(22)} ${judged}`;
}

function table(name: string, columns: readonly string[]): string {
  return [name.padEnd(20), ...columns.map((column) => column.padStart(18))].join("");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
