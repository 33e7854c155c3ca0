import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { tokensBeside } from "../../src/store/loop-files.ts";
import { placeOf } from "../../src/store/place.ts";
import { encodeState } from "../../src/store/state-file.ts";
import { aState, anIterationRecord, AT, NOW } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("the tokens of today of the loops beside this one are counted; what cannot be read has used none [C14]", async () => {
  await using folder = await tempFolder();
  const own = placeOf(folder.path, "own", null);
  expect(await tokensBeside(own)(NOW)).toBe(0);
  const loops = path.dirname(own.stateFile);
  await mkdir(loops, { recursive: true });
  const yesterday = "2026-02-28T12:00:00.000+00:00";
  const used = (loopId: string, ended: string, tokens: number) =>
    writeFile(
      path.join(loops, `${loopId}.json`),
      encodeState({ ...aState(), loop_id: loopId, iterations: [anIterationRecord({ ended_at: ended, tokens })] }),
    );
  await used("own", AT, 1);
  await used("one", AT, 20);
  await used("two", AT, 300);
  await used("old", yesterday, 4000);
  await writeFile(path.join(loops, "broken.json"), "{");
  expect(await tokensBeside(own)(NOW)).toBe(320);
});
