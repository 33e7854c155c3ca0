/**
 * What a release takes beside GitHub: `.github/workflows/release.yml` runs it for a tag `v1.2.3`, and so can a person.
 *
 *     node scripts/release.ts check v1.2.3    refuses where version, changelog, dist/ or branch disagree with the tag
 *     node scripts/release.ts notes v1.2.3    prints what the changelog says of it
 *     node scripts/release.ts move v1.2.3     moves the tag v1 of origin there, never backwards
 *
 * Each may be repeated. GITHUB_TOKEN, where it is set, is shown to origin and to nobody else.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { networkGitEnvironment } from "../src/git/git.ts";

const program = promisify(execFile);

/** A version as its tag has it; what comes before a release never moves `v1`. */
interface Version {
  readonly tag: string;
  readonly numbers: readonly [number, number, number];
  /** as in `rc.1`; null: a release */
  readonly before: string | null;
}

const TAG = /^v(?<major>0|[1-9]\d*)\.(?<minor>0|[1-9]\d*)\.(?<patch>0|[1-9]\d*)(?:-(?<before>[\da-z][\d.a-z-]*))?$/u;

/** @returns undefined for a tag that names no version, such as `v1` */
export function versionOf(tag: string): Version | undefined {
  const { major, minor, patch, before = null } = TAG.exec(tag)?.groups ?? {};
  if (major === undefined) return undefined;
  return { tag, numbers: [Number(major), Number(minor), Number(patch)], before };
}

/** Negative when `a` is older than `b`; of releases only. */
function compare(a: Version, b: Version): number {
  const at = a.numbers.findIndex((number, index) => number !== b.numbers[index]);
  return at === -1 ? 0 : (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
}

/** The section of a version in the changelog, without its heading; undefined: it has none, or an empty one. */
export function notesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /mu).slice(1);
  const found = sections.find((section) => section.startsWith(`[${version}]`));
  const text = found
    ?.slice(found.indexOf("\n") + 1)
    .replaceAll(/^\[[^\]]+\]: .+$/gmu, "")
    .trim();
  return text === "" ? undefined : text;
}

/** Why a tag is no release of what is checked out, a sentence each; [] when it is one. */
export async function whyNoRelease(root: string, tag: string, mainBranch: string): Promise<readonly string[]> {
  const version = versionOf(tag);
  if (version === undefined) return [`${tag} names no version: a release is tagged v1.2.3.`];
  const git = gitIn(root);
  const text = async (name: string): Promise<string> => readFile(path.join(root, name), "utf8");
  const said = tag.slice(1);
  const [own, lock] = [JSON.parse(await text("package.json")), JSON.parse(await text("package-lock.json"))];
  const written = [own.version, lock.version, lock.packages[""].version];
  const changelog = await text("CHANGELOG.md");
  const [tagged, head] = [await git("rev-parse", `refs/tags/${tag}^{commit}`), await git("rev-parse", "HEAD")];
  const isOnMain = await git("merge-base", "--is-ancestor", head, mainBranch).then(
    () => true,
    () => false,
  );
  const dated = new RegExp(`^## \\[${said.replaceAll(".", "\\.")}\\] - \\d{4}-\\d{2}-\\d{2}$`, "mu");
  return [
    ...(written.every((one) => one === said)
      ? []
      : [
          `The tag says ${said}, package.json and package-lock.json ${written.join(", ")}: npm version ${said} --no-git-tag-version`,
        ]),
    ...(dated.test(changelog) && notesOf(changelog, said) !== undefined
      ? []
      : [`CHANGELOG.md has nothing under “## [${said}] - <date>”: put there what is under Unreleased.`]),
    ...(tagged === head ? [] : [`${tag} is ${tagged}, and checked out is ${head}.`]),
    ...(isOnMain ? [] : [`${head} is not on ${mainBranch}: merge it first.`]),
    ...(await whyNotBuilt(root)),
  ];
}

async function whyNotBuilt(root: string): Promise<readonly string[]> {
  try {
    await program("npm", ["run", "--silent", "build", "--", "--check"], { cwd: root });
    return [];
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    return [`dist/ is not what src/ gives: npm run build, and commit it.\n${said}`];
  }
}

