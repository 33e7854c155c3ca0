/**
 * What GitHub is asked in GraphQL, because its REST API lacks it: whether we wrote something ourselves, lists from
 * the end, drafts, and folding. A test holds these texts to GitHub's public schema.
 */

/** The comments of a pull request from the end, 100 at a time, and which of them are ours. */
export const COMMENTS = commentsOf("pullRequest");

/** The same of an issue: what may be read of the one need not be of the other. */
export const ISSUE_COMMENTS = commentsOf("issue");

function commentsOf(kind: "issue" | "pullRequest"): string {
  return `
query Comments($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    subject: ${kind}(number: $number) {
      comments(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id fullDatabaseId body url viewerDidAuthor isMinimized }
      }
    }
  }
}`;
}

/** An issue, which no pull request is, and when its text or its title was last changed. */
export const ISSUE = `
query Issue($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    subject: issue(number: $number) {
      number title body state url lastEditedAt
      author { login }
      timelineItems(itemTypes: [RENAMED_TITLE_EVENT], last: 1) { nodes { ... on RenamedTitleEvent { createdAt } } }
    }
  }
}`;

/** The reviews of a pull request from the end, 100 at a time, and which of them are ours. */
export const REVIEWS = `
query Reviews($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    subject: pullRequest(number: $number) {
      reviews(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id body url viewerDidAuthor isMinimized }
      }
    }
  }
}`;

/** The last reviews of a pull request, and how we have reacted to them. */
export const REVIEW_REACTIONS = `
query ReviewReactions($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    subject: pullRequest(number: $number) {
      reviews(last: 50) {
        nodes { id url state body submittedAt reactionGroups { content createdAt viewerHasReacted } }
      }
    }
  }
}`;

/** Reacts to what only GraphQL lets react to: a review. */
export const ADD_REACTION = `
mutation AddReaction($subjectId: ID!, $content: ReactionContent!) {
  addReaction(input: { subjectId: $subjectId, content: $content }) { reaction { content } }
}`;

/** When the text of a review was last changed. */
export const REVIEW_EDIT = `
query ReviewEdit($id: ID!) {
  node(id: $id) { ... on PullRequestReview { lastEditedAt } }
}`;

/** What is said of single places of a pull request from the end, 50 at a time: what began it, and the last that was said. */
export const REVIEW_THREADS = `
query ReviewThreads($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    subject: pullRequest(number: $number) {
      reviewThreads(last: 50, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes {
          id path line startLine diffSide
          top: comments(first: 1) { nodes { ...Said } }
          comments(last: 100) { nodes { ...Said } }
        }
      }
    }
  }
}
fragment Said on PullRequestReviewComment {
  fullDatabaseId body lastEditedAt viewerDidAuthor pullRequestReview { fullDatabaseId }
}`;

/** Whether we opened a pull request ourselves. */
export const PULL_REQUEST_AUTHOR = `
query PullRequestAuthor($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    subject: pullRequest(number: $number) { viewerDidAuthor }
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
