import { readFile } from "node:fs/promises";

/** What the bundler says about a module; a concatenated one holds further modules. */
export interface BundledModule {
  /** the number by which the bundle calls it; null when it is part of another one */
  readonly id?: number | string | null;
  readonly name?: string;
  readonly nameForCondition?: string | null;
  readonly size?: number;
  readonly chunks?: readonly number[];
  readonly modules?: readonly BundledModule[];
}

/** What the bundler says about a script that it writes. */
export interface BundledChunk {
  readonly id: number;
  /** whether it is there from the beginning, and not loaded by an `import()` */
  readonly initial: boolean;
  /** why it was cut off, when no `import()` asks for just this */
  readonly reason?: string | null;
  /** the `import()`s that load it; `moduleName` is the file that has them, relative to the project */
  readonly origins: readonly { readonly moduleName: string; readonly request: string }[];
}

/** The bundler's report (`--stats-out`). */
export interface Statistics {
  readonly modules: readonly BundledModule[];
  readonly chunks: readonly BundledChunk[];
}

export async function readStatistics(file: string): Promise<Statistics> {
  return JSON.parse(await readFile(file, "utf8"));
}

/** The modules with all that they hold. */
export function flat(modules: readonly BundledModule[]): readonly BundledModule[] {
  return modules.flatMap((module) => [module, ...flat(module.modules ?? [])]);
}
