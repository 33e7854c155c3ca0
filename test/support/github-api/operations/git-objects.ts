import { z } from "zod";
import { type Document, repositoryPath, userDocument } from "../documents.ts";
import { type Commit, GitStore, type Signature } from "../git-store.ts";
import { type Answer, bodyOf, type Exchange, type Handlers, NOT_FOUND, refused } from "../operation.ts";
import type { World } from "../world.ts";
import { NOT_FOR_INTEGRATIONS } from "./git-refs.ts";
import { commitOf } from "./statuses.ts";

const NewBlob = z.object({ content: z.string(), encoding: z.enum(["utf-8", "base64"]).default("utf-8") });
const NewTree = z.object({
  base_tree: z.string().optional(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string().default("100644"),
      sha: z.string().nullish(),
      content: z.string().optional(),
    }),
  ),
});
const Author = z.object({ name: z.string(), email: z.string(), date: z.string().optional() });
const NewCommit = z.object({
  message: z.string(),
  tree: z.string(),
  parents: z.array(z.string()).default([]),
  author: Author.optional(),
});

/** Objects of the real repository; without one, nobody can answer. */
export const GIT_OBJECTS: Handlers = {
  "git/get-commit": { needs: { contents: "read" }, handle: getCommit },
  "git/get-tree": { needs: { contents: "read" }, handle: getTree },
  "git/get-blob": { needs: { contents: "read" }, handle: getBlob },
  "git/create-blob": { needs: { contents: "write" }, handle: createBlob },
  "git/create-tree": { needs: { contents: "write" }, handle: createTree },
  "git/create-commit": { needs: { contents: "write" }, handle: createCommit },
  "repos/get-commit": { needs: { contents: "read" }, handle: getCommitOfAccounts },
  "repos/get-content": { needs: { contents: "read" }, handle: getContent },
};

/** The objects behind the API. */
export function storeOf({ git }: World): GitStore {
  if (git === null) throw new Error("git objects need a real repository: startGithubApi({ git })");
  return new GitStore(git.folder);
}

function gitUrl(world: World, kind: string, sha: string): string {
  return `${world.url}${repositoryPath(world)}/git/${kind}/${sha}`;
}

async function getCommit({ world, params }: Exchange): Promise<Answer> {
  const sha = params["commit_sha"] ?? "";
  if ((await storeOf(world).typeOf(sha)) !== "commit") return NOT_FOUND;
  return { status: 200, body: commitDocument(world, await storeOf(world).commit(sha)) };
}

function commitDocument(world: World, { sha, tree, parents, ...commit }: Commit): Document {
  const url = gitUrl(world, "commits", sha);
  const verified = world.signed.has(sha);
  const signed = {
    signature: "-----BEGIN PGP SIGNATURE-----",
    payload: `tree ${tree}`,
    verified_at: "2026-01-01T00:00:00Z",
  };
  const verification = verified
    ? { verified, reason: "valid", ...signed }
    : { verified, reason: "unsigned", signature: null, payload: null, verified_at: null };
  return {
    ...{ sha, node_id: `C_${sha}`, url, html_url: url, ...commit, verification },
    tree: { sha: tree, url: gitUrl(world, "trees", tree) },
    parents: parents.map((parent) => ({ sha: parent, url, html_url: url })),
  };
}

/** The same with the accounts behind it, which GitHub knows by their addresses. */
async function getCommitOfAccounts({ world, params }: Exchange): Promise<Answer> {
  const sha = await commitOf(world, params["ref"] ?? "");
  if (sha === undefined) return refused(422, `No commit found for SHA: ${params["ref"]}`);
  const { tree, parents, ...commit } = await storeOf(world).commit(sha);
  const url = `${world.url}${repositoryPath(world)}/commits/${sha}`;
  return {
    status: 200,
    body: {
      ...{ sha, node_id: `C_${sha}`, url, html_url: url, comments_url: `${url}/comments` },
      ...{ author: accountOf(world, commit.author), committer: accountOf(world, commit.committer) },
      commit: { ...commit, url, comment_count: 0, tree: { sha: tree, url: gitUrl(world, "trees", tree) } },
      parents: parents.map((parent) => ({ sha: parent, url, html_url: url })),
    },
  };
}

/** By the address alone, which anybody can write into a commit. What the website commits is web-flow's, who is no bot. */
function accountOf(world: World, { email }: Signature): Document | null {
  if (email === "noreply@github.com") return userDocument(world, "web-flow");
  const [, login] = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/u.exec(email) ?? [];
  return login === undefined ? null : userDocument(world, login);
}

async function getTree({ world, params, query }: Exchange): Promise<Answer> {
  const store = storeOf(world);
  const name = params["tree_sha"] ?? "";
  const commit = await commitOf(world, name);
  const sha = (await store.typeOf(name)) === "tree" ? name : commit && (await store.at(commit, ""));
  if (sha === undefined) return NOT_FOUND;
  return { status: 200, body: await treeDocument(world, sha, query.has("recursive")) };
}

