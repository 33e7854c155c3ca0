import { hidesProtected, isProtected } from "../../src/core/boundary.ts";
import { coversVariable } from "../../src/core/policy/secret-variables.ts";
import { isNamedSecret } from "../../src/os/secrets.ts";
import { hold, target } from "../target.ts";

/** What a glob means, by trying every way: slow, and too simple to be wrong. */
function means(glob: readonly string[], parts: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return parts.length === 0;
  if (first === "**") return parts.some((_, at) => means(rest, parts.slice(at))) || means(rest, []);
  const [part, ...others] = parts;
  return part !== undefined && fits(Array.from(first), Array.from(part)) && means(rest, others);
}

function fits(glob: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return name.length === 0;
  if (first === "*") return name.some((_, at) => fits(rest, name.slice(at))) || fits(rest, []);
  return name.length > 0 && (first === "?" || first === name[0]) && fits(rest, name.slice(1));
}

export const globs = target({
  name: "globs",
  covers: [
    "core/boundary.ts#isProtected",
    "core/boundary.ts#hidesProtected",
    "core/policy/secret-variables.ts#coversVariable",
    "os/secrets.ts#isNamedSecret",
  ],
  draw(random) {
    const name = (characters: string): string => random.text(characters, 1 + random.below(4));
    const glob = (): string => {
      const parts = Array.from({ length: 1 + random.below(4) }, () => (random.once(4) ? "**" : name("ab*?.é😀")));
      return `${random.once(4) ? "!" : ""}${parts.join("/")}`;
    };
    return {
      globs: Array.from({ length: 1 + random.below(3) }, glob),
      path: Array.from({ length: 1 + random.below(5) }, () => name("abAB.é😀")).join("/"),
    };
  },
  check({ globs: all, path }) {
    const folded = (text: string): string => text.normalize("NFC").toUpperCase().toLowerCase();
    const last = all.findLast((glob) => means(folded(glob.replace(/^!/u, "")).split("/"), folded(path).split("/")));
    hold(isProtected(all, path) === (last !== undefined && !last.startsWith("!")), "a glob means what it says");
    if (hidesProtected(all, path)) {
      const inside = all.some((glob) => !glob.startsWith("!") && folded(glob).startsWith(`${folded(path)}/`));
      hold(inside, "what hides something protected is above it");
    }
    const [glob = ""] = all;
    const covered = glob !== "*" && (glob.endsWith("*") ? path.startsWith(glob.slice(0, -1)) : glob === path);
    hold(coversVariable(glob, path) === covered, "pass-env means what it says");
    hold(isNamedSecret(`${path}/.env/x`) && isNamedSecret(`a/${path}.pem`), "secrets are known by their names");
  },
});
