import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, link, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { putCredentialsBack, withoutCredentials } from "../../src/job/credentials.ts";
import { type GitRepository, gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const TOKEN = "ghs_0123456789abcdefCANARY";
const HEADER = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${TOKEN}`).toString("base64")}`;
const KEY = "http.https://github.com/.extraheader";
const SECRETS = [TOKEN, HEADER, "PRIVATE KEY"];

/** A job's workspace with its repository, and the runner's temporary folder. */
async function aJob() {
  const repository = await gitRepository();
  const temp = await tempFolder("temp-");
  const said: string[] = [];
  const context = { temp: temp.path, step: "__self" };
  const notice = (text: string): void => void said.push(text);
  const taking = { context, root: repository.path, mark: "no-such-mark", notice };
  return {
    ...{ repository, temp: temp.path, said, context, notice, taking },
    async [Symbol.asyncDispose]() {
      await repository[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}

/** The files that hold a secret, in the places that an agent without isolation can read, but for our own record. */
async function leaks(...folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile() || file.includes("/smithers/credentials.")) continue;
      const text = await readFile(file, "latin1");
      if (SECRETS.some((secret) => text.includes(secret))) found.push(path.relative(folder, file));
    }
  }
  return found.toSorted();
}

/** Everything that git itself finds configured, as it uses it. */
async function configured(repository: GitRepository): Promise<string> {
  return repository.git("config", "--list", "--includes");
}

type Form = readonly [name: string, plant: (repository: GitRepository, temp: string) => Promise<unknown>];

const FORMS: readonly Form[] = [
  ["a header in the configuration", (repository) => repository.git("config", KEY, HEADER)],
  [
    "a header for each of several values",
    async (repository) => {
      await repository.git("config", "--add", KEY, HEADER);
      await repository.git("config", "--add", KEY, `${HEADER}2`);
    },
  ],
  [
    "a file in the runner's temporary folder, included for this git directory and for another",
    async (repository, temp) => {
      const file = path.join(temp, "git-credentials-0a1b.config");
      await repository.git("config", "--file", file, KEY, HEADER);
      const dir = path.join(repository.path, ".git");
      await repository.git("config", `includeIf.gitdir:${dir}.path`, file);
      await repository.git("config", `includeIf.gitdir:${dir}/worktrees/*.path`, file);
      await repository.git("config", "includeIf.gitdir:/github/workspace/.git.path", "/github/runner_temp/x.config");
    },
  ],
  [
    "user data in the URL of a remote, and its push URL",
    async (repository) => {
      await repository.git("remote", "add", "origin", `https://x-access-token:${TOKEN}@github.com/o/r.git`);
      await repository.git("remote", "set-url", "--push", "origin", `https://${TOKEN}@github.com/o/r.git`);
    },
  ],
  [
    "a store of a credential helper",
    async (repository, temp) => {
      await writeFile(path.join(temp, "store"), `https://x:${TOKEN}@github.com\n`);
      await chmod(path.join(temp, "store"), 0o640);
      await repository.git("config", "credential.helper", `store --file=${path.join(temp, "store")}`);
    },
  ],
  [
    "a helper that says it itself",
    (repository) => repository.git("config", "credential.https://github.com.helper", `!echo "password=${TOKEN}"; #`),
  ],
  [
    "a rewritten URL",
    (repository) => repository.git("config", `url.https://x:${TOKEN}@github.com/.insteadOf`, "https://github.com/"),
  ],
  [
    "a key for SSH",
    async (repository, temp) => {
      await writeFile(path.join(temp, "ssh-key"), "PRIVATE KEY", { mode: 0o600 });
      await repository.git("config", "core.sshCommand", `"/usr/bin/ssh" -i "${temp}/ssh-key" -o CheckHostIP=no`);
    },
  ],
  [
    "a submodule's git directory",
    async (repository) => {
      await repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "./", "lib/sub");
      await repository.git("-C", path.join(repository.path, "lib/sub"), "config", KEY, HEADER);
    },
  ],
  [
    "a work tree of its own configuration",
    async (repository) => {
      await repository.git("config", "extensions.worktreeConfig", "true");
      await repository.git("worktree", "add", "-q", "tree");
      await repository.git("-C", path.join(repository.path, "tree"), "config", "--worktree", KEY, HEADER);
    },
  ],
  [
    "another checkout below the workspace",
    async (repository) => {
      await repository.git("init", "-q", "other/deep");
      await repository.git("-C", path.join(repository.path, "other/deep"), "config", KEY, HEADER);
    },
  ],
];

