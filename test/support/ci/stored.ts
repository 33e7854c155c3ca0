import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { tempFolder } from "../temp-folder.ts";
import type { Ci } from "./ci.ts";

const run = promisify(execFile);

/** Bytes that a service keeps, and where. */
export interface Stored {
  readonly where: string;
  readonly bytes: Buffer;
}

/** Everything that the services keep of all jobs so far, unpacked: artifacts, caches, and every object of every ref. */
export async function everythingStored({ remote, api, results }: Ci): Promise<readonly Stored[]> {
  const stored: Stored[] = [];
  for (const { name, zip } of api.world.artifacts) {
    for (const [file, bytes] of Object.entries(await unzipped(zip))) stored.push({ where: `${name}: ${file}`, bytes });
  }
  for (const { key, blob } of results.cache.entries) {
    stored.push({ where: key, bytes: await tarOf(await results.blobs.read(blob)) });
  }
  const listed = await remote.git("rev-list", "--objects", "--glob=refs/smithers");
  for (const line of listed.split("\n").filter((text) => text !== "")) {
    const [object = "", name = ""] = line.split(" ");
    const type = await remote.git("cat-file", "-t", object);
    stored.push({ where: `ref: ${type} ${name}`, bytes: Buffer.from(await remote.git("cat-file", "-p", object)) });
  }
  return stored;
}

/** The files of an archive, by their paths in it. */
export async function unzipped(zip: Uint8Array): Promise<Record<string, Buffer>> {
  await using folder = await tempFolder("zip-");
  const archive = path.join(folder.path, "archive.zip");
  await writeFile(archive, zip);
  const names = (await run("unzip", ["-Z1", archive])).stdout
    .split("\n")
    .filter((name) => name !== "" && !name.endsWith("/"));
  const files = names.map(async (name) => {
    const { stdout } = await run("unzip", ["-p", archive, name], { encoding: "buffer", maxBuffer: 1 << 28 });
    return [name, stdout] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

async function tarOf(archive: Buffer): Promise<Buffer> {
  await using folder = await tempFolder("tar-");
  const file = path.join(folder.path, "cache.tar.zst");
  await writeFile(file, archive);
  return (await run("zstd", ["-d", "-c", file], { encoding: "buffer", maxBuffer: 1 << 28 })).stdout;
}
