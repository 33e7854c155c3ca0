import { createHash } from "node:crypto";
import path from "node:path/posix";
import { missingIn, packageOf } from "./bundled-files.ts";
import { type BundledChunk, type BundledModule, flat, type Statistics } from "./statistics.ts";

/**
 * What the scripts and modules of a bundle are called in place of the bundler's numbers, which say nothing and go from
 * one to another when something is added elsewhere.
 */
export interface BundleNames {
  /** for each script, the name of its file without `.js` */
  readonly chunks: ReadonlyMap<number, string>;
  /** for each module, what it is called within the bundle */
  readonly modules: ReadonlyMap<number, string>;
}

/** The script that a bundle begins with. */
const FIRST = "index";

/**
 * Names that follow from what is called so, and from nothing else.
 *
 * A script is called by the file that an `import()` loads with it (`github-signed-commits`), by its package (`undici`),
 * by the biggest of its packages (`slice-ansi-with-others`), or, being what others have in common, by the first of its
 * files (`shared-` and its name).
 *
 * @param sources where our files lie, relative to the project: `./.build/js/`
 */
export function bundleNames({ modules, chunks }: Statistics, sources: string): BundleNames {
  const later = chunks.filter(({ initial }) => !initial);
  const files = new Map(later.map(({ id }) => [id, flat(modules.filter((module) => module.chunks?.includes(id)))]));
  const names = distinct(
    later.map((chunk) => {
      const inside = files.get(chunk.id) ?? [];
      return { names: candidates(chunk, inside, sources), content: contentOf(inside) };
    }),
  );
  const first = chunks.filter(({ initial }) => initial).map(({ id }) => [id, FIRST] as const);
  const named = later.map(({ id }, i) => [id, names[i] ?? ""] as const);
  return { chunks: new Map([...first, ...named]), modules: moduleNames(modules) };
}

/** What a script may be called, the best name first. */
function candidates(chunk: BundledChunk, inside: readonly BundledModule[], sources: string): readonly string[] {
  const own = inside.flatMap(({ name }) => (name?.startsWith(sources) === true ? [fileOf(name)] : []));
  if (own.length === 0) return packageNames(inside);
  const asked = chunk.origins.map(({ moduleName, request }) => `./${path.join(path.dirname(moduleName), request)}`);
  const spelled = (file: string): string => file.slice(sources.length).replace(/\.js$/u, "").replaceAll("/", "-");
  const target = asked.find((file) => own.includes(file));
  const isAskedFor = (chunk.reason ?? null) === null && target !== undefined;
  return isAskedFor ? [spelled(target)] : [...new Set(own)].toSorted().map((file) => `shared-${spelled(file)}`);
}

/** The file that a module is, or that it begins with. */
function fileOf(name: string): string {
  return name.replace(/ \+ \d+ modules$/u, "");
}

function packageNames(inside: readonly BundledModule[]): readonly string[] {
  const missing = inside.map(missingIn).find((name) => name !== undefined);
  if (missing !== undefined) return [`missing-${missing}`];
  const sizes = new Map<string, number>();
  for (const { nameForCondition, size = 0, modules } of inside) {
    const name = packageOf(nameForCondition ?? "");
    if (name !== undefined && modules === undefined) sizes.set(name, (sizes.get(name) ?? 0) + size);
  }
  const bySize = [...sizes].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const [biggest = "module", ...others] = bySize.map(([name]) => name.replace(/^@/u, "").replaceAll("/", "-"));
  return others.length === 0 ? [biggest] : ["others", ...others].map((other) => `${biggest}-with-${other}`);
}

/** What of a script neither the bundler's numbers nor its order have a say in. */
function contentOf(inside: readonly BundledModule[]): string {
  return inside
    .map(({ name = "" }) => fileOf(name))
    .toSorted()
    .join("\n");
}

/** What a script may be called, and what its number goes by where it shares all these names. */
interface Candidates {
  readonly names: readonly string[];
  readonly content: string;
}

/** For each script its first name that no other has, or else its first name with a number. */
function distinct(scripts: readonly Candidates[]): readonly string[] {
  const chosen = scripts.map(({ names }, at) => {
    const elsewhere = new Set([FIRST, ...scripts.flatMap((other, i) => (i === at ? [] : other.names))]);
    return names.find((name) => !elsewhere.has(name));
  });
  const taken = new Set([FIRST, ...chosen.filter((name) => name !== undefined)]);
  const nameless = Array.from(scripts.keys()).filter((at) => chosen[at] === undefined);
  const contentAt = (at: number): string => scripts[at]?.content ?? "";
  for (const at of nameless.toSorted((one, other) => (contentAt(one) < contentAt(other) ? -1 : 1))) {
    const name = numbered(scripts[at]?.names[0] ?? "", taken);
    taken.add(name);
    chosen[at] = name;
  }
  return chosen.map((name) => name ?? "");
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Of a module's path only the digest stays: the path would stand at each place that uses the module. */
const DIGEST = 6;

function moduleNames(modules: readonly BundledModule[]): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const taken = new Set<string>();
  for (const { id, name = "" } of modules) {
    if (typeof id !== "number") continue;
    const digest = createHash("sha256").update(fileOf(name)).digest("hex");
    const short = Array.from(digest, (_, end) => `m${digest.slice(0, DIGEST + end)}`).find((each) => !taken.has(each));
    taken.add(short ?? digest);
    names.set(id, short ?? digest);
  }
  return names;
}