/** Where to, and with what, tags are moved. */
interface Moving {
  readonly root: string;
  readonly tag: string;
  /** a remote's name */
  readonly remote: string;
  /** null: git's own ways to log in */
  readonly token: string | null;
}

/**
 * Moves the tag of a major version, `v1`, to the commit of one of its releases, if that is the newest one. It is a plain tag
 * and has no release of its own, because GitHub lets nobody move the tag of an immutable release.
 *
 * @returns what was done, in a sentence
 * @throws Error when the remote refuses it, or somebody else has moved it meanwhile
 */
export async function moveMajor({ root, tag, remote, token }: Moving): Promise<string> {
  const version = versionOf(tag);
  if (version === undefined) throw new Error(`${tag} names no version.`);
  const major = `v${version.numbers[0]}`;
  if (version.before !== null) return `${tag} comes before a release, so ${major} stays where it is.`;
  const git = gitIn(root);
  const url = await git("remote", "get-url", remote);
  const online = token === null ? undefined : { ...process.env, ...networkGitEnvironment({ url, token }) };
  const tags = tagsIn(await gitIn(root, online)("ls-remote", "--tags", url));
  const commit = tags.get(tag);
  if (commit === undefined) throw new Error(`${remote} has no tag ${tag}.`);
  const releases = [...tags.keys()].flatMap((name) => versionOf(name) ?? []);
  const ours = releases.filter(({ numbers, before }) => numbers[0] === version.numbers[0] && before === null);
  const newest = ours.toSorted(compare).at(-1);
  if (newest !== undefined && newest.tag !== tag)
    return `${newest.tag} is newer than ${tag}, so ${major} stays where it is.`;
  const old = tags.raw.get(`refs/tags/${major}`) ?? "";
  if (old === commit) return `${major} is at ${tag} already.`;
  const lease = `--force-with-lease=refs/tags/${major}:${old}`;
  await gitIn(root, online)("push", "--porcelain", lease, url, `${commit}:refs/tags/${major}`);
  return `${major} is now at ${tag}, ${commit}.`;
}

/** The commit of each tag, by its short name; `raw` has what each ref is at itself, which may be a tag's own object. */
function tagsIn(listed: string): ReadonlyMap<string, string> & { readonly raw: ReadonlyMap<string, string> } {
  const raw = new Map(Array.from(listed.matchAll(/^(\S+)\t(\S+)$/gmu), ([, id = "", ref = ""]) => [ref, id]));
  const names = [...raw.keys()].filter((ref) => !ref.endsWith("^{}"));
  const peeled = names.map((ref): [string, string] => [
    ref.slice("refs/tags/".length),
    raw.get(`${ref}^{}`) ?? raw.get(ref) ?? "",
  ]);
  return Object.assign(new Map(peeled), { raw });
}

function gitIn(cwd: string, env?: NodeJS.ProcessEnv) {
  return async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await program("git", [...args], { cwd, ...(env && { env }) });
    return stdout.trim();
  };
}

async function main([command = "", tag = ""]: readonly string[]): Promise<void> {
  const root = path.join(import.meta.dirname, "..");
  switch (command) {
    case "check": {
      const why = await whyNoRelease(root, tag, "origin/main");
      for (const line of why) console.error(line);
      if (why.length > 0) throw new Error(`${tag} was not released, and nothing was changed.`);
      return console.log(`${tag}: version, changelog, dist/ and branch agree.`);
    }
    case "notes": {
      const notes = notesOf(await readFile(path.join(root, "CHANGELOG.md"), "utf8"), tag.slice(1));
      if (notes === undefined) throw new Error(`CHANGELOG.md says nothing of ${tag}.`);
      return console.log(notes);
    }
    case "move":
      return console.log(await moveMajor({ root, tag, remote: "origin", token: process.env["GITHUB_TOKEN"] ?? null }));
    default:
      throw new Error("Say check, notes or move, and the tag.");
  }
}

if (import.meta.main) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