async function treeDocument(world: World, sha: string, recursive: boolean): Promise<Document> {
  const entries = await storeOf(world).tree(sha, recursive);
  const tree = entries.map(({ size, ...entry }) => ({
    ...{ ...entry, url: gitUrl(world, `${entry.type}s`, entry.sha) },
    ...(size === null ? {} : { size }),
  }));
  return { sha, url: gitUrl(world, "trees", sha), tree, truncated: false };
}

async function getBlob({ world, params }: Exchange): Promise<Answer> {
  const sha = params["file_sha"] ?? "";
  if ((await storeOf(world).typeOf(sha)) !== "blob") return NOT_FOUND;
  const bytes = await storeOf(world).blob(sha);
  const content = { size: bytes.length, content: bytes.toString("base64"), encoding: "base64" };
  return { status: 200, body: { sha, node_id: `B_${sha}`, url: gitUrl(world, "blobs", sha), ...content } };
}

async function createBlob(exchange: Exchange): Promise<Answer> {
  const { content, encoding } = bodyOf(exchange, NewBlob);
  const { world } = exchange;
  const sha = await storeOf(world).writeBlob(Buffer.from(content, encoding));
  return { status: 201, body: { sha, url: gitUrl(world, "blobs", sha) } };
}

async function createTree(exchange: Exchange): Promise<Answer> {
  const { world, may } = exchange;
  const store = storeOf(world);
  const { base_tree: base = null, tree } = bodyOf(exchange, NewTree);
  const changes = [];
  for (const { path, mode, sha, content } of tree) {
    if (sha === null && (base === null || (await store.at(base, path)) === undefined))
      return refused(422, "GitRPC::BadObjectState");
    // A submodule's commit is in another repository.
    if (mode === "160000") {
      changes.push({ path, mode, sha: sha ?? null });
      continue;
    }
    if (sha !== undefined && sha !== null && (await store.typeOf(sha)) === undefined)
      return refused(422, `tree.sha ${sha} is not a valid blob`);
    const written = content === undefined ? (sha ?? null) : await store.writeBlob(Buffer.from(content));
    const isWorkflow = path.startsWith(".github/workflows/") && may["workflows"] !== "write";
    if (isWorkflow && !(await world.git?.workflows.has(path, written))) return NOT_FOR_INTEGRATIONS;
    changes.push({ path, mode, sha: written });
  }
  const sha = await store.writeTree(base, changes);
  return { status: 201, body: await treeDocument(world, sha, false) };
}

async function createCommit(exchange: Exchange): Promise<Answer> {
  const { world } = exchange;
  const store = storeOf(world);
  const { message, tree, parents, author } = bodyOf(exchange, NewCommit);
  if ((await store.typeOf(tree)) !== "tree") return refused(422, "Tree SHA does not exist");
  for (const parent of parents) {
    if ((await store.typeOf(parent)) !== "commit")
      return refused(422, "Parent SHA does not exist or is not a commit object");
  }
  const { date, ...named } = author ?? {};
  const sha = await store.writeCommit(tree, parents, message, date === undefined ? named : { ...named, date });
  // GitHub signs for bots, and what they do not say of somebody else.
  if (author === undefined && exchange.login.endsWith("[bot]")) world.signed.add(sha);
  return { status: 201, body: commitDocument(world, await store.commit(sha)) };
}

async function getContent({ world, params, query }: Exchange): Promise<Answer> {
  const store = storeOf(world);
  const path = params["path"] ?? "";
  const commit = await commitOf(world, query.get("ref") ?? world.repository.defaultBranch);
  if (commit === undefined) return refused(404, `No commit found for the ref ${query.get("ref")}`);
  const sha = await store.at(commit, path);
  if (sha === undefined) return NOT_FOUND;
  if ((await store.typeOf(sha)) === "blob") {
    const bytes = await store.blob(sha);
    const content = { encoding: "base64", content: bytes.toString("base64") };
    return { status: 200, body: { ...placeOf(world, "file", path, sha, bytes.length), ...content } };
  }
  const entries = await store.tree(sha, false);
  const kinds: Readonly<Record<string, string>> = { tree: "dir", commit: "submodule" };
  return {
    status: 200,
    body: entries.map(({ type, path: name, sha: object, size }) =>
      placeOf(world, kinds[type] ?? "file", path === "" ? name : `${path}/${name}`, object, size ?? 0),
    ),
  };
}

function placeOf(world: World, type: string, path: string, sha: string, size: number): Document {
  const url = `${world.url}${repositoryPath(world)}/contents/${path}`;
  const git = gitUrl(world, type === "dir" ? "trees" : "blobs", sha);
  const links = { _links: { self: url, git, html: url }, url, git_url: git, html_url: url };
  return { type, name: path.slice(path.lastIndexOf("/") + 1), path, sha, size, ...links, download_url: null };
}
