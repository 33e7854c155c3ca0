import { expect, test } from "vitest";
import { bent, type BentRow } from "../bent.ts";

const vitest = (inside: string): string =>
  `import { defineConfig } from "vitest/config";\nexport default defineConfig({\n  test: {\n${inside}\n  },\n});\n`;
const pom = (inside: string): string =>
  `<project>\n<build><plugins><plugin><artifactId>x</artifactId><configuration>\n${inside}\n</configuration></plugin></plugins></build>\n</project>`;

const BENT: readonly BentRow[] = [
  [
    "jest",
    "package.json",
    '{"jest":{"coverageThreshold":{"global":{"lines":90}}}}',
    '{"jest":{"coverageThreshold":{"global":{"lines":70}}}}',
    "threshold_lowered",
  ],
  [
    "jest: gone",
    "jest.config.ts",
    "export default { coverageThreshold: { global: { branches: 80 } } };\n",
    "export default {};\n",
    "threshold_lowered",
  ],
  [
    "vitest",
    "vitest.config.ts",
    vitest("    coverage: { thresholds: { lines: 100 } },"),
    vitest("    coverage: { thresholds: { lines: 85 } },"),
    "threshold_lowered",
  ],
  [
    "vitest: not covered",
    "vitest.config.ts",
    vitest("    coverage: { exclude: ['dist/**'] },"),
    vitest("    coverage: { exclude: ['dist/**', 'src/pay.ts'] },"),
    "threshold_lowered",
  ],
  ["nyc", ".nycrc", '{"check-coverage":true,"lines":90}', '{"check-coverage":false,"lines":90}', "threshold_lowered"],
  [
    "c8 in a script",
    "package.json",
    '{"scripts":{"test":"c8 --check-coverage --lines 90 mocha"}}',
    '{"scripts":{"test":"c8 --check-coverage --lines 60 mocha"}}',
    "threshold_lowered",
  ],
  ["coverage.py", ".coveragerc", "[report]\nfail_under = 85\n", "[report]\nfail_under = 50\n", "threshold_lowered"],
  [
    "coverage.py: omit",
    "pyproject.toml",
    '[tool.coverage.run]\nomit = ["tests/*"]\n',
    '[tool.coverage.run]\nomit = ["tests/*", "app/pay.py"]\n',
    "threshold_lowered",
  ],
  [
    "--cov-fail-under",
    "Makefile",
    "test:\n\tpytest --cov-fail-under=90\n",
    "test:\n\tpytest --cov-fail-under=80\n",
    "threshold_lowered",
  ],
  [
    "--cov-fail-under is gone",
    "pytest.ini",
    "[pytest]\naddopts = --cov --cov-fail-under=90\n",
    "[pytest]\n",
    "threshold_lowered",
  ],
  [
    "codecov",
    "codecov.yml",
    "coverage:\n  status:\n    project:\n      default:\n        target: 90%\n",
    "coverage:\n  status:\n    project:\n      default:\n        target: 60%\n",
    "threshold_lowered",
  ],
  [
    "codecov: only told",
    "codecov.yml",
    "coverage:\n  status:\n    project:\n      default:\n        target: 90%\n",
    "coverage:\n  status:\n    project:\n      default:\n        target: 90%\n        informational: true\n",
    "cannot_fail",
  ],
  [
    "jacoco",
    "build.gradle",
    "jacocoTestCoverageVerification { violationRules { rule { limit { minimum = 0.9 } } } }\n",
    "jacocoTestCoverageVerification { violationRules { rule { limit { minimum = 0.5 } } } }\n",
    "threshold_lowered",
  ],
  [
    "simplecov",
    "spec/spec_helper.rb",
    "SimpleCov.start do\n  minimum_coverage 90\nend\n",
    "SimpleCov.start do\n  minimum_coverage 40\nend\n",
    "threshold_lowered",
  ],
  [
    "coverlet",
    "Tests.csproj",
    "<Project><PropertyGroup><Threshold>80</Threshold></PropertyGroup></Project>",
    "<Project><PropertyGroup><Threshold>20</Threshold></PropertyGroup></Project>",
    "threshold_lowered",
  ],
  ["tarpaulin", "tarpaulin.toml", "[all]\nfail-under = 80\n", "[all]\nfail-under = 10\n", "threshold_lowered"],
  [
    "clippy's warnings",
    "Makefile",
    "lint:\n\tcargo clippy -- -D warnings\n",
    "lint:\n\tcargo clippy\n",
    "threshold_lowered",
  ],
  [
    "pytest's warnings",
    "pytest.ini",
    "[pytest]\nfilterwarnings =\n    error\n    ignore::UserWarning\n",
    "[pytest]\nfilterwarnings =\n    ignore::UserWarning\n",
    "threshold_lowered",
  ],
  ["stryker", "stryker.config.json", '{"thresholds":{"break":80}}', '{"thresholds":{"break":50}}', "threshold_lowered"],
  ["infection", "infection.json5", '{"minMsi":80}', '{"minMsi":10}', "threshold_lowered"],
  [
    "pitest",
    "pom.xml",
    pom("<mutationThreshold>80</mutationThreshold>"),
    pom("<mutationThreshold>30</mutationThreshold>"),
    "threshold_lowered",
  ],
  [
    "jest: not covered",
    "jest.config.js",
    "module.exports = { collectCoverageFrom: ['src/**'] };\n",
    "module.exports = { collectCoverageFrom: ['src/**', '!src/pay.js'] };\n",
    "threshold_lowered",
  ],
];

test.each(BENT)("thresholds: %s is a bend [C40]", (_, path, before, after, found) => {
  expect(bent(path, before, after)).toBe(found);
});
