import type { GitHttp } from "../git-http.ts";

/** Where the branches, tags and other refs of the repository point. Names are whole, as in `refs/heads/main`. */
export interface Refs {
  get(ref: string): Promise<string | undefined>;
  /** what begins with `prefix`, by name */
  list(prefix: string): Promise<readonly RefRow[]>;
  set(ref: string, sha: string): Promise<void>;
  delete(ref: string): Promise<void>;
  /** whether the repository has this object */
  has(sha: string): Promise<boolean>;
  /** whether going from `old` to `sha` loses nothing */
  isAncestor(old: string, sha: string): Promise<boolean>;
  /** the commits that `head` has and `base` has not */
  ahead(base: string, head: string): Promise<number>;
}

export interface RefRow {
  readonly ref: string;
  readonly sha: string;
}

/** Refs without a repository: any commit exists, and two of them differ by one. */
export function mappedRefs(begin: Readonly<Record<string, string>>): Refs {
  const refs = new Map(Object.entries(begin));
  return {
    get: (ref) => Promise.resolve(refs.get(ref)),
    list: (prefix) =>
      Promise.resolve(
        [...refs]
          .filter(([ref]) => ref.startsWith(prefix))
          .map(([ref, sha]) => ({ ref, sha }))
          .toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
      ),
    set: (ref, sha) => Promise.resolve(void refs.set(ref, sha)),
    delete: (ref) => Promise.resolve(void refs.delete(ref)),
    has: () => Promise.resolve(true),
    isAncestor: () => Promise.resolve(true),
    ahead: (base, head) => Promise.resolve(base === head ? 0 : 1),
  };
}

/** The refs of a real repository. */
export function gitRefs(repository: GitHttp): Refs {
  const git = async (...args: string[]): Promise<string> => repository.git(...args);
  const list = async (pattern: string): Promise<readonly RefRow[]> => {
    const lines = await git("for-each-ref", "--format=%(objectname) %(refname)", ...(pattern === "" ? [] : [pattern]));
    return lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => ({ sha: line.slice(0, line.indexOf(" ")), ref: line.slice(line.indexOf(" ") + 1) }));
  };
  return {
    get: async (ref) => (await list(ref)).find((row) => row.ref === ref)?.sha,
    list: async (prefix) => (await list("")).filter(({ ref }) => ref.startsWith(prefix)),
    set: async (ref, sha) => void (await git("update-ref", ref, sha)),
    delete: async (ref) => void (await git("update-ref", "-d", ref)),
    isAncestor: async (old, sha) => succeeds(git("merge-base", "--is-ancestor", old, sha)),
    has: async (sha) => succeeds(git("cat-file", "-e", sha)),
    ahead: async (base, head) => Number(await git("rev-list", "--count", `${base}..${head}`)),
  };
}

async function succeeds(doing: Promise<unknown>): Promise<boolean> {
  return doing.then(
    () => true,
    () => false,
  );
}
