/** A path from the root of a file system, as it may stand in a text; not the path of an address such as `https://a/b`. */
const ABSOLUTE = /(?<![\w.~\\/-])(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]{1,255}){2,}/gu;

/**
 * Makes the paths in a text the same on every machine: those in the workspace become relative, of others only the last
 * part stays.
 *
 * @param root the workspace; "" when it is not known
 */
export function portablePaths(text: string, root: string): string {
  return withoutFolders(relativePaths(text, root));
}

/** Makes paths in the workspace relative. */
export function relativePaths(text: string, root: string): string {
  const plain = text.replaceAll("file://", "");
  return root === "" ? plain : plain.replaceAll(`${root}/`, "");
}

/** Leaves only the last part of absolute paths. */
export function withoutFolders(text: string): string {
  return text.replaceAll(ABSOLUTE, lastPart);
}

/** What stands behind the last separator, that of Windows included. */
export function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
