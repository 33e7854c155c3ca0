import { expect, test } from "vitest";
import { secondInterrupt } from "../../src/commands/run.ts";

test("the second Ctrl+C ends the agent at once, the third the program with 130 [W-46]", () => {
  const did: (string | number)[] = [];
  const again = secondInterrupt(
    (text) => did.push(text),
    () => did.push("hurry"),
    (exitCode) => did.push(exitCode),
  );
  again();
  expect(did).toEqual([expect.stringContaining("Ctrl+C again leaves"), "hurry"]);
  again();
  expect(did.slice(2)).toEqual([130]);
});
