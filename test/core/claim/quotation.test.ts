import { describe, expect, test } from "vitest";
import { findPromise } from "../../../src/core/claim/promise.ts";
import type { PromiseRule } from "../../../src/core/task.ts";
import { fakeMatcher } from "../../support/fake-matcher.ts";

const TAG = "<promise>DONE</promise>";

function find(message: string, rule: Partial<PromiseRule> = {}) {
  return findPromise(message, { text: "DONE", mode: "tag", guard: "final-line", ...rule }, fakeMatcher());
}

const SHOWN = [
  "When all the tests pass, I will end with:",
  "I am not outputting the promise yet:",
  "Once everything is green I'll print:",
  "Do not print this until the work is finished:",
  "If the checks were green, I would say:",
  "Not done yet:",
  "I will output the following when done:",
  "Next I will finish the exporter, and then I'll print this.",
  "Now, when it works, I will print this:",
  "It is not finished.",
  "The work is not complete yet.",
  "I will print the promise after the migration.",
  "**I cannot say this yet:**",
  "If the tests were green, the last line would be",
  "Next turn I'll be able to say",
  "The CI bot's last comment was:",
  "全部测试通过后我会输出：",
  "När alla tester går igenom skriver jag:",
];

const MADE = [
  "All done.",
  "Everything is finished:",
  "All tests pass, so here it is:",
  "There is nothing left to do:",
  "There are no failing tests:",
  "No issues remain:",
  "I could not find any further problems:",
  "I did not change the interface.",
  "If you want to run it, use npm start.",
  "When the download is finished, the file is renamed.",
  "The next release will include it.",
  "I will now output the promise:",
  "The last line of the file is gone.",
  "The bot is able to write to the issue.",
  "测试通过后的结果都是绿色。",
  "- did not touch the API",
  "NOTES:\n- done: the parser\n- next: nothing",
  "The output does not change.",
  "The token is not logged any more.",
  "You can try it, if you like, with:\n```\nnpm start\n```",
  "> When all is done:",
];

describe("a lead-in directly before a promise on a line of its own", () => {
  test.each(SHOWN)("makes it a quotation: %s [C37]", async (said) => {
    for (const guard of ["final-line", "code"] as const) {
      const finding = await find(`I worked on it.\n\n${said}\n\n${TAG}`, { guard });
      expect(finding).toMatchObject({ detected: true, counts: false, strict: false });
      expect(finding.hint).toMatch(/your words around it only show it \(".+"\)/u);
    }
    expect(await find(`${said}\n${TAG}`, { guard: "off" })).toMatchObject({ counts: true, strict: false });
  });

  test.each(MADE)("is none: %s [C37]", async (said) => {
    expect(await find(`I worked on it.\n\n${said}\n${TAG}`)).toMatchObject({ counts: true, strict: true, hint: null });
  });
});

describe("what is around a promise", () => {
  test.each([
    ["a table", `| step | answer |\n| --- | --- |\n| last | ${TAG} |`],
    ["a table without outer bars", `step | answer\n--- | ---\nlast | ${TAG}`],
    ["an item of a rule", `- When everything is done, end with ${TAG}`],
    ["an order in a list", `1. **Output** ${TAG}`],
    ["a list of rules", `The rules are:\n- write tests\n- answer with one line\n- ${TAG}`],
    ["a list of instructions, and a blank line", `Instructions:\n\n- write tests\n${TAG}`],
    ["a report in its line", `Worker 2 said ${TAG}.`],
    ["a report of another turn", `The previous agent ended its message with:\n${TAG}`],
    ["a report in its paragraph", `The sub-agent reported:\nI am through.\n${TAG}`],
    ["a report under a heading", `# What the reviewer said\n${TAG}`],
    ["a report, and a blank line", `The reviewer wrote:\n\n${TAG}`],
    ["what the prompt asks for", `The prompt says to end with:\n${TAG}`],
  ])("makes it a quotation: %s [C37]", async (_title, message) => {
    expect(await find(message, { guard: "code" })).toMatchObject({ detected: true, counts: false });
  });

  test.each([
    ["a table before it", `| a | b |\n|---|---|\n| test | green |\n\n${TAG}`],
    ["a bar in its sentence", `a || b is done. ${TAG}`],
    ["an item about the work", `- work.txt is written. ${TAG}`],
    ["rules that were kept", `I followed the rules:\n- no new dependency\n- ${TAG}`],
    ["a list of results", `Results:\n- all green\n${TAG}`],
    ["a list without a heading", `All is well.\n- all green\n${TAG}`],
    ["a report about the own work", `I wrote what worker 2 reported. ${TAG}`],
    ["a paragraph before the report's", `The reviewer wrote:\n\nI mended that.\n\n${TAG}`],
    ["a paragraph that is too long to be looked through", `${"It is there.\n".repeat(25)}${TAG}`],
    ["results, and a blank line", `Results:\n\n${TAG}`],
    ["the prompt, followed", `As the prompt asks, I end with:\n${TAG}`],
    ["the task, done", `Everything that the task asks for is done:\n${TAG}`],
  ])("leaves it a promise: %s [C37]", async (_title, message) => {
    expect(await find(message, { guard: "code" })).toMatchObject({ counts: true, hint: null });
  });

  test("one that is made counts beside one that is shown [C37]", async () => {
    const message = `When done, I will print:\n${TAG}\n\nNow all is done.\n${TAG}`;
    expect(await find(message, { guard: "code" })).toMatchObject({ counts: true });
    expect(await find(message)).toMatchObject({ counts: true });
  });
});

describe("a pattern", () => {
  const rule = { mode: "regex", text: "ALL \\d+ DONE" } as const;
  test.each([
    ["with a lead-in", "When the tests pass, I will print:\nALL 12 DONE", "final-line", false],
    ["with a lead-in, anywhere", "When the tests pass, I will print:\nALL 12 DONE", "code", false],
    ["in a table", "| a | b |\n|---|---|\n| x | ALL 12 DONE |", "code", false],
    ["with a lead-in, and made before", "It is: ALL 12 DONE\nWhen asked, I will say:\nALL 12 DONE", "code", true],
    ["alone", "Fixed.\nALL 12 DONE", "final-line", true],
  ] as const)("%s [C37]", async (_title, message, guard, counts) => {
    expect(await find(message, { ...rule, guard })).toMatchObject({ detected: true, counts });
  });

  test("is strict on the last line alone [C35]", async () => {
    expect(await find("It is: ALL 12 DONE", { ...rule, guard: "off" })).toMatchObject({ counts: true, strict: false });
    expect(await find("It is:\nALL 12 DONE", { ...rule, guard: "off" })).toMatchObject({ counts: true, strict: true });
  });
});
