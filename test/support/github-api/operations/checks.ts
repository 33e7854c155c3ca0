import { minimalCommit, repositoryPath, userDocument } from "../documents.ts";
import { type Exchange, type Handlers, listed, NOT_FOUND } from "../operation.ts";
import type { AnnotationRow, World } from "../world.ts";

/** What check runs say, and what lies between two commits. A job's check run has the id of the job. */
export const CHECKS: Handlers = {
  "checks/list-annotations": {
    needs: { checks: "read" },
    handle: (exchange) => {
      const { world, params } = exchange;
      const job = world.jobs.find(({ id }) => String(id) === params["check_run_id"]);
      if (job === undefined) return NOT_FOUND;
      const pathname = `${repositoryPath(world)}/check-runs/${job.id}/annotations`;
      return listed(exchange, pathname, job.annotations, (row) => annotationDocument(world, row));
    },
  },
  "repos/compare-commits": { needs: { contents: "read" }, handle: compare },
};

function annotationDocument({ url }: World, { path, line, level, message }: AnnotationRow) {
  const place = { path, start_line: line, end_line: line, start_column: null, end_column: null };
  return { ...place, annotation_level: level, message, title: null, raw_details: null, blob_href: `${url}/${path}` };
}

interface Row {
  readonly sha: string;
  readonly author: string;
  readonly message: string;
}

async function compare({ world, params, query }: Exchange) {
  const [base = "", head = ""] = [params["base"], params["head"]];
  if (!(await world.refs.has(base)) || !(await world.refs.has(head))) return NOT_FOUND;
  const rows = await between(world, base, head);
  const document = (row: Row) => ({
    ...minimalCommit(world, row.sha, row.message),
    author: userDocument(world, row.author),
    committer: userDocument(world, row.author),
  });
  const known = { author: "alice", message: "commit" };
  const ours = `${world.url}${repositoryPath(world)}/compare/${base}...${head}`;
  const urls = { url: ours, html_url: ours, permalink_url: ours, diff_url: ours, patch_url: ours };
  // Without a page, the latest 250; with one, at most 100 of it, from the oldest on.
  const isPaged = query.has("per_page") || query.has("page");
  const size = isPaged ? Math.min(Number(query.get("per_page") ?? 30), 100) : 250;
  const from = isPaged ? (Number(query.get("page") ?? 1) - 1) * size : Math.max(0, rows.length - size);
  const commits = rows.slice(from, from + size).map(document);
  const count = { ahead_by: rows.length, behind_by: 0, total_commits: rows.length };
  const left = world.git === null ? base : await world.git.git("merge-base", base, head);
  const of = { base_commit: document({ sha: base, ...known }), merge_base_commit: document({ sha: left, ...known }) };
  return {
    status: 200,
    body: { ...urls, ...of, status: rows.length === 0 ? "identical" : "ahead", ...count, commits, files: [] },
  };
}

/** Oldest first. Without a repository two commits differ by one. */
async function between({ git }: World, base: string, head: string): Promise<readonly Row[]> {
  if (base === head) return [];
  if (git === null) return [{ sha: head, author: "alice", message: "feat: a change\n\nWith a body." }];
  const listed = await git.git("log", "--reverse", "--format=%H%x1f%s", `${base}..${head}`);
  return listed.split("\n").flatMap((line) => {
    const [sha = "", message = ""] = line.split("\u001F");
    return sha === "" ? [] : [{ sha, author: "alice", message }];
  });
}
