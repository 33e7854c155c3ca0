import { appendFile, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { readUsageLine, SessionUsage } from "../../../src/agents/codex/session-usage.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const ID = "01a20df1-20f6-7771-9bdb-ac01594568e2";

function tokens(requests: number) {
  return {
    input_tokens: 100 * requests,
    cached_input_tokens: 40 * requests,
    cache_write_input_tokens: 0,
    output_tokens: 20 * requests,
    reasoning_output_tokens: 5 * requests,
    total_tokens: 120 * requests,
  };
}
const counted = (requests: number) => ({
  input: 100 * requests,
  cachedInput: 40 * requests,
  output: 20 * requests,
  reasoning: 5 * requests,
});
const line = (type: string, payload: object): string => `${JSON.stringify({ type, payload })}\n`;
const answered = (requests: number): string =>
  line("token_usage_record", { usage: tokens(1), thread_token_usage: tokens(requests) });

test("a session's total is what its file said last, read on from where it was [C14]", async () => {
  await using folder = await tempFolder();
  const day = path.join(folder.path, "2026/11/24");
  const file = path.join(day, `rollout-2026-11-24T14-23-56-${ID}.jsonl`);
  await using usage = new SessionUsage(folder.path);
  expect(await usage.total(ID)).toBeUndefined();
  await mkdir(day, { recursive: true });
  await writeFile(file, line("session_meta", { id: ID }) + answered(1));
  // A file that was not there is not looked for at each event.
  expect(await usage.total(ID)).toBeUndefined();
  expect(await usage.total(ID, true)).toEqual(counted(1));
  await appendFile(file, answered(2).slice(0, 60));
  expect(await usage.total(ID)).toEqual(counted(1));
  await appendFile(file, `${answered(2).slice(60)}{"token_usage": broken\n`);
  expect(await usage.total(ID)).toEqual(counted(2));
});

test("a link in the place of the file is not followed, and a missing folder is nothing known [T14]", async () => {
  await using folder = await tempFolder();
  await writeFile(path.join(folder.path, "elsewhere"), answered(9));
  await symlink("elsewhere", path.join(folder.path, `rollout-x-${ID}.jsonl`));
  await using usage = new SessionUsage(folder.path);
  expect(await usage.total(ID, true)).toBeUndefined();
  await using nowhere = new SessionUsage(path.join(folder.path, "missing"));
  expect(await nowhere.total(ID, true)).toBeUndefined();
});

test.each([
  ["a record after an answer", answered(3), counted(3)],
  [
    "a count of an older version",
    line("event_msg", { type: "token_count", info: { total_token_usage: tokens(2) } }),
    counted(2),
  ],
  ["a count before the first answer", line("event_msg", { type: "token_count", info: null }), undefined],
  ["another line", line("response_item", { text: "thread_token_usage" }), undefined],
  ["a torn line", answered(1).slice(0, -9), undefined],
])("%s", (_, text, expected) => {
  expect(readUsageLine(text)).toEqual(expected);
});
