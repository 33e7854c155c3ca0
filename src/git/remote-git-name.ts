/** In bytes: a ref is a file, too, and its lock has a longer name. */
const NAME_LIMIT = 240;

/** What git allows in no name of a ref. */
const FORBIDDEN = /[\p{Cc}\u007F ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^@$/u;
const FORBIDDEN_PART = /(?:^|\/)\.|\.lock(?:\/|$)/u;

/**
 * Whether a branch may have this name: git's own rules, and nothing that a command line could take for an option or
 * that names something else (`HEAD`, `refs/…`).
 */
export function isBranchName(name: string): boolean {
  if (name === "" || Buffer.byteLength(name) > NAME_LIMIT) return false;
  // Half of a character cannot be written down.
  if (Buffer.from(name).toString() !== name) return false;
  if (/^(?:-|refs\/)/u.test(name) || name === "HEAD") return false;
  return !FORBIDDEN.test(name) && !FORBIDDEN_PART.test(name);
}
