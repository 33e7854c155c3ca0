import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { LintDocument } from "./document.ts";
import { markdownBlocks, type UncheckedBlock } from "./markdown-blocks.ts";

export interface Collected {
  readonly documents: readonly LintDocument[];
  readonly unchecked: readonly UncheckedBlock[];
}

/** `action.yml`, every workflow of the repository, every example, and every one that README or docs show. */
export async function collect(root: string): Promise<Collected> {
  const folders = [".github/workflows", "examples"];
  const workflows = (await Promise.all(folders.map((folder) => filesIn(root, folder, /\.ya?ml$/u)))).flat();
  const texts = ["README.md", ...(await filesIn(root, "docs", /\.md$/u))];
  const blocks = await Promise.all(
    texts.map(async (file) => markdownBlocks(file, await readFile(path.join(root, file), "utf8"))),
  );
  return {
    documents: [
      await whole(root, "action.yml", "action"),
      ...(await Promise.all(workflows.map((file) => whole(root, file, "workflow")))),
      ...blocks.flatMap(({ documents }) => documents),
    ],
    unchecked: blocks.flatMap(({ unchecked }) => unchecked),
  };
}

async function filesIn(root: string, folder: string, name: RegExp): Promise<readonly string[]> {
  const names = await readdir(path.join(root, folder), { recursive: true });
  return names
    .filter((file) => name.test(file))
    .toSorted()
    .map((file) => path.posix.join(folder, file));
}

async function whole(root: string, file: string, kind: LintDocument["kind"]): Promise<LintDocument> {
  return { kind, file, line: 1, indent: 0, text: await readFile(path.join(root, file), "utf8") };
}
