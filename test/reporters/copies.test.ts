import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { copiesReporter } from "../../src/reporters/copies.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aState, started, turnEnded } from "../views/a-state.ts";

const never = (why: Error): void => {
  throw why;
};
const soon = (): number => Date.now() + 5_000;

test("raw events of all iterations go to one file, last messages to a folder [W-26, W-27]", async () => {
  await using folder = await tempFolder();
  const loop = path.join(folder.path, "loop");
  const targets = { rawEvents: path.join(folder.path, "out/all.jsonl"), lastMessages: path.join(folder.path, "last") };
  await mkdir(loop);
  const reporter = copiesReporter({ root: folder.path, folder: loop }, targets, never);
  reporter.report(started(), aState());
  for (const n of [1, 2]) {
    await writeFile(path.join(loop, `events_iter_${n}.jsonl`), `{"n":${n}}\n`);
    await writeFile(path.join(loop, `last_message_iter_${n}.txt`), `message ${n}`);
    reporter.report(turnEnded({ iteration: n }), aState());
  }
  reporter.report({ type: "turn_abandoned", at: "", iteration: 3 }, aState());
  await reporter.flush(soon());
  expect(await readFile(targets.rawEvents, "utf8")).toBe('{"n":1}\n{"n":2}\n');
  expect(await readdir(targets.lastMessages)).toEqual(["last_message_iter_1.txt", "last_message_iter_2.txt"]);
});

test("what cannot be written is said once and does not end the loop", async () => {
  await using folder = await tempFolder();
  await writeFile(path.join(folder.path, "events_iter_1.jsonl"), "{}\n");
  await writeFile(path.join(folder.path, "file"), "");
  const said: string[] = [];
  const targets = { rawEvents: path.join(folder.path, "file/below.jsonl"), lastMessages: null };
  const reporter = copiesReporter({ root: folder.path, folder: folder.path }, targets, (why) => said.push(why.message));
  reporter.report(turnEnded(), aState());
  reporter.report(turnEnded(), aState());
  await reporter.flush(soon());
  expect(said).toHaveLength(1);
});

test("last messages that already are where they are wanted stay as they are", async () => {
  await using folder = await tempFolder();
  await writeFile(path.join(folder.path, "last_message_iter_1.txt"), "message");
  const reporter = copiesReporter(
    { root: folder.path, folder: folder.path },
    { rawEvents: null, lastMessages: folder.path },
    never,
  );
  reporter.report(turnEnded(), aState());
  await reporter.flush(soon());
  expect(await readFile(path.join(folder.path, "last_message_iter_1.txt"), "utf8")).toBe("message");
});
