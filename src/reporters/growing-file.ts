import path from "node:path";
import { appendIn, replaceIn } from "../os/atomic-file.ts";
import { inOwnFolder, openToRead, type OwnFolder } from "../os/own-file.ts";

/**
 * Adds to a file of ours, and makes it when it is missing. Of one that is longer than `limit` bytes the older half goes.
 *
 * @throws as `inOwnFolder`
 */
export async function addTo(folder: OwnFolder, name: string, text: string, limit: number): Promise<void> {
  if (text === "") return;
  await inOwnFolder(folder, async (at) => {
    await appendIn(at, name, text);
    await keepEnd(at, name, limit);
  });
}

const NEWLINE = 0x0a;

async function keepEnd(at: string, name: string, limit: number): Promise<void> {
  const handle = await openToRead(path.join(at, name));
  try {
    const { size } = await handle.stat();
    if (size <= limit) return;
    const length = Math.floor(limit / 2);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const end = buffer.subarray(0, bytesRead);
    await replaceIn(at, name, end.subarray(end.indexOf(NEWLINE) + 1));
  } finally {
    await handle.close();
  }
}
