import { expect, test } from "vitest";
import { isCiFile } from "../../../src/core/progress/check-scripts.ts";
import { isTestPath } from "../../../src/core/progress/test-paths.ts";

test.each([
  "test/a.ts",
  "packages/x/tests/helper.rb",
  "src/__tests__/a.js",
  "src/a.test.ts",
  "src/a.spec.tsx",
  "pkg/a_test.go",
  "spec/a_spec.rb",
  "test_a.py",
  "app/test_views.py",
  "conftest.py",
  "src/main/UserServiceTest.java",
  "Tests/UserTests.cs",
  "e2e/login.cy.ts",
  "fixtures/users.json",
])("%s is a test [T17]", (path) => {
  expect(isTestPath(path)).toBe(true);
});

test.each(["src/a.ts", "src/latest.ts", "src/contest.py", "docs/testing.md", "attestation.go", "src/Manifest.java"])(
  "%s is none [T17]",
  (path) => {
    expect(isTestPath(path)).toBe(false);
  },
);

test.each([
  ".github/workflows/ci.yml",
  ".github/actions/setup/action.yml",
  ".circleci/config.yml",
  ".gitlab-ci.yml",
  "azure-pipelines.yml",
  "Jenkinsfile",
  "CODEOWNERS",
  ".github/CODEOWNERS",
])("%s rules over the checks [T17]", (path) => {
  expect(isCiFile(path)).toBe(true);
});

test.each(["ci.ts", ".github/ISSUE_TEMPLATE/bug.md", "src/workflows/a.yml", "package.json"])(
  "%s does not [T17]",
  (path) => {
    expect(isCiFile(path)).toBe(false);
  },
);
