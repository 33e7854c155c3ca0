import { bend } from "../../src/core/judges/bend.ts";
import { ruleBends } from "../../src/core/judges/rule-bends.ts";
import { mutated } from "../mutate.ts";
import { hold, target } from "../target.ts";

const TEXTS = [
  '{ "scripts": { "test": "tsc && vitest run || true", "lint": "eslint --max-warnings 0 ." }, "jest": { "coverageThreshold": { "global": { "lines": 80 } } } }',
  "export default defineConfig({ test: { exclude: ['a'], coverage: { thresholds: { lines: 80 } } } });\n// eslint-disable-next-line no-eval\n",
  "[tool.pytest.ini_options]\naddopts = \"-ra -k 'not x' --cov-fail-under=80\"\ntestpaths = [\n  'a',\n]\n[tool.ruff]\nignore = ['E501']\n",
  "jobs:\n  t:\n    steps:\n      - name: x\n        continue-on-error: true\n        run: |\n          set -e\n          npm test | tee log\n      - run: [a, {b: c}]\n",
  '<project><build><configuration><skipTests>true</skipTests><excludes>\n<exclude a="b">x</exclude></excludes></configuration></build></project>\n',
  "#!/bin/sh -e\nset +e\n(npm test; tsc) || { echo \"x\"; exit 1; }\nsh -c 'pytest || :' > log 2>&1 &\nexit 0\n",
  "check: a b\n\t-@pytest --ignore=x \\\n\t  tests/a.py\n.IGNORE:\n",
  "test {\n  ignoreFailures = true\n  exclude '**/x'\n}\n#[allow(a, b)]\nx = f()  # type: ignore[a]  # noqa: E1\n",
];
const WORDS = [
  ...[
    "\n",
    "\n  ",
    "\n- ",
    "\t",
    ": ",
    " = ",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    '"',
    "'",
    "`",
    "#",
    "//",
    "/*",
    "*/",
    "<a>",
    "</a>",
    "<!--",
  ],
  ...[
    " || true",
    " && ",
    "; exit 0",
    " | tee x",
    " &",
    "set -e",
    "set +e",
    "npm test",
    "pytest",
    "eslint .",
    "-k x",
    "error",
    "off",
    "true",
  ],
];
const PATHS = [
  ...[
    "package.json",
    "vitest.config.ts",
    "pyproject.toml",
    ".github/workflows/ci.yml",
    "pom.xml",
    "check.sh",
    "Makefile",
  ],
  ...[
    "build.gradle",
    "src/a.ts",
    "src/a.rs",
    "app/a.py",
    ".eslintrc",
    ".eslintignore",
    "conftest.py",
    "Dockerfile",
    ".rubocop.yml",
  ],
];

export const ruleBendsTarget = target({
  name: "rule-bends",
  covers: ["core/judges/rule-bends.ts#ruleBends"],
  draw(random) {
    const text = (): string | null =>
      random.once(6) ? null : mutated(random, { seeds: TEXTS, words: WORDS }).slice(0, 4_000);
    return Array.from({ length: random.once(4) ? 3 : 1 }, () => ({
      path: random.one(PATHS),
      before: text(),
      after: text(),
    }));
  },
  check(changes) {
    const bends = ruleBends(changes);
    hold(bends.length <= 200, "there is an end of bends");
    const paths = new Set(changes.map(({ path }) => path));
    for (const found of bends) {
      bend.parse(found);
      hold(paths.has(found.path), "a bend is in a file that changed");
      hold(
        [found.was, found.now].every((line) => line === null || (line.length <= 160 && !/[\r\n]/u.test(line))),
        "lines are short",
      );
    }
    const same = changes.map((change) => ({ ...change, before: change.after }));
    hold(ruleBends(same).length === 0, "what did not change is no bend");
  },
});
