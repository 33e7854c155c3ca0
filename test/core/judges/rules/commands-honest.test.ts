import { expect, test } from "vitest";
import { bent, type HonestRow } from "../bent.ts";

const scripts = (test: string): string => JSON.stringify({ name: "app", scripts: { test } }, null, 2);
const workflow = (step: string): string =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v5\n${step}`;

const HONEST: readonly HonestRow[] = [
  ["cleaning up", "package.json", scripts("vitest run"), scripts("rm -rf tmp || true; vitest run")],
  ["docker stop", "scripts/e2e.sh", "set -e\nnpm test\n", "set -e\ndocker stop db || true\nnpm test\n"],
  ["|| true is gone", "package.json", scripts("jest || true"), scripts("jest")],
  ["another runner", "package.json", scripts("jest --coverage"), scripts("vitest run --coverage")],
  ["more steps", "package.json", scripts("vitest run"), scripts("tsc && eslint . && vitest run")],
  [
    "an alternative that fails",
    "check.sh",
    "set -e\nnpm test\n",
    'set -e\nnpm test || { echo "tests failed"; exit 1; }\n',
  ],
  ["another program instead", "check.sh", "pytest\n", "pytest || python -m pytest\n"],
  ["the code is kept", "check.sh", "npm test\n", "npm test || code=$?\nnpm run lint || code=$?\nexit $code\n"],
  ["a pipe with pipefail", "check.sh", "set -e\nnpm test\n", "set -eo pipefail\nnpm test | tee log\n"],
  ["a pipe into a reporter", "package.json", scripts("tape test/*.js"), scripts("tape test/*.js | tap-spec")],
  ["handed to a program that is called like one that talks", "check.sh", "npm test\n", "./echo\n"],
  ["handed to an older script", "package.json", scripts("vitest run"), scripts("node scripts/test.js")],
  [
    "another order",
    "package.json",
    JSON.stringify({ scripts: { test: "jest", lint: "eslint ." } }),
    JSON.stringify({ scripts: { lint: "eslint .", test: "jest" } }, null, 4),
  ],
  [
    "a script that nothing calls",
    "package.json",
    JSON.stringify({ scripts: { test: "jest" } }),
    JSON.stringify({ scripts: { test: "jest", "snapshots:update": "jest -u" } }),
  ],
  [
    "a script is gone",
    "package.json",
    JSON.stringify({ scripts: { test: "jest", old: "mocha" } }),
    JSON.stringify({ scripts: { test: "jest" } }),
  ],
  [
    "an upload may fail",
    ".github/workflows/ci.yml",
    workflow("      - run: npm test\n"),
    workflow("      - run: npm test\n      - uses: actions/upload-artifact@v4\n        continue-on-error: true\n"),
  ],
  [
    "a matrix that is tried",
    ".github/workflows/ci.yml",
    workflow("      - run: npm test\n"),
    workflow("      - run: npm test\n        continue-on-error: ${{ matrix.experimental }}\n"),
  ],
  [
    "a step more",
    ".github/workflows/ci.yml",
    workflow("      - run: npm test\n"),
    workflow("      - run: npm test\n      - run: npm run lint\n"),
  ],
  ["all files instead of one", "package.json", scripts("vitest run src/a.test.ts"), scripts("vitest run")],
  ["all of a folder", "package.json", scripts("pytest tests/unit tests/e2e"), scripts("pytest tests")],
  [
    "a reporter",
    "package.json",
    scripts("vitest run"),
    scripts("vitest run --reporter=junit --outputFile out/report.xml"),
  ],
  ["output into a file", "check.sh", "set -e\npytest\n", "set -e\npytest > report.txt 2>&1\n"],
  ["a server in the background", "check.sh", "set -e\nnpm test\n", "set -e\nnpm start &\nnpm test\n"],
  ["side by side", "check.sh", "set -e\nnpm test\n", "set -e\nnpm test &\nnpm run lint &\nwait -n\nwait -n\n"],
  [
    "exit 0 in a branch",
    "check.sh",
    "set -e\nnpm test\n",
    'set -e\nif [ -n "$SKIP_DOCS" ]; then\n  exit 0\nfi\nnpm test\n',
  ],
  ["a new script", "scripts/new.sh", null, "npm test || true\n"],
  [
    "a new workflow",
    ".github/workflows/nightly.yml",
    null,
    workflow("      - run: npm test\n        continue-on-error: true\n"),
  ],
  ["make: the same in another form", "Makefile", "test:\n\tpytest -q\n", "test: deps\n\t@pytest -q\n"],
  ["words about it", "docs/notes.md", "", "Run `npm test || true`.\n"],
  ["a list of its own", "check.sh", "make && npm test\n", "make && npm && npm test || exit\n"],
  ["a number that is not known", "package.json", scripts("eslint ."), scripts("eslint --max-warnings $MAX .")],
  [
    "a task that nothing calls",
    "pyproject.toml",
    '[tool.poe.tasks]\ntest = "pytest"\n',
    '[tool.poe.tasks]\ntest = "pytest"\nsoft = { cmd = "pytest || true" }\n',
  ],
  ["an older manifest that is gone", "setup.py", "import setuptools\n", null],
  ["the code of both", "check.sh", "pytest\n", "pytest; code=$?\nexit $code\n"],
];

test.each(HONEST)("what runs the checks: %s is no bend [C40]", (_, path, before, after) => {
  expect(bent(path, before, after)).toBe("");
});
