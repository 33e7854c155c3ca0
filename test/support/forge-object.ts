import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { shellIn } from "./git-repository.ts";

/** Makes every object of a repository a file of its own, as whoever can write `.git` can. */
async function unpack(top: string): Promise<void> {
  const packs = path.join(top, ".git/objects/pack");
  const aside = path.join(top, ".git/aside");
  await shellIn(top, `mkdir -p "$0"; mv "$1"/* "$0"/ 2>/dev/null || true`, aside, packs);
  const names = (await readdir(aside)).filter((name) => name.endsWith(".pack"));
  for (const name of names) await shellIn(top, `git unpack-objects -q < "$0"`, path.join(aside, name));
  await rm(aside, { recursive: true });
}

/** Puts another content under an object's id: git does not look. @param content a byte string */
export async function forgeObject(top: string, id: string, type: string, content: string): Promise<void> {
  await unpack(top);
  const file = path.join(top, ".git/objects", id.slice(0, 2), id.slice(2));
  await mkdir(path.dirname(file), { recursive: true });
  await chmod(file, 0o644).catch(() => {});
  await writeFile(file, deflateSync(Buffer.from(`${type} ${content.length}\0${content}`, "latin1")));
}

/** Makes git believe that HEAD's tree holds a file as it lies in the work tree; see `forgeObject`. */
export async function forgeHead(top: string, name: string): Promise<void> {
  const folder = path.posix.dirname(name);
  const tree = await shellIn(top, `git rev-parse "HEAD:$0"`, folder === "." ? "" : `${folder}/`);
  const blob = await shellIn(top, `git hash-object -w -- "$0"`, name);
  const entries = (await shellIn(top, `git ls-tree "$0"`, tree)).split("\n").map((line) => {
    const [, mode = "", id = "", entry = ""] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/u.exec(line) ?? [];
    const object = entry === path.posix.basename(name) ? blob : id;
    return `${mode.replace(/^0/u, "")} ${entry}\0${Buffer.from(object, "hex").toString("latin1")}`;
  });
  await forgeObject(top, tree, "tree", entries.join(""));
}
