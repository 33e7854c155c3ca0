import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { unzipped } from "../zip.ts";
import type { Ci } from "./ci.ts";

/** Bytes that a service keeps, and where. */
export interface Stored {
  readonly where: string;
  readonly bytes: Buffer;
}

/** Everything that the services keep of all jobs so far, unpacked: artifacts, caches, and every object of every ref. */
export async function everythingStored({ remote, api, results }: Ci): Promise<readonly Stored[]> {
  const stored: Stored[] = [];
  for (const { name, zip } of api.world.artifacts) {
    for (const [file, bytes] of Object.entries(unzipped(zip))) stored.push({ where: `${name}: ${file}`, bytes });
  }
  for (const { name, zip } of api.world.pages) stored.push({ where: name, bytes: Buffer.from(zip) });
  for (const { key, blob } of results.cache.entries) {
    stored.push({ where: key, bytes: tarOf(await results.blobs.read(blob)) });
  }
  const listed = await remote.git("rev-list", "--objects", "--glob=refs/smithers*");
  for (const line of listed.split("\n").filter((text) => text !== "")) {
    const [object = "", name = ""] = line.split(" ");
    const type = await remote.git("cat-file", "-t", object);
    stored.push({ where: `ref: ${type} ${name}`, bytes: Buffer.from(await remote.git("cat-file", "-p", object)) });
  }
  return stored;
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** A cache entry's archive: the toolkit packs with zstd, and with gzip on a machine without zstd. */
function tarOf(archive: Buffer): Buffer {
  return archive.subarray(0, 2).equals(GZIP) ? gunzipSync(archive) : zstdDecompressSync(archive);
}
