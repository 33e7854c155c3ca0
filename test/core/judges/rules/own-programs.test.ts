import { expect, test } from "vitest";
import { bent, kinds } from "../bent.ts";

const make = (recipe: string): string => `test: build\n\t${recipe}\n`;
const CI = "jobs:\n  test:\n    steps:\n      - uses: actions/checkout@v5\n      - run: npm ci\n";

test.each<[string, string, string, string, string]>([
  ["prints that all is well", "Makefile", make("./run_tests"), make('@echo "All tests passed"'), "cannot_fail"],
  ["is the system's, which only talks", "check.sh", "./run_tests\n", "/bin/echo passed\n", "cannot_fail"],
  ["does nothing", "Makefile", make("$(BIN)/check"), make("@:"), "cannot_fail"],
  ["is ignored", "Makefile", make("./run_tests"), make("-./run_tests"), "cannot_fail"],
  ["is piped", "scripts/check.sh", "./run_tests\n", "./run_tests | tee out.log\n", "cannot_fail"],
  [
    "goes on",
    "scripts/check.sh",
    "set -e\n./run_tests\n",
    "set +e\n./run_tests\necho done\n",
    "cannot_fail cannot_fail",
  ],
  [
    "is no spec of rake",
    "Rakefile",
    'task :test do\n  sh "rspec"\nend\n',
    'task :test do\n  puts "ok"\nend\n',
    "cannot_fail",
  ],
  [
    "is hidden in rake",
    "Rakefile",
    'task :test do\n  sh "rspec"\nend\n',
    'task :test do\n  sh "rspec || true"\nend\n',
    "cannot_fail",
  ],
  ["is no step of CI", ".github/workflows/ci.yml", `${CI}      - run: npm test\n`, CI, "cannot_fail"],
  [
    "is excluded by RSpec",
    "spec/spec_helper.rb",
    "RSpec.configure do |c|\nend\n",
    "RSpec.configure do |c|\n  c.filter_run_excluding :slow\nend\n",
    "tests_excluded",
  ],
  [
    "is not compiled in .NET",
    "tests/A.csproj",
    "<Project>\n</Project>\n",
    '<Project>\n  <Compile Remove="ATests.cs" />\n</Project>\n',
    "tests_excluded",
  ],
  [
    "may fail in Maven",
    "pom.xml",
    "<project>\n</project>\n",
    "<project>\n<properties>\n<maven.test.failure.ignore>true</maven.test.failure.ignore>\n</properties>\n</project>\n",
    "cannot_fail",
  ],
])("what a check runs %s [C40]", (_title, path, before, after, expected) => {
  expect(bent(path, before, after)).toBe(expected);
});

test.each<[string, string, string, string]>([
  ["a cleanup that may fail", "Makefile", make("./run_tests"), `${make("./run_tests")}\n\nclean:\n\t-rm -rf out\n`],
  ["another program may fail anew", "scripts/check.sh", "./run_tests\n", "./stop_server || true\n./run_tests\n"],
  ["a known runner in its place", "Makefile", make("./run_tests"), make("go test ./...")],
  ["a recipe of targets", "Makefile", make("./run_tests"), "test: unit lint\n"],
  [
    "an install that may fail",
    ".github/workflows/ci.yml",
    `${CI}      - run: npm test\n`,
    `${CI.replace("npm ci", "npm ci --no-audit || true")}      - run: npm test\n`,
  ],
  [
    "another task of rake",
    "Rakefile",
    'task :test do\n  sh "rspec"\nend\n',
    'task :test do\n  sh "rspec"\nend\ntask :clean do\n  system "rm -rf out"\nend\n',
  ],
  [
    "build output that is not compiled",
    "src/A.csproj",
    "<Project>\n</Project>\n",
    '<Project>\n  <Compile Remove="obj/**" />\n</Project>\n',
  ],
])("%s is no bend [C42]", (_title, path, before, after) => {
  expect(bent(path, before, after)).toBe("");
});

test("rules are off in code that a program writes, and not in other new code [C40, C42]", () => {
  const text = "/* eslint-disable */\nexport const a = 1;\n";
  expect(kinds([{ path: "src/generated/client.ts", before: null, after: text }])).toBe("");
  expect(kinds([{ path: "src/client.ts", before: null, after: text }])).toBe("rule_off_inline");
});
