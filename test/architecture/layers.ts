import path from "node:path/posix";
import { parseSync, Visitor } from "oxc-parser";
import { importsOf } from "../../scripts/house/imports.ts";

/** What the files of one layer may import, besides `core` and their own folder. */
interface Layer {
  readonly layers: readonly string[];
  /** names of packages; `node:` stands for every module of Node, `node:path` for that one */
  readonly packages: readonly string[];
}

/** What everybody above the ground may see. */
const GROUND: readonly string[] = ["config", "views", "os"];

/** Rooms that each know one thing of the world, with the packages that each may use besides Node and zod. */
const ADAPTERS: Readonly<Record<string, readonly string[]>> = {
  git: [],
  github: ["@octokit", "undici", "universal-github-app-jwt"],
  store: [],
  agents: ["@actions/exec", "smol-toml"],
  checks: [],
  control: [],
  backlogs: [],
  prd: [],
  reporters: ["log-update", "@actions/core"],
};

/** Rooms that put adapters to work, each for one purpose. They never see each other. */
const PURPOSES: Readonly<Record<string, readonly string[]>> = {
  carry: ["@actions/artifact", "@actions/cache", "@actions/http-client", "yauzl"],
  requests: [],
  publish: ["yaml"],
};

const BELOW_PURPOSES: readonly string[] = [...GROUND, ...Object.keys(ADAPTERS)];
const BELOW_APP: readonly string[] = [...BELOW_PURPOSES, "report", ...Object.keys(PURPOSES)];
const BELOW_PROGRAMS: readonly string[] = [...BELOW_APP, "app"];

