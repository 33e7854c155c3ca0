import path from "node:path";
import { expect, test } from "vitest";
import { createCacheCarrier } from "../../src/carry/cache.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aBundle, aRecord, parseState } from "./a-loop.ts";

test("C11: below a folder with a space in its path the cache says so, and blames no archive", async () => {
  await using folder = await tempFolder();
  const carrier = createCacheCarrier({
    mark: "test",
    program: path.join(folder.path, "never-started.js"),
    env: { ACTIONS_RUNTIME_TOKEN: "token", ACTIONS_RESULTS_URL: "https://results.example" },
    scratch: path.join(folder.path, "a folder"),
    parseState,
  });
  const why = expect.stringContaining("a space in its path");
  expect(await carrier.save(await aBundle(folder.path, aRecord(7)), 1_000)).toMatchObject({
    ok: false,
    trouble: { because: why },
  });
  const wanted = { loopId: "a-loop", named: null, unnamed: true, into: folder.path };
  expect(await carrier.restore(wanted, 1_000)).toMatchObject({
    ok: false,
    trouble: { kind: "unreachable", because: why },
  });
});
