import { describe, expect, test } from "vitest";
import { runnerCommands } from "./commands.ts";

describe("the runner's own reading of a log [T10]", () => {
  test.each([
    ["a notice", "::notice::hello", "notice", {}, "hello"],
    [
      "properties and escapes",
      "::error title=a%3Ab%2Cc,line=3::x%0Ay%25",
      "error",
      { title: "a:b,c", line: "3" },
      "x\ny%",
    ],
    ["white space before", " \u00A0\t::error::z", "error", {}, "z"],
    ["another case", "::SET-OUTPUT name=x::y", "set-output", { name: "x" }, "y"],
    ["the old form inside a line", "x ##[save-state name=s]v", "save-state", { name: "s" }, "v"],
    ["the old form with more", "##[error a=1;b=2%3B]v%5D", "error", { a: "1", b: "2;" }, "v]"],
    ["an invisible character before", "\u200B::error::z", "error", {}, "z"],
    ["an invisible character inside", "a #\u00AD#[group]b", "group", {}, "b"],
  ])("%s", (_, log, name, properties, data) => {
    expect(runnerCommands(log)).toEqual([{ name, properties, data, line: log }]);
  });

  test.each(["::unknown::x", "a ::error::x", "::error", "##[error", "# #[error]x", "##[nope]x", ":error::x", ""])(
    "no command: %j",
    (log) => {
      expect(runnerCommands(log)).toEqual([]);
    },
  );

  test("every kind of line end ends a line", () => {
    const log = "a\r::error::1\r\n::error::2\n::error::3";
    expect(runnerCommands(log).map(({ data }) => data)).toEqual(["1", "2", "3"]);
  });

  test("stop-commands holds until its token, and its token is not a name of a command", () => {
    const log = "::stop-commands::error\n::error::1\n::stop-commands::tok\n::error::2\n::TOK::\n::error::3";
    expect(runnerCommands(log).map(({ data }) => data)).toEqual(["error", "1", "tok", "3"]);
  });
});
