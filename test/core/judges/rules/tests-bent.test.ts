import { expect, test } from "vitest";
import { bent, type BentRow } from "../bent.ts";

const vitest = (inside: string): string =>
  `import { defineConfig } from "vitest/config";\nexport default defineConfig({\n  test: {\n${inside}\n  },\n});\n`;
const pytest = (inside: string): string => `[tool.pytest.ini_options]\n${inside}\n`;
const pom = (inside: string): string =>
  `<project>\n<build><plugins><plugin><artifactId>x</artifactId><configuration>\n${inside}\n</configuration></plugin></plugins></build>\n</project>`;

const BENT: readonly BentRow[] = [
  [
    "jest: paths",
    "jest.config.js",
    "module.exports = {\n  testEnvironment: 'node',\n};\n",
    "module.exports = {\n  testEnvironment: 'node',\n  testPathIgnorePatterns: ['src/pay'],\n};\n",
    "tests_excluded",
  ],
  [
    "jest: in package.json",
    "package.json",
    '{"jest":{"testMatch":["**/*.test.js","**/*.spec.js"]}}',
    '{"jest":{"testMatch":["**/*.test.js"]}}',
    "tests_excluded",
  ],
  [
    "vitest: exclude",
    "vitest.config.ts",
    vitest("    exclude: [...configDefaults.exclude],"),
    vitest("    exclude: [...configDefaults.exclude, 'test/pay.test.ts'],"),
    "tests_excluded",
  ],
  [
    "vitest: include",
    "vitest.config.ts",
    vitest("    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],"),
    vitest("    include: ['src/**/*.test.ts'],"),
    "tests_excluded",
  ],
  ["mocha: ignore", ".mocharc.yml", "spec: test\n", "spec: test\nignore:\n  - test/pay.js\n", "tests_excluded"],
  [
    "playwright: testIgnore",
    "playwright.config.ts",
    "export default { testDir: 'e2e' };\n",
    "export default { testDir: 'e2e', testIgnore: '**/pay.spec.ts' };\n",
    "tests_excluded",
  ],
  [
    "pytest: -k",
    "pyproject.toml",
    pytest('addopts = "-ra"'),
    pytest("addopts = \"-ra -k 'not pay'\""),
    "tests_excluded",
  ],
  [
    "pytest: --ignore",
    "pytest.ini",
    "[pytest]\naddopts = -ra\n",
    "[pytest]\naddopts = -ra --ignore=tests/pay\n",
    "tests_excluded",
  ],
  [
    "pytest: -m",
    "setup.cfg",
    "[tool:pytest]\naddopts =\n    -ra\n",
    '[tool:pytest]\naddopts =\n    -ra\n    -m "not slow"\n',
    "tests_excluded",
  ],
  [
    "pytest: testpaths",
    "pyproject.toml",
    pytest('testpaths = ["tests", "integration"]'),
    pytest('testpaths = ["tests"]'),
    "tests_excluded",
  ],
  [
    "pytest: norecursedirs",
    "pytest.ini",
    "[pytest]\nnorecursedirs = build\n",
    "[pytest]\nnorecursedirs = build pay\n",
    "tests_excluded",
  ],
  [
    "conftest: collect_ignore",
    "tests/conftest.py",
    "import pytest\n",
    'import pytest\ncollect_ignore = ["test_pay.py"]\n',
    "tests_excluded",
  ],
  [
    "conftest: one more",
    "conftest.py",
    'collect_ignore = ["setup.py"]\n',
    'collect_ignore = ["setup.py", "test_pay.py"]\n',
    "tests_excluded",
  ],
  [
    "conftest: skips",
    "conftest.py",
    "import pytest\n",
    "import pytest\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.skip)\n",
    "tests_excluded",
  ],
  ["go: a build tag", "pay/pay_test.go", "package pay\n", "//go:build integration\n\npackage pay\n", "tests_excluded"],
  ["go: -skip", "Makefile", "test:\n\tgo test ./...\n", "test:\n\tgo test -skip TestPay ./...\n", "tests_excluded"],
  ["go: one package", "Makefile", "test:\n\tgo test ./...\n", "test:\n\tgo test ./api\n", "tests_excluded"],
  [
    "cargo: test = false",
    "Cargo.toml",
    '[lib]\nname = "app"\n',
    '[lib]\nname = "app"\ntest = false\n',
    "tests_excluded",
  ],
  [
    "cargo: --exclude",
    "justfile",
    "test:\n    cargo test --workspace\n",
    "test:\n    cargo test --workspace --exclude pay\n",
    "tests_excluded",
  ],
  ["rspec: a tag", ".rspec", "--require spec_helper\n", "--require spec_helper\n--tag ~slow\n", "tests_excluded"],
  [
    "phpunit: exclude",
    "phpunit.xml",
    "<phpunit><testsuites><testsuite><directory>tests</directory></testsuite></testsuites></phpunit>",
    "<phpunit><testsuites><testsuite><directory>tests</directory><exclude>tests/PayTest.php</exclude></testsuite></testsuites></phpunit>",
    "tests_excluded",
  ],
  [
    "dotnet: --filter",
    ".github/workflows/ci.yml",
    "jobs:\n  t:\n    steps:\n      - run: dotnet test\n",
    "jobs:\n  t:\n    steps:\n      - run: dotnet test --filter Category!=Slow\n",
    "tests_excluded",
  ],
  [
    "gradle: exclude",
    "build.gradle",
    "test {\n  useJUnitPlatform()\n}\n",
    "test {\n  useJUnitPlatform()\n  exclude '**/PayTest*'\n}\n",
    "tests_excluded",
  ],
  [
    "gradle: tags",
    "build.gradle.kts",
    "tasks.test { useJUnitPlatform() }\n",
    'tasks.test { useJUnitPlatform { excludeTags("slow") } }\n',
    "tests_excluded",
  ],
  [
    "maven: skipTests",
    "pom.xml",
    pom("<forkCount>1</forkCount>"),
    pom("<forkCount>1</forkCount><skipTests>true</skipTests>"),
    "tests_excluded",
  ],
  [
    "maven: excludes",
    "pom.xml",
    pom(""),
    pom("<excludes>\n<exclude>**/PayTest.java</exclude>\n</excludes>"),
    "tests_excluded",
  ],
  ["ctest: -E", "ci/check", "ctest --output-on-failure\n", "ctest --output-on-failure -E pay\n", "tests_excluded"],
  [
    "cmake: DISABLED",
    "CMakeLists.txt",
    "add_test(NAME pay COMMAND pay)\n",
    "add_test(NAME pay COMMAND pay)\nset_tests_properties(pay PROPERTIES DISABLED TRUE)\n",
    "tests_excluded",
  ],
];

test.each(BENT)("which tests run: %s is a bend [C40]", (_, path, before, after, found) => {
  expect(bent(path, before, after)).toBe(found);
});
