import { expect, test } from "vitest";
import { bent, type BentRow, type HonestRow, kinds } from "../bent.ts";

/** Path, and a line of code before and after; the rest of the file stays. */
type Line = readonly [string, string, string];

const LINES: readonly Line[] = [
  ["src/a.ts", "eval(x);", "eval(x); // eslint-disable-line no-eval"],
  ["src/a.ts", "eval(x);", "// eslint-disable-next-line no-eval\neval(x);"],
  ["src/a.ts", "eval(x);", "/* eslint-disable */\neval(x);"],
  ["src/a.ts", "eval(x); // eslint-disable-line no-eval", "eval(x); // eslint-disable-line no-eval, no-console"],
  ["src/a.ts", "eval(x); // eslint-disable-line no-eval", "eval(x); // eslint-disable-line"],
  ["src/a.ts", "eval(x);", "/* eslint no-eval: off */\neval(x);"],
  ["src/a.tsx", "eval(x);", "// oxlint-disable-next-line no-eval -- it is safe\neval(x);"],
  ["src/a.ts", "eval(x);", "// biome-ignore lint/security/noGlobalEval: safe\neval(x);"],
  ["src/a.ts", "x = y;", "// @ts-ignore\nx = y;"],
  ["src/a.ts", "x = y;", "// @ts-expect-error wrong\nx = y;"],
  ["src/App.vue", "x = y;", "// @ts-nocheck\nx = y;"],
  ["src/a.js", "if (x) y();", "/* istanbul ignore next */\nif (x) y();"],
  ["src/a.js", "if (x) y();", "/* c8 ignore next 3 */\nif (x) y();"],
  ["src/a.js", "if (x) y();", "// Stryker disable next-line all\nif (x) y();"],
  ["src/a.css", "a { }", "/* stylelint-disable */\na { }"],
  ["app/a.py", "import os", "import os  # noqa: F401"],
  ["app/a.py", "import os  # noqa: F401", "import os  # noqa"],
  ["app/a.py", "x = f()", "x = f()  # type: ignore[arg-type]"],
  ["app/a.py", "x = f()", "x = f()  # pyright: ignore"],
  ["app/a.py", "x = f()", "x = f()  # pylint: disable=no-member"],
  ["app/a.py", "if x:", "if x:  # pragma: no cover"],
  ["app/a.py", "x = f()", "x = f()  # nosec B101"],
  ["a/b.go", "f()", "f() //nolint:errcheck"],
  ["a/b.go", "f()", "//lint:ignore SA1019 old\nf()"],
  ["src/lib.rs", "fn f() {}", "#[allow(dead_code)]\nfn f() {}"],
  ["src/lib.rs", "fn f() {}", "#![allow(clippy::all)]\nfn f() {}"],
  ["src/lib.rs", "fn f() {}", "#[cfg_attr(coverage, coverage(off))]\nfn f() {}"],
  ["lib/a.rb", "eval(x)", "eval(x) # rubocop:disable Security/Eval"],
  ["lib/a.rb", "eval(x)", "# :nocov:\neval(x)"],
  ["src/A.php", "$x = f();", "$x = f(); // @phpstan-ignore-line"],
  ["src/A.php", "$x = f();", "// @phpstan-ignore argument.type\n$x = f();"],
  ["src/A.php", "$x = f();", "/** @psalm-suppress MixedAssignment */\n$x = f();"],
  ["src/A.php", "$x = f();", "$x = f(); // phpcs:ignore"],
  ["src/A.java", "void f() {}", '@SuppressWarnings("unchecked")\nvoid f() {}'],
  ["src/A.kt", "fun f() {}", '@Suppress("MagicNumber")\nfun f() {}'],
  ["src/A.java", "f();", "f(); // NOSONAR"],
  ["src/A.cs", "F();", "#pragma warning disable CS8602\nF();"],
  ["src/A.cs", "F();", "[ExcludeFromCodeCoverage]\nF();"],
  ["src/a.cpp", "f();", "f(); // NOLINT(bugprone-branch-clone)"],
  ["src/a.c", "f();", '#pragma GCC diagnostic ignored "-Wunused"\nf();'],
  ["src/a.cc", "f();", "f(); // LCOV_EXCL_LINE"],
  ["src/a.swift", "f()", "// swiftlint:disable:next force_cast\nf()"],
  ["lib/a.dart", "f();", "// ignore: avoid_print\nf();"],
  ["ci/check.sh", "cd $x", "# shellcheck disable=SC2086\ncd $x"],
  ["Dockerfile", "RUN apt-get update", "# hadolint ignore=DL3008\nRUN apt-get update"],
  ["a.yml", "a: 1", "a: 1 # yamllint disable-line"],
  ["lib/a.ex", "f()", "# credo:disable-for-next-line\nf()"],
];

