import { chmod, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Machine } from "../../carry/git-machines.ts";

/** What a remote holds before the work. */
export const FILES = {
  "README.md": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n",
  "gone.txt": "gone\n",
  "tool.sh": "#!/bin/sh\n",
  "becomes-a-folder": "file\n",
  "becomes-a-file/inside.txt": "inside\n",
  "becomes-a-link": "plain\n",
  "windows.txt": "a\r\nb\r\n",
  "packages/a/in.txt": "in a\n",
  "packages/b/in.txt": "in b\n",
};

const NAMES = ["new\nline.txt", 'tab\tand "quotes".txt', "größe-📦.txt", "-dash", " space ", "back\\slash"];

/** Everything that a turn can do to files. */
export async function work({ root, write }: Machine): Promise<void> {
  await write("README.md", FILES["README.md"].replace("two", "TWO"));
  await write("windows.txt", "a\r\nB\r\n");
  await write("packages/a/new.txt", "new in a\n");
  await write("binary.bin", Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * i) % 256)));
  await write("empty", "");
  await write("no-newline", "at its end");
  for (const name of NAMES) await write(`names/${name}`, name);
  await writeFile(Buffer.concat([Buffer.from(`${root}/names/`), Buffer.from([0xff, 0xfe])]), "no UTF-8\n");
  await Promise.all(
    ["gone.txt", "becomes-a-folder", "becomes-a-file", "becomes-a-link"].map((name) =>
      rm(path.join(root, name), { recursive: true }),
    ),
  );
  await chmod(path.join(root, "tool.sh"), 0o755);
  await write("becomes-a-folder/now.txt", "now\n");
  await write("becomes-a-file", "now a file\n");
  await symlink("README.md", path.join(root, "becomes-a-link"));
  await symlink("nowhere/at/all", path.join(root, "dangling"));
}
