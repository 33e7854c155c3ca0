/** A path from the root of a file system, as it may stand in a text; not the path of an address such as `https://a/b`. */
const ABSOLUTE = /(?<![\w.~\\/-])(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]{1,255}){2,}/gu;

/**
 * Makes the paths in a text the same on every machine: those in the workspace become relative, of others only the last
 * part stays.
 *
 * @param root the workspace; "" when it is not known
 */
export function portablePaths(text: string, root: string): string {
  const plain = text.replaceAll("file://", "");
  const inside = root === "" ? plain : plain.replaceAll(`${root}/`, "");
  return inside.replaceAll(ABSOLUTE, (path) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1));
}
