import type { Handlers } from "../../support/github-api/operation.ts";

/**
 * The repository as commits, folders and files with names of their own: a commit and a folder by what is in them.
 *
 * @param files the text of `.github/workflows/ci.yml` by commit
 * @param base the commit of `main`
 */
export function gitOfFiles(files: ReadonlyMap<string, string>, base: string): Handlers {
  const needs = { contents: "read" } as const;
  const url = "https://api.github.invalid/x";
  const tree = (sha: string, name: string, type: string, of: string) => ({
    status: 200,
    body: { sha, url, truncated: false, tree: [{ path: name, mode: "100644", type, sha: of, url }] },
  });
  return {
    "git/get-ref": {
      needs,
      handle: () => ({
        status: 200,
        body: { ref: "refs/heads/main", node_id: "R", url, object: { type: "commit", sha: base, url } },
      }),
    },
    "git/get-tree": {
      needs,
      handle: ({ params }) => {
        const [kind, text = ""] = (params["tree_sha"] ?? "").split("-");
        const commit = Buffer.from(files.get(kind ?? "") ?? "").toString("hex");
        if (kind === "github") return tree(`github-${text}`, "workflows", "tree", `workflows-${text}`);
        if (kind === "workflows") return tree(`workflows-${text}`, "ci.yml", "blob", text);
        return tree(String(kind), ".github", "tree", `github-${commit}`);
      },
    },
    "git/get-blob": {
      needs,
      handle: ({ params }) => {
        const sha = params["file_sha"] ?? "";
        const content = {
          content: Buffer.from(sha, "hex").toString("base64"),
          encoding: "base64",
          size: sha.length / 2,
        };
        return { status: 200, body: { sha, node_id: "B", url, ...content } };
      },
    },
  };
}
