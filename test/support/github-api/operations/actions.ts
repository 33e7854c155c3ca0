import { artifactDocument, cacheDocument, jobDocument, repositoryPath, runDocument } from "../documents.ts";
import { type Answer, type Exchange, type Handlers, NOT_FOUND, page, refused } from "../operation.ts";
import type { ArtifactRow, CacheRow, RunRow, World } from "../world.ts";

/** Where the bytes of artifacts lie: outside of the API, as GitHub's do. */
export const BLOBS = "/_blobs";

export const ACTIONS: Handlers = {
  "actions/get-job-for-workflow-run": {
    needs: { actions: "read" },
    handle: ({ world, params }) => {
      const job = world.jobs.find(({ id }) => String(id) === params["job_id"]);
      return job === undefined ? NOT_FOUND : { status: 200, body: jobDocument(world, job) };
    },
  },
  "actions/download-job-logs-for-workflow-run": {
    needs: { actions: "read" },
    handle: ({ world, params }) => {
      const job = world.jobs.find(({ id, log }) => String(id) === params["job_id"] && log !== "");
      if (job === undefined) return NOT_FOUND;
      if (job.log === null) return refused(410, "Gone");
      return { status: 302, headers: { location: `${world.url}${BLOBS}/${job.id}.txt` } };
    },
  },
  "actions/get-workflow-run": {
    needs: { actions: "read" },
    handle: ({ world, params }) => {
      const run = world.runs.find(({ id }) => String(id) === params["run_id"]);
      return run === undefined ? NOT_FOUND : { status: 200, body: runDocument(world, run) };
    },
  },
  "actions/list-workflow-runs": { needs: { actions: "read" }, handle: listRuns },
  "actions/list-artifacts-for-repo": {
    needs: { actions: "read" },
    handle: (exchange) => {
      const { world } = exchange;
      const rows = artifactsOf(world).toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id);
      const { rows: shown, headers } = page(exchange, `${repositoryPath(world)}/actions/artifacts`, rows);
      return {
        status: 200,
        body: { total_count: rows.length, artifacts: shown.map((row) => artifactDocument(world, row)) },
        headers,
      };
    },
  },
  "actions/list-workflow-run-artifacts": { needs: { actions: "read" }, handle: listArtifacts },
  "actions/get-artifact": {
    needs: { actions: "read" },
    handle: ({ world, params }) => {
      const artifact = artifactsOf(world).find(({ id }) => String(id) === params["artifact_id"]);
      return artifact === undefined ? NOT_FOUND : { status: 200, body: artifactDocument(world, artifact) };
    },
  },
  "actions/download-artifact": { needs: { actions: "read" }, handle: downloadArtifact },
  "actions/get-actions-cache-list": { needs: { actions: "read" }, handle: listCaches },
  "actions/delete-actions-cache-by-id": {
    needs: { actions: "write" },
    handle: ({ world, params }) => {
      const gone = removed(world.caches, ({ id }) => String(id) === params["cache_id"]);
      return gone.length === 0 ? NOT_FOUND : { status: 204 };
    },
  },
  "actions/delete-actions-cache-by-key": {
    needs: { actions: "write" },
    handle: ({ world, query }) => {
      const ref = query.get("ref");
      const gone = removed(world.caches, (row) => row.key === query.get("key") && (ref === null || row.ref === ref));
      if (gone.length === 0) return NOT_FOUND;
      return { status: 200, body: { total_count: gone.length, actions_caches: gone.map(cacheDocument) } };
    },
  },
};

function listRuns(exchange: Exchange): Answer {
  const { world, params, query } = exchange;
  const workflow = params["workflow_id"] ?? "";
  const isIt = ({ path }: { readonly path: string }): boolean => path.endsWith(`/${workflow}`);
  const known = world.runs.filter(isIt);
  if (known.length === 0 && !world.workflows.some(isIt)) return NOT_FOUND;
  const wanted = (name: string, value: string | null): boolean => (query.get(name) ?? value) === value;
  const rows = known
    .filter((run) => wanted("branch", run.branch) && wanted("event", run.event) && wanted("head_sha", run.sha))
    .filter((run) => hasStatus(run, query.get("status")) && isOfTime(run, query.get("created")))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const path = `${repositoryPath(world)}/actions/workflows/${workflow}/runs`;
  const { rows: shown, headers } = page(exchange, path, rows);
  const body = { total_count: rows.length, workflow_runs: shown.map((run) => runDocument(world, run)) };
  return { status: 200, body, headers };
}

function hasStatus(run: RunRow, status: string | null): boolean {
  return status === null || run.status === status || run.conclusion === status;
}

/** GitHub's search syntax for moments, as far as it is used here. */
function isOfTime({ createdAt }: RunRow, created: string | null): boolean {
  if (created === null) return true;
  const since = /^>=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/u.exec(created)?.[1];
  if (since === undefined) throw new Error(`the stand-in does not know created=${created}`);
  return createdAt.getTime() >= Date.parse(since);
}

function listArtifacts(exchange: Exchange): Answer {
  const { world, params, query } = exchange;
  const run = params["run_id"];
  if (!world.runs.some(({ id }) => String(id) === run)) return NOT_FOUND;
  const name = query.get("name");
  const rows = artifactsOf(world).filter((row) => String(row.runId) === run && (name === null || row.name === name));
  const { rows: shown, headers } = page(exchange, `${repositoryPath(world)}/actions/runs/${run}/artifacts`, rows);
  const body = { total_count: rows.length, artifacts: shown.map((row) => artifactDocument(world, row)) };
  return { status: 200, body, headers };
}

function artifactsOf({ artifacts, pages }: World): readonly ArtifactRow[] {
  return [...artifacts, ...pages];
}

function downloadArtifact({ world, params }: Exchange): Answer {
  const artifact = world.artifacts.find(({ id }) => String(id) === params["artifact_id"]);
  if (artifact === undefined || params["archive_format"] !== "zip") return NOT_FOUND;
  if (artifact.expired) return { status: 410, body: { message: "Artifact has expired", documentation_url: "" } };
  return { status: 302, headers: { location: `${world.url}${BLOBS}/${artifact.id}.zip` } };
}

/** The bytes at an address that a download was sent on to. */
export function blobAt({ artifacts, jobs }: World, pathname: string): Uint8Array | undefined {
  const log = jobs.find(({ id }) => pathname === `${BLOBS}/${id}.txt`)?.log;
  if (log !== undefined && log !== null) return Buffer.from(log);
  return artifacts.find(({ id }) => pathname === `${BLOBS}/${id}.zip`)?.zip;
}

function listCaches(exchange: Exchange): Answer {
  const { world, query } = exchange;
  const [key, ref] = [query.get("key") ?? "", query.get("ref")];
  const rows = world.caches
    .filter((row) => row.key.startsWith(key) && (ref === null || row.ref === ref))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const { rows: shown, headers } = page(exchange, `${repositoryPath(world)}/actions/caches`, rows);
  return { status: 200, body: { total_count: rows.length, actions_caches: shown.map(cacheDocument) }, headers };
}

function removed(caches: CacheRow[], which: (row: CacheRow) => boolean): readonly CacheRow[] {
  const gone = caches.filter(which);
  for (const row of gone) caches.splice(caches.indexOf(row), 1);
  return gone;
}