describe("credentials that the checkout has left", () => {
  test.each(FORMS)("in the form of %s are out while the agent works, and back afterwards [T13]", async (_, plant) => {
    await using job = await aJob();
    await plant(job.repository, job.temp);
    const before = await leaks(job.repository.path, job.temp);
    const settings = await configured(job.repository);
    expect(before).not.toEqual([]);
    const seen = await withoutCredentials(job.taking, async () => ({
      found: await leaks(job.repository.path, job.temp),
      settings: await configured(job.repository),
    }));
    expect(seen.found).toEqual([]);
    for (const secret of SECRETS) expect(seen.settings).not.toContain(secret);
    expect(await leaks(job.repository.path, job.temp)).toEqual(before);
    expect((await configured(job.repository)).split("\n").toSorted()).toEqual(settings.split("\n").toSorted());
    expect(job.said).toEqual([expect.stringContaining("keeps credentials where the agent could read them")]);
    expect(job.said.join("")).not.toContain(TOKEN);
    expect(await readdir(path.join(job.temp, "smithers"))).toEqual([]);
  });

  test("what this user's own git configuration holds stays, and is told; a helper of the system is not [T13]", async () => {
    await using job = await aJob();
    await using home = await tempFolder("home-");
    const file = path.join(home.path, ".gitconfig");
    const taking = { ...job.taking, home: home.path };
    await writeFile(file, "[credential]\n\thelper = osxkeychain\n[safe]\n\tdirectory = /x\n");
    await withoutCredentials(taking, async () => {});
    expect(job.said).toEqual([]);
    await writeFile(file, `[url "https://x:${TOKEN}@github.com/"]\n\tinsteadOf = https://github.com/\n`);
    const before = await readFile(file, "utf8");
    await withoutCredentials(taking, async () => expect(await readFile(file, "utf8")).toBe(before));
    expect(job.said).toEqual([expect.stringContaining(file)]);
    expect(job.said.join("")).not.toContain(TOKEN);
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test("where there are none, nothing is said or written [T13]", async () => {
    await using job = await aJob();
    await job.repository.git("remote", "add", "origin", "git@github.com:o/r.git");
    const config = path.join(job.repository.path, ".git/config");
    const before = await readFile(config, "utf8");
    await withoutCredentials(job.taking, async () => expect(await readdir(job.temp)).toEqual([]));
    expect(await readFile(config, "utf8")).toBe(before);
    expect(job.said).toEqual([]);
  });

  test("post puts back what a killed main has taken out, and only this user can read it meanwhile [T13]", async () => {
    await using job = await aJob();
    await job.repository.git("config", KEY, HEADER);
    const program = `
      import { withoutCredentials } from ${JSON.stringify(path.resolve("src/job/credentials.ts"))};
      const taking = JSON.parse(process.argv[1]);
      await withoutCredentials({ ...taking, notice() {} }, () => {
        console.log("out");
        return new Promise((resolve) => setInterval(resolve, 1e6));
      });`;
    const taking = JSON.stringify({ context: job.context, root: job.repository.path, mark: "no-such-mark" });
    const main = spawn(process.execPath, ["--input-type=module", "-e", program, taking]);
    await once(main.stdout, "data");
    main.kill("SIGKILL");
    await once(main, "close");
    expect(await leaks(job.repository.path)).toEqual([]);
    const [name = ""] = await readdir(path.join(job.temp, "smithers"));
    expect((await stat(path.join(job.temp, "smithers", name))).mode & 0o777).toBe(0o600);
    await putCredentialsBack(job.context, job.notice);
    expect(await job.repository.git("config", KEY)).toBe(HEADER);
    expect(await readdir(path.join(job.temp, "smithers"))).toEqual([]);
    await putCredentialsBack(job.context, job.notice);
    expect(await job.repository.git("config", "--get-all", KEY)).toBe(HEADER);
    expect(job.said).toEqual([]);
  });

  test("what the run has changed in the configuration stays [T13]", async () => {
    await using job = await aJob();
    await job.repository.git("config", KEY, HEADER);
    await withoutCredentials(job.taking, () => job.repository.git("config", "user.nickname", "agent"));
    expect(await job.repository.git("config", "user.nickname")).toBe("agent");
    expect(await job.repository.git("config", KEY)).toBe(HEADER);
  });

  test("nothing is put back through a link, a second name or over a value of the agent [T13, T14]", async () => {
    for (const plant of [
      async (config: string, copy: string) => {
        await rm(config);
        await symlink(copy, config);
      },
      async (config: string, copy: string) => {
        await rm(config);
        await link(copy, config);
      },
      async (config: string) => {
        await writeFile(
          config,
          `${await readFile(config, "utf8")}[http "https://github.com/"]\n\textraheader = evil\n`,
        );
      },
    ]) {
      await using job = await aJob();
      await job.repository.git("config", KEY, HEADER);
      const config = path.join(job.repository.path, ".git/config");
      const copy = path.join(job.temp, "copy");
      await withoutCredentials(job.taking, async () => {
        await writeFile(copy, await readFile(config));
        await plant(config, copy);
      });
      expect(await leaks(job.repository.path, job.temp)).toEqual([]);
      expect(job.said.at(-1)).toContain("could not be put back");
    }
  });

  test("a store elsewhere stays, and is told [T13]", async () => {
    await using job = await aJob();
    await using home = await tempFolder();
    await writeFile(path.join(home.path, "included"), `[http "https://github.com/"]\n\textraheader = ${HEADER}\n`);
    await job.repository.git("config", "include.path", path.join(home.path, "included"));
    await withoutCredentials(job.taking, async () => expect(await leaks(home.path)).toEqual(["included"]));
    expect(job.said).toEqual([expect.stringContaining(path.join(home.path, "included"))]);
  });
});
