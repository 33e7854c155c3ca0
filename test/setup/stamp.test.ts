import { expect, test } from "vitest";
import { stamped, stateOf } from "../../src/setup/install-helpers.ts";
import { CUSTOM_PROMPT, HEADLESS, OTHER_NAME, SKILL } from "../../src/setup/helper-texts.ts";

const now = stamped("now\n");

test.each<[string, string | undefined, string]>([
  ["nothing is there", undefined, "missing"],
  ["this version's", now, "up_to_date"],
  ["with other line ends", now.replaceAll("\n", "\r\n"), "up_to_date"],
  ["without its last line end", now.trimEnd(), "up_to_date"],
  ["an earlier version's", stamped("before\n"), "older"],
  ["an earlier version's with other line ends", stamped("before\n").replaceAll("\n", "\r\n"), "older"],
  ["changed above the mark", now.replace("now", "mine"), "changed"],
  ["changed below the mark", `${now}mine\n`, "changed"],
  ["somebody's own", "mine\n", "changed"],
  ["empty", "", "changed"],
])("a helper file, %s [W-65]", (_title, there, state) => {
  expect(stateOf(there, now)).toBe(state);
});

test("skills have the front matter that Codex needs, by both names [W-13]", () => {
  expect(
    [SKILL, OTHER_NAME, HEADLESS].map(
      (text) => /^---\nname: (?<name>.+)\ndescription: .{20,1000}\n---\n/u.exec(text)?.groups?.["name"],
    ),
  ).toEqual(["waylon-smithers", "smithers-loop", "smithers-headless"]);
  expect(CUSTOM_PROMPT).toMatch(/^---\ndescription: .+\nargument-hint: .+\n---\n/u);
  expect(CUSTOM_PROMPT).toContain("$ARGUMENTS");
});

test.each([
  ["prompt", CUSTOM_PROMPT],
  ["skill", SKILL],
])("the %s codifies promise, checkpoints and safe defaults, and has no hooks [W-13]", (_name, text) => {
  for (const title of ["Promise discipline", "Checkpoints", "Safe defaults"]) expect(text).toContain(`## ${title}\n`);
  expect(text).toContain("HARD STOP");
  expect(text).toMatch(/prompts and skills have no hooks/u);
  // Quoting it must not claim anything.
  expect(text).not.toMatch(/<promise>|_STATUS---/u);
});
