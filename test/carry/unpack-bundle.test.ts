import { appendFile, link, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { unpackBundle } from "../../src/carry/unpack-bundle.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aBundle, aRecord, contentOf, parseState, placesIn } from "./a-loop.ts";

test("T14: a file that came with a second name cannot be changed by it afterwards", async () => {
  await using temp = await tempFolder();
  const record = aRecord(7);
  const bundle = await aBundle(temp.path, record);
  const second = path.join(temp.path, "second-name");
  await link(path.join(bundle.folder, "loop/events.jsonl"), second);
  const to = placesIn(path.join(temp.path, "next"));
  await unpackBundle(bundle, { to, state: record.state, key: null, parseState });
  await appendFile(second, "planted");
  expect(await readFile(path.join(to.folder, "events.jsonl"), "utf8")).toBe(contentOf("events.jsonl"));
});
