import { expect, test } from "vitest";
import { bent, type HonestRow } from "../bent.ts";

const eslint = (rules: Record<string, unknown>, more = {}): string =>
  JSON.stringify({ root: true, ...more, rules }, null, 2);
const tsconfig = (options: Record<string, unknown>, more = {}): string =>
  `// of the app\n${JSON.stringify({ compilerOptions: options, ...more }, null, 2)}`;
const vitest = (inside: string): string =>
  `import { defineConfig } from "vitest/config";\nexport default defineConfig({\n  test: {\n${inside}\n  },\n});\n`;
const pytest = (inside: string): string => `[tool.pytest.ini_options]\n${inside}\n`;

const HONEST: readonly HonestRow[] = [
  ["a rule more", ".eslintrc.json", eslint({ eqeqeq: 2 }), eslint({ eqeqeq: 2, "no-var": "error" })],
  [
    "a stricter rule",
    ".eslintrc.json",
    eslint({ eqeqeq: "warn", "no-var": "off" }),
    eslint({ eqeqeq: "error", "no-var": "warn" }),
  ],
  ["a rule's option", ".eslintrc.json", eslint({ indent: ["error", 2] }), eslint({ indent: ["error", 1] })],
  [
    "a preset instead of rules",
    ".eslintrc.json",
    eslint({ eqeqeq: 2 }),
    eslint({}, { extends: ["eslint:recommended"] }),
  ],
  ["what is generated", ".eslintignore", "node_modules\n", "node_modules\ndist/\ncoverage\n**/build/**\n*.min.js\n"],
  [
    "what is generated, in tsconfig",
    "tsconfig.json",
    tsconfig({ strict: true }),
    tsconfig({ strict: true }, { exclude: ["node_modules", "dist"] }),
  ],
  [
    "another form",
    "tsconfig.json",
    tsconfig({ strict: true, target: "es2022" }),
    '{ "compilerOptions": { "target": "es2023", "strict": true, }, }',
  ],
  [
    "a stricter tsconfig",
    "tsconfig.json",
    tsconfig({ strict: false }),
    tsconfig({ strict: true, noUnusedLocals: true }),
  ],
  [
    "a higher threshold",
    "vitest.config.ts",
    vitest("    coverage: { thresholds: { lines: 80 } },"),
    vitest("    coverage: {\n      thresholds: { lines: 90, branches: 80 },\n    },"),
  ],
  [
    "another reporter",
    "vitest.config.ts",
    vitest("    globals: true,"),
    vitest("    globals: true,\n    reporters: ['dot'],"),
  ],
  [
    "a version",
    "package.json",
    '{"version":"1.0.0","dependencies":{"a":"1"}}',
    '{"version":"1.1.0","dependencies":{"a":"2","b":"1"}}',
  ],
  ["more tests", "pyproject.toml", pytest('testpaths = ["tests"]'), pytest('testpaths = ["tests", "integration"]')],
  ["another option", "pytest.ini", "[pytest]\naddopts = -ra\n", "[pytest]\naddopts = -ra --strict-markers --cov=app\n"],
  [
    "a stub that a library lacks",
    "mypy.ini",
    "[mypy]\nstrict = True\n",
    "[mypy]\nstrict = True\n[mypy-boto3.*]\nignore_missing_imports = True\n",
  ],
  [
    "a dependency",
    "Cargo.toml",
    '[dependencies]\nserde = "1"\n',
    '[dependencies]\nserde = "1"\nserde_json = "1"\n\n[dev-dependencies]\ninsta = "1"\n',
  ],
  [
    "a dependency left out",
    "build.gradle",
    "dependencies {\n  implementation 'a:b:1'\n}\n",
    "dependencies {\n  implementation('a:b:1') {\n    exclude group: 'c', module: 'd'\n  }\n}\n",
  ],
  ["a stricter level", "phpstan.neon", "parameters:\n    level: 5\n", "parameters:\n    level: max\n"],
  [
    "fewer exceptions",
    "phpstan-baseline.neon",
    "parameters:\n    ignoreErrors:\n        - 'a'\n        - 'b'\n",
    "parameters:\n    ignoreErrors:\n        - 'b'\n",
  ],
  ["fewer lines ignored", ".eslintignore", "src/a.ts\nsrc/b.ts\n", "src/b.ts\n"],
  [
    "a file that has no checks",
    "src/config.json",
    '{"strict":true,"rules":{"a":"error"}}',
    '{"strict":false,"rules":{"a":"off"}}',
  ],
  [
    "a target without a number",
    "codecov.yml",
    "coverage:\n  target: auto\n",
    "coverage:\n  target: auto # as it was\n  range: 60..80\n",
  ],
  [
    "an exception to what is left out",
    "package.json",
    '{"jest":{"testPathIgnorePatterns":["dist"]}}',
    '{"jest":{"testPathIgnorePatterns":["dist","!src/a"]}}',
  ],
  ["a flag that says nothing", "tsconfig.json", tsconfig({}), tsconfig({ strict: null })],
  ["a kind of file that nobody knows", ".eslintrc.local", "", "rules: {a: off}\n"],
  [
    "a pattern with braces",
    ".eslintrc.json",
    eslint({}, { ignorePatterns: ["src/{a,b}/**"] }),
    eslint({}, { ignorePatterns: ["./src/{a,b}"] }),
  ],
];

test.each(HONEST)("settings: %s is no bend [C40]", (_, path, before, after) => {
  expect(bent(path, before, after)).toBe("");
});
