import type { Handlers } from "../../support/github-api/operation.ts";

/**
 * The repository as commits, folders and files with names of their own: a commit and a folder by what is in them.
 *
 * @param files the text of `.github/workflows/ci.yml` by commit
 * @param base the commit of `main`
 * @param others workflow files that are the same in all commits, by name
 */
export function gitOfFiles(
  files: ReadonlyMap<string, string>,
  base: string,
  others: ReadonlyMap<string, string>,
): Handlers {
  const needs = { contents: "read" } as const;
  const url = "https://api.github.invalid/x";
  const tree = (sha: string, type: string, named: readonly (readonly [name: string, of: string])[]) => ({
    status: 200,
    body: {
      sha,
      url,
      truncated: false,
      tree: named.map(([at, of]) => ({ path: at, mode: "100644", type, sha: of, url })),
    },
  });
  const hex = (text: string) => Buffer.from(text).toString("hex");
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
        if (kind === "github") return tree(`github-${text}`, "tree", [["workflows", `workflows-${text}`]]);
        const same = [...others].map(([name, of]) => [name, hex(of)] as const);
        if (kind === "workflows") return tree(`workflows-${text}`, "blob", [["ci.yml", text], ...same]);
        return tree(String(kind), "tree", [[".github", `github-${hex(files.get(kind ?? "") ?? "")}`]]);
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
