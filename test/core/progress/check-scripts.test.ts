import { expect, test } from "vitest";
import { checkScripts, helpersOf, isLockfile } from "../../../src/core/progress/check-scripts.ts";
import type { Checks } from "../../../src/core/task.ts";

const NONE: Checks = { successCommand: null, successShell: null, quality: [], ci: null };

const MODULES = ["js", "ts", "mjs", "mts", "cjs", "cts"];
const VITEST = ["vitest", "vite"].flatMap((name) => MODULES.map((kind) => `${name}.config.${kind}`));
const CARGO = "Cargo.toml Cargo.lock .cargo/config.toml clippy.toml .clippy.toml tarpaulin.toml".split(" ");

const NPM = "package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock".split(" ");

test.each<[Partial<Checks>, readonly string[]]>([
  [{}, []],
  [{ successCommand: ["npm", "test"] }, NPM],
  [{ successCommand: ["./scripts/check.sh", "--fast", "/bin/true"] }, ["scripts/check.sh"]],
  [{ successCommand: ["make"], successShell: "sh never.sh" }, ["Makefile", "makefile", "GNUmakefile"]],
  [
    { quality: ["cd web && node_modules/.bin/vitest --config=web.config.ts", "sh 'a b.sh'; ../out $X *.sh ~/y"] },
    ["node_modules/.bin/vitest", ...VITEST, "web.config.ts", "a", "b.sh"],
  ],
  [{ successCommand: ["sh", "-c", "npm test; ./check.sh"] }, ["npm test; ./check.sh", ...NPM, "check.sh"]],
  [{ successCommand: ["sh", "my checks/all.sh"] }, ["my checks/all.sh", "my", "checks/all.sh"]],
  [{ successCommand: ["/bin/sh", "check"] }, ["check"]],
  [{ successShell: "cargo test" }, CARGO],
  [{ quality: ["flake8 && oxlint"] }, [".flake8", "setup.cfg", "tox.ini", ".oxlintrc.json"]],
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

test("what stories name counts, however many there are [C21]", () => {
  const stories = Array.from({ length: 900 }, (_, at) => `sh w${at}.sh`);
  expect(checkScripts({ ...NONE, quality: ["./check.sh"] }, stories)).toHaveLength(901);
});

test.each<[string, string, readonly string[]]>([
  ["check.sh", ". ./lib.sh\nsource common\nbash steps/one", ["lib.sh", "common", "steps/one"]],
  ["ci/check.sh", '. "$(dirname "$0")/lib.sh"', ["lib.sh", "ci/lib.sh"]],
  ["ci/check.sh", "source ${HERE}/lib.bash; node src/index.js", ["lib.bash", "ci/lib.bash"]],
  ["Makefile", "include rules.mk\ncheck:\n\t./run.sh", ["rules.mk", "run.sh"]],
  ["web/package.json", '{"scripts":{"test":"scripts/test.js"}}', ["web/scripts/test.js"]],
  ["package.json", "[]", []],
  ["package.json", '{"scripts":["x"],', []],
  ["package.json", '{"scripts":{"a":1}}', []],
  ["src/index.js", ". ./lib.sh", []],
  ["check.sh", ". /etc/profile; . ../out.sh; sh check.sh", ["etc/profile"]],
])("what %s takes in: %j [T3, C21]", (path, content, expected) => {
  expect(helpersOf(path, content)).toEqual(expected);
});

test("a lockfile is known by its name [T17]", () => {
  expect(["package-lock.json", "a/Cargo.lock", "pnpm-lock.yaml"].every((path) => isLockfile(path))).toBe(true);
  expect(["package.json", "lock", "check.sh"].some((path) => isLockfile(path))).toBe(false);
});
