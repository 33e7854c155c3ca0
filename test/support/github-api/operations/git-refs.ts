import { z } from "zod";
import { repositoryPath } from "../documents.ts";
import { type Answer, bodyOf, type Exchange, type Handlers, NOT_FOUND, refused } from "../operation.ts";
import type { RefRow } from "../refs.ts";
import type { RefMove } from "../../push-rules/receive-pack.ts";
import type { World } from "../world.ts";

const NewRef = z.object({ ref: z.string(), sha: z.string() });
const Move = z.object({ sha: z.string(), force: z.boolean().default(false) });

/** Refs by the API, which are git's own when there is a real repository. */
export const GIT_REFS: Handlers = {
  "git/get-ref": {
    needs: { contents: "read" },
    handle: async ({ world, params }) => {
      const ref = `refs/${params["ref"]}`;
      const sha = await world.refs.get(ref);
      return sha === undefined ? NOT_FOUND : { status: 200, body: refDocument(world, { ref, sha }) };
    },
  },
  "git/list-matching-refs": {
    needs: { contents: "read" },
    // All of them at once: this list does not have pages.
    handle: async ({ world, params }) => {
      const rows = await world.refs.list(`refs/${params["ref"]}`);
      return { status: 200, body: rows.map((row) => refDocument(world, row)) };
    },
  },
  "git/create-ref": { needs: { contents: "write" }, handle: createRef },
  "git/update-ref": { needs: { contents: "write" }, handle: updateRef },
  "git/delete-ref": {
    needs: { contents: "write" },
    handle: async ({ world, params }) => {
      const ref = `refs/${params["ref"]}`;
      if ((await world.refs.get(ref)) === undefined) return refused(422, "Reference does not exist");
      await world.refs.delete(ref);
      return { status: 204 };
    },
  },
};

/** The API does not say which right is missing. */
export const NOT_FOR_INTEGRATIONS = refused(403, "Resource not accessible by integration");

/** Whether the move brings a workflow file that this token may not write: the API asks for the same as a push. */
async function hasForbiddenWorkflow({ world, may }: Exchange, move: RefMove): Promise<boolean> {
  return may["workflows"] !== "write" && (await world.git?.workflows.refusedAt([move])) !== undefined;
}

function refDocument(world: World, { ref, sha }: RefRow) {
  const git = `${world.url}${repositoryPath(world)}/git`;
  return {
    ref,
    node_id: `REF_${ref}`,
    url: `${git}/${ref}`,
    object: { type: "commit", sha, url: `${git}/commits/${sha}` },
  };
}

async function createRef(exchange: Exchange): Promise<Answer> {
  const { world } = exchange;
  const { ref, sha } = bodyOf(exchange, NewRef);
  if (!/^refs\/[^/]+\/./u.test(ref)) return refused(422, "Reference name must start with 'refs/' and have two slashes");
  if (ref.startsWith("refs/pull/")) return refused(422, "Reference update failed");
  if (/[\s~^:?*[\\]|\.\.|\/$|\.lock$|\/\/|\/\./u.test(ref)) return refused(422, `${ref} is not a valid ref name.`);
  if ((await world.refs.get(ref)) !== undefined) return refused(422, "Reference already exists");
  if (!(await world.refs.has(sha))) return refused(422, "Object does not exist");
  // git keeps a ref in a file of its name: one cannot be the folder of another.
  const all = await world.refs.list("refs/");
  const clash = all.some((row) => row.ref.startsWith(`${ref}/`) || ref.startsWith(`${row.ref}/`));
  if (clash) return refused(422, "Reference update failed");
  if (await hasForbiddenWorkflow(exchange, { ref, from: null, to: sha })) return NOT_FOR_INTEGRATIONS;
  await world.refs.set(ref, sha);
  return { status: 201, body: refDocument(world, { ref, sha }) };
}

async function updateRef(exchange: Exchange): Promise<Answer> {
  const { world, params } = exchange;
  const ref = `refs/${params["ref"]}`;
  const { sha, force } = bodyOf(exchange, Move);
  const old = await world.refs.get(ref);
  if (old === undefined) return refused(422, "Reference does not exist");
  if (!(await world.refs.has(sha))) return refused(422, "Object does not exist");
  if (!force && !(await world.refs.isAncestor(old, sha))) return refused(422, "Update is not a fast forward");
  if (await hasForbiddenWorkflow(exchange, { ref, from: old, to: sha })) return NOT_FOR_INTEGRATIONS;
  await world.refs.set(ref, sha);
  return { status: 200, body: refDocument(world, { ref, sha }) };
}
