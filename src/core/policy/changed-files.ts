/** Folders whose files are tests, whatever they are called. */
const TEST_FOLDERS = /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|__snapshots__|e2e|cypress|testdata|fixtures)\//iu;

/** Names that test runners look for: `a.test.ts`, `a_spec.rb`, `test_a.py`, `ATest.java`, `conftest.py`. */
const TEST_FILES =
  /(?:^|\/)(?:[^/]*[._-](?:test|tests|spec|specs|cy)\.[^/]+|(?:test|spec)[._-][^/]*|conftest\.py|[^/]*[a-z0-9](?:Test|Tests|Spec|IT)\.[a-z]+)$/u;

/** What decides which checks run, and how, before anybody merges. */
const CI_FILES = [
  /^\.github\/(?:workflows|actions)\//u,
  /^\.(?:circleci|buildkite|woodpecker|drone|azure-pipelines)\//u,
  /^(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|azure-pipelines|appveyor|bitbucket-pipelines|cloudbuild)[^/]*\.ya?ml$/u,
  /(?:^|\/)(?:Jenkinsfile|CODEOWNERS)[^/]*$/u,
];

/** Whether a path, relative to the repository's top, is that of a test or of what tests are made from (threats T17). */
export function isTestFile(path: string): boolean {
  return TEST_FOLDERS.test(path) || TEST_FILES.test(path);
}

/** Whether a path, relative to the repository's top, is that of a file which rules over the checks (threats T17). */
export function isCiFile(path: string): boolean {
  return CI_FILES.some((pattern) => pattern.test(path));
}
