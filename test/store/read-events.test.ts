import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { placeOf } from "../../src/store/place.ts";
import { readEarlierEvents, readEvents } from "../../src/store/read-events.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aLoopStarted } from "../support/builders.ts";

test("events are read through no link, and a line without an end is left out [T14]", async () => {
  await using folder = await tempFolder();
  const place = placeOf(folder.path, "L", "loops/L.json");
  await mkdir(place.folder, { recursive: true });
  const event = `${JSON.stringify(aLoopStarted())}\n`;
  const file = path.join(place.folder, "events.jsonl");
  await writeFile(file, `${"x".repeat(17 << 20)}\n${event}not JSON\n${event.trim()}`);
  const read = async (): Promise<number> => {
    let count = 0;
    for await (const { type } of readEvents(place)) count += type === "loop_started" ? 1 : 0;
    return count;
  };
  expect(await read()).toBe(2);
  await rename(file, path.join(folder.path, "events.jsonl"));
  await symlink(path.join(folder.path, "events.jsonl"), file);
  await expect(read()).rejects.toMatchObject({ code: "LINK_REFUSED" });
  await rm(place.folder, { recursive: true });
  await symlink(folder.path, place.folder);
  await expect(read()).rejects.toMatchObject({ code: "LINK_REFUSED" });
  await rm(place.folder);
  await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
});

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
