import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { resolveSettings } from "../../src/config/resolve.ts";
import { readContext } from "../../src/github/context.ts";
import { HandOver } from "../../src/store/hand-over.ts";
import { jobPlaceOf } from "../../src/store/place.ts";
import { type GitRepository, gitRepository } from "../support/git-repository.ts";
import { githubContext } from "../support/runner/context.ts";
import { tempFolder } from "../support/temp-folder.ts";

export const TOKEN = "ghs_0123456789abcdefCANARY";
export const HEADER = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${TOKEN}`).toString("base64")}`;
export const KEY = "http.https://github.com/.extraheader";
/** as GitHub makes them */
export const FORMED = ["ghp", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"].join("_");
export const SECRETS = [TOKEN, FORMED, HEADER, "PRIVATE KEY"];
export const ENCODED = HEADER.split(" ").at(-1) ?? "";

/** A job's workspace with its repository, and the runner's temporary folder. */
export async function aJob() {
  const repository = await gitRepository();
  const temp = await tempFolder("temp-");
  const said: string[] = [];
  const env = {
    ...{ GITHUB_ACTIONS: "true", RUNNER_TEMP: temp.path, PATH: "/usr/bin:/bin", "INPUT_STATE-KEY": "key-of-this-step" },
    ...githubContext({ workspace: repository.path, run_id: "7", repository: "o/r" }),
  };
  const notice = (text: string): void => void said.push(text);
  const context = { temp: temp.path, workspace: repository.path };
  const taking = {
    ...{ context, root: repository.path, mark: "no-such-mark", notice },
    handOver: await begin(env),
  };
  return {
    ...{ repository, temp: temp.path, said, env, notice, taking },
    async [Symbol.asyncDispose]() {
      await repository[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}

export async function begin(env: Readonly<Record<string, string>>): Promise<HandOver> {
  const context = readContext(env);
  const { config } = resolveSettings({ flags: {}, env, inputs: env });
  return HandOver.begin(env, context, jobPlaceOf(context.temp, context.workspace, "a-loop", null), config);
}

export async function read(env: Readonly<Record<string, string>>): Promise<HandOver> {
  const handOver = await HandOver.read(env);
  if (typeof handOver === "string") throw new Error(handOver);
  return handOver;
}

/** The files that hold a secret, in the places that an agent without isolation can read. */
export async function leaks(...folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile()) continue;
      const text = await readFile(file, "latin1");
      if (SECRETS.some((secret) => text.includes(secret))) found.push(path.relative(folder, file));
    }
  }
  return found.toSorted();
}

/** Everything that git itself finds configured, as it uses it. */
export async function configured(repository: GitRepository): Promise<string> {
  return repository.git("config", "--list", "--includes");
}
