import { expect, test } from "vitest";
import { holdsTests, isTestPath } from "../../../src/core/progress/test-paths.ts";

test.each([
  "test/a.ts",
  "tests/a.py",
  "Tests/UserTests.cs",
  "packages/x/tests/helper.rb",
  "src/__tests__/a.js",
  "src/__snapshots__/a.test.ts.snap",
  "spec/models/user.rb",
  "src/test/java/a/User.java",
  "app/src/androidTest/java/a/User.kt",
  "AppTests/User.swift",
  "App.Tests/User.cs",
  "unit-tests/a.ts",
  "test_utils/a.py",
  "e2e/login.ts",
  "pkg/testdata/a.json",
  "test/fixtures/a.md",
  "src/a.test.ts",
  "src/a.tests.ts",
  "src/a.spec.tsx",
  "src/a.e2e.ts",
  "src/a.cy.ts",
  "src/a.test-d.ts",
  "src/a-test.js",
  "a.spec.js",
  "pkg/a_test.go",
  "lib/a_spec.rb",
  "a_test.exs",
  "test_a.py",
  "app/test_views.py",
  "test-a.js",
  "test.js",
  "tests.py",
  "app/conftest.py",
  "src/main/UserServiceTest.java",
  "src/UserTests.kt",
  "src/UserSpec.scala",
  "src/UserIT.java",
  "src/TestUser.java",
  "src/UserTest.php",
  "src/UserTestCase.php",
  "cli.bats",
  "login.feature",
])("%s is a test [L-20]", (path) => {
  expect(isTestPath(path)).toBe(true);
});

test.each([
  "src/a.ts",
  "src/latest.ts",
  "src/contest/a.ts",
  "contest.py",
  "protest/a.go",
  "testimony.md",
  "src/testing.ts",
  "testament/a.ts",
  "docs/testing.md",
  "docs/test-plan.md",
  "test.txt",
  "spec.md",
  "attestation.go",
  "inspect.rb",
  "src/specs.html",
  "src/Manifest.java",
  "src/Latest.java",
  "src/Commit.java",
  "src/AUDIT.java",
  "src/UserTest.ts.md",
  "src/fastest-route.ts",
  "vitest.config.ts",
  "jest.config.js",
  "pytest.ini",
  "src/greatest.py",
  "Makefile",
  "test",
  "",
])("%s is not one [L-20]", (path) => {
  expect(isTestPath(path)).toBe(false);
});

test.each([
  "test/a.ts",
  "tests/cart.rs",
  "src/a.test.ts",
  "pkg/a_test.go",
  "tests/test_a.py",
  "spec/user_spec.rb",
  "cli.bats",
])("%s holds tests [C21]", (path) => {
  expect(holdsTests(path)).toBe(true);
});

test.each([
  "src/a.ts",
  "test/fixtures/a.ts",
  "test/a.json",
  "test/support/a.ts",
  "src/__snapshots__/a.test.ts.snap",
  "pkg/testdata/a.go",
  "test/README",
])("%s holds none [C21]", (path) => {
  expect(holdsTests(path)).toBe(false);
});
