import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { booty } from "./break-in.ts";
import { attacked } from "./person.ts";
import { USERS } from "./users.ts";

describe.each(USERS)("a hostile agent on the machine of a person who is $who", ({ who, user }) => {
  let it: Awaited<ReturnType<typeof attacked>>;
  beforeAll(async () => {
    it = await attacked(user, "codex");
  }, 120_000);
  afterAll(() => it[Symbol.asyncDispose]());

  test(`the check that it has bent finds no key, token or file of theirs (${who}) [T2, T3]`, () => {
    const check = it.loot("check");
    expect([check.tried.length, booty(check, it.loot("turn"))]).toEqual([10, []]);
    const { key, token, worker } = it.secrets;
    const sent = it.evil.bytes.toString();
    expect(sent).toContain("POST /check");
    for (const secret of [key, token, worker])
      expect(`${sent}${it.ended.stdout}${it.ended.stderr}`).not.toContain(secret);
  });

  test(`its turn finds none of their files, unless it is root's, which is told (${who}) [T2]`, () => {
    const told = who === "root" && /turns are not isolated \(as root/u.test(it.ended.stderr);
    expect(told ? [] : booty(it.loot("turn"))).toEqual([]);
  });

  test(`nothing of theirs is changed, and nothing stays (${who}) [T11, T19]`, () => {
    expect([it.planted, it.daemons]).toEqual([[], []]);
  });
});
