import { expect, test } from "vitest";
import { attacked } from "./person.ts";
import { USERS } from "./users.ts";

test("a check that the agent has bent finds, sends, changes and leaves nothing [T2, T3, T11, T19]", async () => {
  await using it = await attacked(USERS.at(-1)?.user, "scripted");
  const check = it.loot("check");
  expect([check.tried.includes("environments"), check.got]).toEqual([true, []]);
  const sent = it.evil.bytes.toString();
  expect(sent).toContain("POST /check");
  for (const secret of Object.values(it.secrets))
    expect(`${sent}${it.ended.stdout}${it.ended.stderr}`).not.toContain(secret);
  expect([it.planted, it.daemons]).toEqual([[], []]);
});
