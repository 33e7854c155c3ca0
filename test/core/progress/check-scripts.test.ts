import { expect, test } from "vitest";
import { checkScripts } from "../../../src/core/progress/check-scripts.ts";
import type { Checks } from "../../../src/core/task.ts";

const NONE: Checks = { successCommand: null, successShell: null, quality: [], ci: null };

const VITEST = ["ts", "js", "mts", "mjs"].map((kind) => `vitest.config.${kind}`).concat("vite.config.ts");

test.each<[Partial<Checks>, readonly string[]]>([
  [{}, []],
  [{ successCommand: ["npm", "test"] }, ["package.json"]],
  [{ successCommand: ["./scripts/check.sh", "--fast", "/bin/true"] }, ["scripts/check.sh"]],
  [{ successCommand: ["make"], successShell: "sh never.sh" }, ["Makefile", "makefile", "GNUmakefile"]],
  [
    { quality: ["cd web && node_modules/.bin/vitest --config=web.config.ts", "sh 'a b.sh'; ../out $X *.sh ~/y"] },
    ["node_modules/.bin/vitest", ...VITEST, "web.config.ts", "a", "b.sh"],
  ],
  [{ successCommand: ["sh", "-c", "npm test; ./check.sh"] }, ["npm test; ./check.sh", "package.json", "check.sh"]],
  [{ successCommand: ["sh", "my checks/all.sh"] }, ["my checks/all.sh", "my", "checks/all.sh"]],
  [{ successCommand: ["/bin/sh", "check"] }, ["check"]],
  [{ successShell: "cargo test" }, ["Cargo.toml"]],
  [{ quality: ["go test ./..."] }, ["..."]],
  [{ successShell: "test -f done.txt && ./check && grep -q yes README.md" }, ["check"]],
])("what %j runs or reads [C21]", (checks, expected) => {
  expect(checkScripts({ ...NONE, ...checks })).toEqual(expected);
});

test("paths outside of the workspace are none, and there is an end of words [C21]", () => {
  expect(checkScripts({ ...NONE, quality: ["../a.sh a/../b.sh $HOME/c.sh"] })).toEqual([]);
  expect(
    checkScripts({ ...NONE, quality: [Array.from({ length: 900 }, (_, at) => `w${at}.sh`).join(" ")] }),
  ).toHaveLength(500);
});
