/**
 * What GitHub is asked in GraphQL, because its REST API lacks it: whether we wrote something ourselves, lists from
 * the end, drafts, and folding. A test holds these texts to GitHub's public schema.
 */

/** The comments of a pull request from the end, 100 at a time, and which of them are ours. */
export const COMMENTS = `
query Comments($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id fullDatabaseId body url viewerDidAuthor isMinimized }
      }
    }
  }
}`;

/** The reviews of a pull request from the end, 100 at a time, and which of them are ours. */
export const REVIEWS = `
query Reviews($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviews(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id body url viewerDidAuthor isMinimized }
      }
    }
  }
}`;

/** Whether we opened a pull request ourselves. */
export const PULL_REQUEST_AUTHOR = `
query PullRequestAuthor($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { viewerDidAuthor }
  }
}`;

export const CONVERT_TO_DRAFT = `
mutation ConvertToDraft($pullRequestId: ID!) {
  convertPullRequestToDraft(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`;

export const MARK_READY = `
mutation MarkReady($pullRequestId: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`;

/** Folds a comment or a review as outdated. */
export const MINIMIZE = `
mutation Minimize($subjectId: ID!) {
  minimizeComment(input: { subjectId: $subjectId, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`;

/** The account that a token acts as. */
export const WHO_AM_I = `
query WhoAmI {
  viewer { login }
}`;
