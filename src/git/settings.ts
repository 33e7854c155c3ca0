import path from "node:path";
import { nulFields, personalGitEnvironment, quotedForGit } from "./git.ts";
import type { Repository } from "./repository.ts";
import { startGit } from "./start-git.ts";

/** Who a commit of ours is by. */
export interface Author {
  readonly name: string;
  readonly email: string;
  /** `git`: the person's environment and configuration; `fallback`: these do not say it */
  readonly source: "git" | "fallback";
}

/** What of the person's configuration our own git directory takes over: plain data, nothing that names a program. */
export interface GitSettings {
  /** the text of a git configuration file */
  readonly config: string;
  readonly objectFormat: "sha1" | "sha256";
  readonly author: Author;
  readonly committer: Author;
}

const WORD = /^[a-z0-9]{1,12}$/u;
/** What decides how a file's bytes and mode become an object. */
const WORDS = ["autocrlf", "eol", "filemode", "ignorecase", "precomposeunicode", "sharedrepository", "symlinks"];
/** Files that only list patterns. */
const FILES = ["excludesfile", "attributesfile"];

const FALLBACK: Author = { name: "smithers", email: "smithers@localhost", source: "fallback" };

/** Ours; the private directory knows no remote, no filter, no hook, and is never packed. */
const OWN = {
  bare: "false",
  logallrefupdates: "false",
  untrackedcache: "false",
  splitindex: "false",
  loosecompression: "1",
  // A file name that is dangerous elsewhere must not keep us from measuring here.
  protectntfs: "false",
  protecthfs: "false",
};

/** Reads the person's effective git configuration for `repository`; of their environment only who they are. */
export async function readSettings(repository: Repository, env: NodeJS.ProcessEnv = process.env): Promise<GitSettings> {
  const ours = { ...personalGitEnvironment(env), GIT_DIR: repository.gitDir };
  const listed = await startGit(["config", "--null", "--list"], { cwd: repository.top, env: ours });
  const values = new Map<string, string>();
  for (const field of nulFields(Buffer.from(listed.stdout, "latin1").toString("utf8"))) {
    const [key = "", ...value] = field.split("\n");
    // A key without "=" is a boolean that is true.
    values.set(key, value.length === 0 ? "true" : value.join("\n"));
  }
  const objectFormat = values.get("extensions.objectformat") === "sha256" ? "sha256" : "sha1";
  return {
    config: configText(values, objectFormat, repository.top),
    objectFormat,
    author: identityOf("author", values, env),
    committer: identityOf("committer", values, env),
  };
}

function configText(values: ReadonlyMap<string, string>, objectFormat: string, top: string): string {
  const core: Record<string, string> = { repositoryformatversion: objectFormat === "sha1" ? "0" : "1", ...OWN };
  for (const name of WORDS) {
    const value = values.get(`core.${name}`)?.toLowerCase();
    if (value !== undefined && WORD.test(value)) core[name] = value;
  }
  for (const name of FILES) {
    const value = values.get(`core.${name}`);
    if (value !== undefined && value !== "") core[name] = path.resolve(top, expandHome(value));
  }
  const lines = Object.entries(core).map(([name, value]) => `\t${name} = ${quotedForGit(value)}\n`);
  const extensions = objectFormat === "sha1" ? "" : `[extensions]\n\tobjectformat = ${objectFormat}\n`;
  return `[core]\n${lines.join("")}[index]\n\tsparse = false\n[gc]\n\tauto = 0\n${extensions}`;
}

/** The environment outranks what is said for the role, and that what is said for the person, as in git. */
function identityOf(role: "author" | "committer", values: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Author {
  const said = (what: "name" | "email"): string | undefined =>
    [env[`GIT_${role}_${what}`.toUpperCase()], values.get(`${role}.${what}`), values.get(`user.${what}`)]
      .map((text) => text?.trim())
      .find((text) => text !== undefined && text !== "");
  const [name, email] = [said("name"), said("email")];
  return name === undefined || email === undefined ? FALLBACK : { name, email, source: "git" };
}

function expandHome(file: string): string {
  const home = process.env["HOME"];
  return file.startsWith("~/") && home !== undefined ? path.join(home, file.slice(2)) : file;
}
