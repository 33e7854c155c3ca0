import { instant, repositoryPath } from "../documents.ts";
import { headOf, isPull, type Pull } from "../issue-documents.ts";
import type { Needs } from "../operation.ts";
import { scopeOf } from "../operations/comments.ts";
import type { CommentRow, IssueRow, ReviewRow, ThreadCommentRow, ThreadRow } from "../rows.ts";
import type { World } from "../world.ts";
import { connection, type Page } from "./connection.ts";
import { demand, refusal, unknownNode } from "./refusals.ts";

/** Who asks about what. */
export interface Asked {
  readonly world: World;
  readonly login: string;
  readonly may: Needs;
}

/** Objects by the fields that we have; a field that is asked for and not here is a problem of the stand-in. */
type Fields = Readonly<Record<string, unknown>>;

/** Bots go by another name here than in the rest of the API. */
function actor({ world }: Asked, login: string): Fields {
  const bot = login.endsWith("[bot]") || world.users.get(login)?.type === "Bot";
  const name = login.replace(/\[bot\]$/u, "");
  const url = `https://github.com/${bot ? `apps/${name}` : name}`;
  return { __typename: bot ? "Bot" : "User", login: name, id: `U_${name}`, url, avatarUrl: url };
}

export function repository(asked: Asked, { owner, name }: { readonly owner: string; readonly name: string }): Fields {
  const { world } = asked;
  const { repository: row } = world;
  if (owner !== row.owner || name !== row.name)
    throw refusal("NOT_FOUND", `Could not resolve to a Repository with the name '${owner}/${name}'.`);
  const find = (number: number): IssueRow | undefined => world.issues.find((issue) => issue.number === number);
  const absent = (what: string, number: number) =>
    refusal("NOT_FOUND", `Could not resolve to ${what} with the number of ${number}.`);
  return {
    ...{ __typename: "Repository", id: `R_${row.id}`, databaseId: row.id, name, nameWithOwner: `${owner}/${name}` },
    ...{ isPrivate: row.private, url: `https://github.com/${owner}/${name}`, owner: actor(asked, owner) },
    pullRequest: ({ number }: { readonly number: number }) => {
      const issue = find(number);
      if (issue === undefined || issue.pull === null) throw absent("a PullRequest", number);
      return subject(asked, issue);
    },
    issue: ({ number }: { readonly number: number }) => {
      const issue = find(number);
      if (issue === undefined || issue.pull !== null) throw absent("an Issue", number);
      return subject(asked, issue);
    },
    issueOrPullRequest: ({ number }: { readonly number: number }) => {
      const issue = find(number);
      if (issue === undefined) throw absent("an issue or pull request", number);
      return subject(asked, issue);
    },
  };
}

/** An issue or a pull request. */
export function subject(asked: Asked, issue: IssueRow): Fields {
  const { world, login, may } = asked;
  const { number, title, body, author, createdAt } = issue;
  demand(may, scopeOf(world, number, "read"));
  const kind = issue.pull === null ? "issues" : "pull";
  const comments = world.comments.filter((row) => row.issue === number).toSorted((a, b) => a.id - b.id);
  const said = {
    ...{ number, databaseId: 100_000 + number, title, body, author: actor(asked, author), locked: false },
    ...{ viewerDidAuthor: author === login, createdAt: instant(createdAt), state: stateOf(issue) },
    url: `https://github.com${repositoryPath(world).slice("/repos".length)}/${kind}/${number}`,
    closed: issue.state === "closed",
    comments: (page: Page) =>
      connection(
        "comments",
        page,
        comments.map((row) => comment(asked, row)),
      ),
    labels: (page: Page) =>
      connection(
        "labels",
        page,
        issue.labels.map((name) => ({ id: `LA_${name}`, name, color: "ededed" })),
      ),
  };
  const edited = {
    lastEditedAt: issue.editedAt === undefined ? null : instant(issue.editedAt),
    timelineItems: (page: Page & { readonly itemTypes?: readonly string[] | null }) => timeline(asked, issue, page),
  };
  if (!isPull(issue)) return { ...said, ...edited, __typename: "Issue", id: `I_${number}` };
  const { pull } = issue;
  const reviews = world.reviews.filter((row) => row.pull === number).toSorted((a, b) => a.id - b.id);
  return {
    ...{ ...said, __typename: "PullRequest", id: `PR_${number}`, merged: pull.merged, isDraft: pull.draft },
    ...{ headRefName: pull.headBranch, baseRefName: pull.base, headRefOid: async () => headOf(world, issue) },
    reviewThreads: (page: Page) => reviewThreads(asked, issue, page),
    isCrossRepository: pull.headRepositoryId !== world.repository.id,
    reviews: (page: Page) =>
      connection(
        "reviews",
        page,
        reviews.map((row) => review(asked, row)),
      ),
  };
}

/** Of what happens to an issue, only that it gets another title. */
function timeline(asked: Asked, { renamedAt = [], author }: IssueRow, page: Page & { readonly itemTypes?: unknown }) {
  if (JSON.stringify(page.itemTypes) !== '["RENAMED_TITLE_EVENT"]')
    throw new Error("only changes of a title are known");
  const rows = renamedAt.map((at, index) => ({
    ...{ __typename: "RenamedTitleEvent", id: `RTE_${index}`, createdAt: instant(at), actor: actor(asked, author) },
  }));
  return connection("timelineItems", page, rows);
}

