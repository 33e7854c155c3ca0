import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

async function difference(wanted: string, found: string): Promise<string | undefined> {
  const [left, right] = await Promise.all([readFile(wanted), readFile(found)]);
  if (!left.equals(right)) return "other bytes";
  const [one, other] = await Promise.all([stat(wanted), stat(found)]);
  return (one.mode & 0o100) === (other.mode & 0o100) ? undefined : "other executable bit";
}

/** What has to change in `found` to make it equal to `wanted`: one line a file, sorted by name; [] when equal. */
export async function differences(wanted: string, found: string): Promise<string[]> {
  const [expected, present] = await Promise.all([filesOf(wanted), filesOf(found)]);
  const lines = await Promise.all(
    [...new Set([...expected, ...present])].toSorted().map(async (name) => {
      if (!present.includes(name)) return `${name}: missing`;
      if (!expected.includes(name)) return `${name}: not built any more`;
      const why = await difference(path.join(wanted, name), path.join(found, name));
      return why === undefined ? undefined : `${name}: ${why}`;
    }),
  );
  return lines.filter((line) => line !== undefined);
}
