import { expect, test } from "vitest";
import { parseEnvironments, parseProcesses } from "../../src/os/process-table.ts";

const LISTED = `    1     0     1 Ss   Mon Jul  6 09:00:00 2026
  501     1   501 S+   Mon Jul  6 09:00:01 2026
  502   501   501 Z    Mon Jul  6 09:00:02 2026

`;

test("the list of ps is read, zombies left out, the group standing in for the session", () => {
  expect(parseProcesses(LISTED).map(({ pid, parent, group, session }) => [pid, parent, group, session])).toEqual([
    [1, 0, 1, 1],
    [501, 1, 501, 501],
  ]);
  const [first, second] = parseProcesses(LISTED);
  expect(Number(second?.started) - Number(first?.started)).toBe(1000);
});

test.each([
  ["in the middle", "  501 sleep 300 SMITHERS_TREE=a HOME=/x\n", [501]],
  ["at the end", "  501 sleep 300 HOME=/x SMITHERS_TREE=a\n", [501]],
  ["a part of it", "  501 sleep 300 SMITHERS_TREE=a/b HOME=/x\n", [501]],
  ["a longer mark", "  501 sleep 300 SMITHERS_TREE=ab HOME=/x\n", []],
  ["a longer name", "  501 sleep 300 NOT_SMITHERS_TREE=a\n", []],
  ["nothing", "\n", []],
])("the mark in what ps prints: %s", (_name, text, pids) => {
  expect(parseEnvironments(text, "SMITHERS_TREE=a")).toEqual(pids);
});
