import { z } from "zod";
import { minimalRepository, repositoryPath } from "../documents.ts";
import { statusDocument } from "../issue-documents.ts";
import { type Answer, bodyOf, type Exchange, type Handlers, listed, NOT_FOUND, refused } from "../operation.ts";
import type { StatusRow } from "../rows.ts";
import type { World } from "../world.ts";

const NewStatus = z.object({
  state: z.string(),
  context: z.string().default("default"),
  description: z.string().nullable().default(null),
  target_url: z.string().nullable().default(null),
});

/** Commit statuses; the newest of a context counts. */
export const STATUSES: Handlers = {
  "repos/create-commit-status": { needs: { statuses: "write" }, handle: createStatus },
  "repos/list-commit-statuses-for-ref": {
    needs: { statuses: "read" },
    handle: async (exchange) => {
      const { world, params } = exchange;
      const sha = await commitOf(world, params["ref"] ?? "");
      if (sha === undefined) return NOT_FOUND;
      const path = `${repositoryPath(world)}/commits/${params["ref"]}/statuses`;
      return listed(exchange, path, newestFirst(world, sha), (row) => statusDocument(world, row));
    },
  },
  "repos/get-combined-status-for-ref": { needs: { statuses: "read" }, handle: combine },
};

/** The commit that a branch, a tag or a SHA names. */
export async function commitOf({ refs }: World, name: string): Promise<string | undefined> {
  for (const ref of [`refs/${name}`, `refs/heads/${name}`, `refs/tags/${name}`]) {
    const sha = await refs.get(ref);
    if (sha !== undefined) return sha;
  }
  return /^[\da-f]{40}$/u.test(name) && (await refs.has(name)) ? name : undefined;
}

function newestFirst({ statuses }: World, sha: string): readonly StatusRow[] {
  return statuses.filter((row) => row.sha === sha).toSorted((a, b) => b.id - a.id);
}

/** "there is a limit of 1000 statuses per sha and context" */
const MOST_OF_A_CONTEXT = 1000;

async function createStatus(exchange: Exchange): Promise<Answer> {
  const { world, params, login } = exchange;
  const sha = params["sha"] ?? "";
  const { state, context, description, target_url: targetUrl } = bodyOf(exchange, NewStatus);
  const wrong = (field: string, message: string): Answer =>
    refused(422, "Validation Failed", [{ resource: "Status", code: "custom", field, message }]);
  if (!(await world.refs.has(sha))) return refused(422, `No commit found for SHA: ${sha}`);
  if ((description ?? "").length > 140)
    return wrong("description", "description is too long (maximum is 140 characters)");
  if (context.length > 255) return wrong("context", "context is too long (maximum is 255 characters)");
  if (world.statuses.filter((row) => row.sha === sha && row.context === context).length >= MOST_OF_A_CONTEXT)
    return refused(422, "Validation Failed", ["This SHA and context has reached the maximum number of statuses."]);
  if (targetUrl !== null && !/^https?:/u.test(targetUrl))
    return wrong("target_url", "target_url must use http(s) scheme");
  const said = { state, context, description, targetUrl };
  const row = { id: world.nextId(), sha, ...said, author: login, createdAt: world.now() };
  world.statuses.push(row);
  return { status: 201, body: statusDocument(world, row) };
}

async function combine({ world, params }: Exchange): Promise<Answer> {
  const sha = await commitOf(world, params["ref"] ?? "");
  if (sha === undefined) return NOT_FOUND;
  const latest = new Map<string, StatusRow>();
  for (const row of newestFirst(world, sha)) {
    const context = row.context.toLowerCase();
    if (!latest.has(context)) latest.set(context, row);
  }
  const rows = [...latest.values()];
  const failed = rows.some(({ state }) => state === "failure" || state === "error");
  const pending = rows.length === 0 || rows.some(({ state }) => state === "pending");
  const url = `${world.url}${repositoryPath(world)}/commits/${sha}`;
  const state = failed ? "failure" : pending ? "pending" : "success";
  const statuses = rows.map((row) => statusDocument(world, row));
  const body = { state, sha, total_count: rows.length, statuses, repository: minimalRepository(world) };
  return { status: 200, body: { ...body, commit_url: url, url: `${url}/status` } };
}
