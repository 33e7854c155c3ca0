/** What decides which checks run, and how, before anybody merges. */
const CI_FILES = [
  /^\.github\/(?:workflows|actions)\//u,
  /^\.(?:circleci|buildkite|woodpecker|drone|azure-pipelines)\//u,
  /^(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|azure-pipelines|appveyor|bitbucket-pipelines|cloudbuild)[^/]*\.ya?ml$/u,
  /(?:^|\/)(?:Jenkinsfile|CODEOWNERS)[^/]*$/u,
];

/** Whether a path, relative to the repository's top, is that of a file which rules over the checks (threats T17). */
export function isCiFile(path: string): boolean {
  return CI_FILES.some((pattern) => pattern.test(path));
}
