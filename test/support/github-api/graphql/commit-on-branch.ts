import { storeOf } from "../operations/git-objects.ts";
import type { Asked } from "./objects.ts";
import { workflowRefusal } from "../../push-rules/workflow-rule.ts";
import { demand, refusal } from "./refusals.ts";

export interface CommitOrder {
  readonly branch: { readonly repositoryNameWithOwner?: string | null; readonly branchName?: string | null };
  readonly message: { readonly headline: string; readonly body?: string | null };
  readonly expectedHeadOid: string;
  readonly fileChanges?: {
    /** contents in base64 */
    readonly additions?: readonly { readonly path: string; readonly contents: string }[] | null;
    readonly deletions?: readonly { readonly path: string }[] | null;
  } | null;
}

/** A commit that GitHub makes and signs itself: plain files only, and only on the tip that was expected. */
export async function commitOnBranch({ world, may }: Asked, order: CommitOrder) {
  const { branch, message, expectedHeadOid, fileChanges } = order;
  const { owner, name: repository } = world.repository;
  if (branch.repositoryNameWithOwner !== `${owner}/${repository}`)
    throw refusal("NOT_FOUND", `Could not resolve to a Repository with the name '${branch.repositoryNameWithOwner}'.`);
  demand(may, { contents: "write" });
  const name = branch.branchName ?? "";
  const ref = `refs/heads/${name.replace(/^refs\/heads\//u, "")}`;
  const tip = await world.refs.get(ref);
  if (tip === undefined) throw refusal("NOT_FOUND", `No such branch '${name}'`);
  if (tip !== expectedHeadOid)
    throw refusal("STALE_DATA", `Expected branch to point to "${expectedHeadOid}" but it did not. Pull and try again.`);
  const store = storeOf(world);
  const changes = [];
  const touched = [...(fileChanges?.additions ?? []), ...(fileChanges?.deletions ?? [])];
  const workflow = touched.find(({ path }) => path.startsWith(".github/workflows/"));
  // Nobody has told its words; those of a push, as other errors of this mutation are.
  if (workflow !== undefined && may["workflows"] !== "write")
    throw refusal("FORBIDDEN", workflowRefusal(workflow.path));
  for (const { path, contents } of fileChanges?.additions ?? [])
    changes.push({ path, mode: "100644", sha: await store.writeBlob(Buffer.from(contents, "base64")) });
  for (const { path } of fileChanges?.deletions ?? []) {
    if ((await store.at(tip, path)) === undefined)
      throw refusal(
        "UNPROCESSABLE",
        `A path was requested for deletion which does not exist as of commit oid \`${tip}\``,
      );
    changes.push({ path, mode: "100644", sha: null });
  }
  const tree = await store.writeTree(tip, changes);
  const text = message.body ? `${message.headline}\n\n${message.body}` : message.headline;
  const oid = await store.writeCommit(tree, [tip], text);
  await world.refs.set(ref, oid);
  const url = `https://github.com/${owner}/${repository}/commit/${oid}`;
  const commit = { __typename: "Commit", id: `C_${oid}`, oid, url, messageHeadline: message.headline };
  return {
    commit,
    ref: { __typename: "Ref", id: `REF_${ref}`, name: ref.slice("refs/heads/".length), target: commit },
  };
}
