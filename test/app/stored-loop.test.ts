import { expect, test } from "vitest";
import { findLoop } from "../../src/app/loops/stored-loop.ts";
import { UsageError } from "../../src/core/errors.ts";
import { FileStore } from "../../src/store/file-store.ts";
import { placeOf } from "../../src/store/place.ts";
import { aState } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";

const IDS = Array.from({ length: 22 }, (_, at) => `fix-${String(at).padStart(2, "0")}`);
const SHOWN = IDS.slice(0, 20);

/** What is said of a loop's name in a workspace with more loops than anybody reads. */
async function refusalOf(loopId: string | null): Promise<string> {
  await using folder = await tempFolder();
  const root = folder.path;
  for (const id of IDS) {
    const store = new FileStore(placeOf(root, id, null));
    await store.open();
    const state = aState({ loop_id: id, revision: 1 });
    await store.append(
      { type: "wait_started", at: state.created_at, until: state.created_at, why: "calls_per_hour" },
      state,
    );
    await store.close();
  }
  const input = { flags: {}, env: {} };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no setting is looked at here
  const location = { root, input, loopId, stateFile: null, prd: null } as unknown as Parameters<typeof findLoop>[0];
  const refused = await findLoop(location, "running").catch((error: unknown) => error);
  return refused instanceof UsageError ? (refused.problems[0]?.what ?? "") : String(refused);
}

test("who names no loop that is there is told of twenty that are, and that there are others [C170]", async () => {
  expect(await refusalOf("other")).toMatch(new RegExp(`Known: ${SHOWN.join(", ")} and others\\.$`, "u"));
});

test.each([null, "fix"])(
  "who says %s, which may be any of many, is told of twenty and how many more [C170]",
  async (said) => {
    const [title, ...lines] = (await refusalOf(said)).split("\n");
    expect(title).toBe("It is not clear which loop is meant. There are:");
    expect(lines).toEqual([
      ...SHOWN.map((id) => expect.stringMatching(new RegExp(`^  ${id}: (?:running|crashed), iteration `, "u"))),
      "  and 2 more",
    ]);
  },
);