/** The table of docs/ARCHITECTURE.md. Keep the two equal. */
const LAYERS: Readonly<Record<string, Layer>> = {
  core: { layers: [], packages: ["zod"] },
  config: { layers: [], packages: ["smol-toml"] },
  views: { layers: [], packages: ["mdast", "mdast-util-gfm-table", "mdast-util-to-markdown"] },
  os: { layers: [], packages: ["node:"] },
  // A floor above the ground: what it draws with is loaded only where a page is made (0068).
  report: { layers: GROUND, packages: ["node:crypto", "@observablehq/plot"] },
  ...Object.fromEntries(
    Object.entries(ADAPTERS).map(([room, packages]) => [
      room,
      { layers: [...GROUND, "git", "github"], packages: ["node:", "zod", ...packages] },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(PURPOSES).map(([room, packages]) => [
      room,
      { layers: BELOW_PURPOSES, packages: ["node:", "zod", ...packages] },
    ]),
  ),
  // Only the command line opens it, and hands in what it shows (0066).
  live: { layers: GROUND, packages: ["node:", "ink", "react"] },
  // Doctor and the checks before the first turn read the workflows of a repository by one table (0071).
  app: { layers: BELOW_APP, packages: ["node:", "log-update", "yaml", "zod"] },
  job: { layers: BELOW_PROGRAMS, packages: ["node:", "yaml"] },
  commands: { layers: [...BELOW_PROGRAMS, "live"], packages: ["node:", "zod"] },
  setup: {
    layers: BELOW_PROGRAMS,
    packages: [
      "node:",
      "mdast",
      "mdast-util-from-markdown",
      "mdast-util-gfm-task-list-item",
      "micromark-extension-gfm-task-list-item",
    ],
  },
  entry: { layers: ["app", "config", "job", "commands", "setup"], packages: ["commander"] },
};

/** The programs: `src/<name>.ts`, which nobody imports. `command-line.ts` is what `cli.ts` loads for all but its help. */
const ENTRIES: ReadonlySet<string> = new Set(["cli.ts", "command-line.ts", "action.ts", "post.ts"]);

/** Ways to the world that need no import. */
const WORLDLY: ReadonlySet<string> = new Set(
  (
    "process globalThis global performance console fetch require Buffer crypto navigator eval Function " +
    "setTimeout setInterval setImmediate queueMicrotask Temporal Worker WebSocket"
  ).split(" "),
);

/** Globals of which only this leads nowhere; `new Date(given)` besides. */
const PURE: ReadonlyMap<string, (member: string) => boolean> = new Map([
  ["Date", (member) => member === "parse" || member === "UTC"],
  ["Math", (member) => member !== "random"],
  ["AbortSignal", (member) => member === "any" || member === "abort"],
]);

function layerOf(file: string): string | undefined {
  const [folder = "", ...rest] = file.split("/");
  if (rest.length === 0) return ENTRIES.has(folder) ? "entry" : undefined;
  return folder in LAYERS && folder !== "entry" ? folder : undefined;
}

/** What a file takes from elsewhere. */
interface Reach {
  /** @see importsOf */
  readonly imports: readonly (string | undefined)[];
  /** uses of the world without an import, such as `Date.now` */
  readonly globals: ReadonlySet<string>;
}

function reachOf(file: string, source: string): Reach {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  /** a set, because a shorthand property visits its name twice */
  const globals = new Set<string>();
  /** starts of identifiers that are names of properties, not of variables, or that have been judged already */
  const names = new Set<number>();
  new Visitor({
    MetaProperty: (node) => void (node.meta.name === "import" && globals.add("import.meta")),
    Property: (node) => void (!node.computed && !node.shorthand && names.add(node.key.start)),
    PropertyDefinition: (node) => void (!node.computed && names.add(node.key.start)),
    MethodDefinition: (node) => void (!node.computed && names.add(node.key.start)),
    TSPropertySignature: (node) => void (!node.computed && names.add(node.key.start)),
    TSMethodSignature: (node) => void (!node.computed && names.add(node.key.start)),
    MemberExpression: (node) => {
      if (node.computed) return;
      const { object, property } = node;
      names.add(property.start);
      const isPure = object.type === "Identifier" ? PURE.get(object.name) : undefined;
      if (object.type !== "Identifier" || isPure === undefined) return;
      names.add(object.start);
      if (!isPure(property.name)) globals.add(`${object.name}.${property.name}`);
    },
    NewExpression: ({ callee, arguments: [given] }) => {
      if (callee.type !== "Identifier" || callee.name !== "Date") return;
      names.add(callee.start);
      if (given === undefined || given.type === "SpreadElement") globals.add("new Date()");
    },
    CallExpression: ({ callee }) => {
      if (callee.type !== "Identifier" || callee.name !== "Date") return;
      names.add(callee.start);
      globals.add("Date()");
    },
    TSTypeReference: ({ typeName }) => {
      if (typeName.type === "Identifier" && PURE.has(typeName.name)) names.add(typeName.start);
    },
    Identifier: ({ name, start }) =>
      void ((WORLDLY.has(name) || PURE.has(name)) && !names.has(start) && globals.add(name)),
  }).visit(program);
  return { imports: importsOf(program), globals };
}

function packageAllowed(specifier: string, allowed: readonly string[]): boolean {
  return allowed.some((name) =>
    name === "node:"
      ? specifier.startsWith("node:")
      : specifier === name || (specifier.startsWith(`${name}/`) && !name.startsWith("node:")),
  );
}

function packageViolation(layer: string, specifier: string): string | undefined {
  if (packageAllowed(specifier, LAYERS[layer]?.packages ?? [])) return undefined;
  const fix =
    layer === "core"
      ? "let it come in through a port (src/core/ports.ts)"
      : "move the code to the layer that owns this package, or add the package to LAYERS with a decision";
  return `${layer} may not import ${specifier}. Fix: ${fix}.`;
}

function fileViolation(layer: string, file: string, specifier: string): string | undefined {
  const target = path.join(path.dirname(file), specifier);
  if (!specifier.endsWith(".ts")) return `${specifier} has no extension .ts. Fix: write the file's whole name.`;
  if (target.startsWith("..")) return `${specifier} leaves src/. Fix: move what is needed into src/.`;
  const other = layerOf(target);
  if (other === layer || other === "core") return undefined;
  if (other !== undefined && LAYERS[layer]?.layers.includes(other)) return undefined;
  const fix =
    other !== undefined && ((layer in ADAPTERS && other in ADAPTERS) || (layer in PURPOSES && other in PURPOSES))
      ? "rooms of one floor never import each other; put what both need on a lower floor, or let a higher one join them"
      : "turn the dependency round, or move the code to a layer that both may import";
  return `${layer} may not import ${other ?? "an unknown layer"} (${target}). Fix: ${fix}.`;
}

function importViolation(layer: string, file: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined) return "an import is computed. Fix: write it as a literal, so that it can be checked.";
  return specifier.startsWith(".") ? fileViolation(layer, file, specifier) : packageViolation(layer, specifier);
}

/**
 * What a file does that the layer table forbids, one line each, with the way out.
 *
 * @param file relative to `src/`, with forward slashes
 */
export function violations(file: string, source: string): string[] {
  const layer = layerOf(file);
  if (layer === undefined) return [`src/${file}: no such layer. Fix: move the file to a folder of LAYERS.`];
  const { imports, globals } = reachOf(file, source);
  const found = imports.map((specifier) => importViolation(layer, file, specifier));
  if (layer === "core") {
    found.push(
      ...Array.from(globals, (name) => `core may not use ${name}. Fix: take it from a port, such as ports.clock.`),
    );
  }
  return found.filter((line) => line !== undefined).map((line) => `src/${file}: ${line}`);
}