function stateOf({ state, pull }: IssueRow): string {
  return pull?.merged === true ? "MERGED" : state.toUpperCase();
}

/** What comments and reviews say alike. */
function said(asked: Asked, { id, author, body, minimized }: CommentRow | ReviewRow): Fields {
  return {
    ...{ databaseId: id, fullDatabaseId: String(id), body, author: actor(asked, author) },
    ...{ viewerDidAuthor: author === asked.login, viewerCanMinimize: true },
    ...{ isMinimized: minimized !== null, minimizedReason: minimized?.toLowerCase().replaceAll("_", "-") ?? null },
  };
}

export function comment(asked: Asked, row: CommentRow): Fields {
  const { id, issue, createdAt, updatedAt } = row;
  const edited = updatedAt.getTime() === createdAt.getTime() ? null : instant(updatedAt);
  return {
    ...{ ...said(asked, row), __typename: "IssueComment", id: `IC_${id}`, includesCreatedEdit: edited !== null },
    ...{ createdAt: instant(createdAt), updatedAt: instant(updatedAt), lastEditedAt: edited },
    url: `https://github.com${repositoryPath(asked.world).slice("/repos".length)}/issues/${issue}#issuecomment-${id}`,
  };
}

export function review(asked: Asked, row: ReviewRow): Fields {
  const at = instant(row.submittedAt);
  return {
    ...{ ...said(asked, row), __typename: "PullRequestReview", id: `PRR_${row.id}`, state: row.state },
    ...{ createdAt: at, submittedAt: at, updatedAt: at },
    lastEditedAt: row.editedAt === undefined ? null : instant(row.editedAt),
    reactionGroups: REACTIONS.map((content) => reactionGroup(asked, row, content)),
    url: `https://github.com${repositoryPath(asked.world).slice("/repos".length)}/pull/${row.pull}#pullrequestreview-${row.id}`,
  };
}

const REACTIONS = ["THUMBS_UP", "THUMBS_DOWN", "LAUGH", "HOORAY", "CONFUSED", "HEART", "ROCKET", "EYES"];

/** GitHub tells of all kinds, also of those that nobody has chosen. */
function reactionGroup({ login }: Asked, { reactions, submittedAt }: ReviewRow, content: string): Fields {
  const rows = reactions.filter((row) => row.content === content);
  const [first] = rows;
  const createdAt = first === undefined ? null : instant(first.at ?? submittedAt);
  return { content, createdAt, viewerHasReacted: rows.some(({ author }) => author === login) };
}

/** What people say of single places of a pull request, oldest first. */
function reviewThreads(asked: Asked, { number }: Pull, page: Page) {
  const rows = asked.world.threads.filter(({ pull }) => pull === number).toSorted((a, b) => a.id - b.id);
  return connection(
    "reviewThreads",
    page,
    rows.map((row) => thread(asked, row)),
  );
}

function thread(asked: Asked, { id, path, line, startLine = null, side = "RIGHT", comments }: ThreadRow) {
  return {
    ...{ __typename: "PullRequestReviewThread", id: `PRRT_${id}`, path, line, startLine, diffSide: side },
    ...{ originalLine: line, originalStartLine: startLine, subjectType: line === null ? "FILE" : "LINE" },
    ...{ isResolved: false, isOutdated: false },
    comments: (page: Page) =>
      connection(
        "comments",
        page,
        comments.map((row) => threadComment(asked, row)),
      ),
  };
}

function threadComment(asked: Asked, { id, review, author, body, createdAt, editedAt }: ThreadCommentRow) {
  return {
    ...{ __typename: "PullRequestReviewComment", id: `PRRC_${id}`, databaseId: id, fullDatabaseId: String(id), body },
    ...{ author: actor(asked, author), viewerDidAuthor: author === asked.login, createdAt: instant(createdAt) },
    lastEditedAt: editedAt === undefined ? null : instant(editedAt),
    pullRequestReview: { __typename: "PullRequestReview", id: `PRR_${review}`, fullDatabaseId: String(review) },
  };
}

/** The row that a global id names. @throws GraphQLError when it does not exist */
export function rowOf(
  { world }: Asked,
  id: string,
): { issue: IssueRow } | { comment: CommentRow } | { review: ReviewRow } {
  const [, kind = "", number = ""] = /^(I|PR|IC|PRR)_(\d+)$/u.exec(id) ?? [];
  const same = (row: number): boolean => String(row) === number;
  const issue = world.issues.find((row) => same(row.number));
  if (issue !== undefined && kind === (issue.pull === null ? "I" : "PR")) return { issue };
  const comment = world.comments.find((row) => same(row.id));
  if (comment !== undefined && kind === "IC") return { comment };
  const review = world.reviews.find((row) => same(row.id));
  if (review !== undefined && kind === "PRR") return { review };
  throw unknownNode(id);
}
