import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { placeOf } from "../../src/store/place.ts";
import { readEarlierEvents } from "../../src/store/read-events.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aLoopStarted } from "../support/builders.ts";

test("the events of the generations before this one, as far as they are there, the oldest first [W-57]", async () => {
  await using folder = await tempFolder();
  const place = placeOf(folder.path, "L", null);
  // Of 55 earlier generations the last 50 are looked back at; the third of them is gone.
  for (const generation of [1, 5, 6, 8, 55, 56]) {
    const archived = `${place.folder}.g${generation}`;
    await mkdir(archived, { recursive: true });
    await writeFile(
      path.join(archived, "events.jsonl"),
      `${JSON.stringify(aLoopStarted(undefined, { generation }))}\n`,
    );
  }
  const generations: number[] = [];
  for await (const event of readEarlierEvents(place, 56)) {
    if (event.type === "loop_started") generations.push(event.generation);
  }
  expect(generations).toEqual([6, 8, 55]);
});