const around = (line: string): string => `first\n${line}\nlast\n`;

test.each(LINES)("%s: what silences a rule beside the code is a bend: %s → %s [C40]", (path, before, after) => {
  expect(bent(path, around(before), around(after))).toBe("rule_off_inline");
});

test.each(LINES)("%s: taking it away is none: %s ← %s [C40]", (path, before, after) => {
  expect(bent(path, around(after), around(before))).toBe("");
});

test("one in a new file counts, because it silences what judges the new work [C40]", () => {
  expect(bent("src/new.ts", null, "// @ts-ignore\nx = y;\n")).toBe("rule_off_inline");
});

const BLOCK = "// eslint-disable-next-line no-eval\neval(x);\n";

const HONEST: readonly HonestRow[] = [
  ["another line of code", "src/a.ts", BLOCK, `import x from "x";\n\n${BLOCK}const y = 1;\n`],
  ["the code beside it", "src/a.ts", BLOCK, BLOCK.replace("eval(x)", "eval(x + 1)")],
  ["its reason", "app/a.py", "import os  # noqa: F401\n", "import os  # noqa: F401 used by others\n"],
  ["one rule instead of all", "app/a.py", "x = f()  # type: ignore\n", "x = f()  # type: ignore[arg-type]\n"],
  ["words about it", "docs/lint.md", "", "Use `// eslint-disable-line` or `# noqa`.\n"],
  ["what is generated", "dist/index.js", "", "/* eslint-disable */\n"],
  ["an installed package", "node_modules/a/index.js", null, "// @ts-ignore\n"],
  ["another language's words", "src/a.rs", "", "// # noqa @ts-ignore NOLINT\n"],
];

test.each(HONEST)("%s is none [C40]", (_, path, before, after) => {
  expect(bent(path, before, after)).toBe("");
});

test("one that moved to another file is none, a second one is [C40]", () => {
  const moved = [
    { path: "src/a.ts", before: BLOCK, after: "export {};\n" },
    { path: "src/b.ts", before: null, after: `const x = 1;\n${BLOCK}` },
  ];
  expect(kinds(moved)).toBe("");
  expect(kinds([...moved, { path: "src/c.ts", before: null, after: BLOCK }])).toBe("rule_off_inline");
});

const HOOKS: readonly BentRow[] = [
  ["a test's set-up that ends with 0", "test/setup.ts", "x();\n", "x();\nprocess.exit(0);\n", "cannot_fail"],
  ["a runner that ends with 0", "run_tests.py", "main()\n", "main()\nsys.exit(0)\n", "cannot_fail"],
  ["TestMain that ends with 0", "pay/main_test.go", "os.Exit(m.Run())\n", "m.Run()\nos.Exit(0)\n", "cannot_fail"],
  ["a Rakefile that ignores", "Rakefile", "t.x = 1\n", "t.x = 1\nt.fail_on_error = false\n", "cannot_fail"],
  ["PowerShell that goes on", "ci/test.ps1", "x\n", "$ErrorActionPreference = 'SilentlyContinue'\nx\n", "cannot_fail"],
  ["warnings of a compiler", "CMakeLists.txt", "x()\n", "x()\nadd_compile_options(-Wno-error)\n", "rule_off"],
];

test.each(HOOKS)("%s is a bend [C40]", (_, path, before, after, found) => {
  expect(bent(path, before, after)).toBe(found);
});

test("a hook in a comment is none [C40]", () => {
  expect(bent("run_tests.py", "main()\n", "main()\n# sys.exit(0)\n")).toBe("");
  expect(bent("test/setup.ts", "x();\n", "x();\n// process.exitCode = 0;\n")).toBe("");
});
