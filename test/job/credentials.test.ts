import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { appendFile, chmod, link, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { withoutCredentials } from "../../src/job/credentials.ts";
import { isRunning } from "../../src/os/process-tree.ts";
import { SecretValues } from "../../src/os/secrets.ts";
import { type GitRepository, gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import {
  aJob,
  begin,
  configured,
  ENCODED,
  FORMED,
  HEADER,
  KEY,
  leaks,
  read,
  SECRETS,
  TOKEN,
} from "./credentials-stage.ts";

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
  [
    "a checkout many folders deep",
    async (repository) => {
      await repository.git("init", "-q", "a/b/c/d/e/f/g/h/i");
      await repository.git("-C", path.join(repository.path, "a/b/c/d/e/f/g/h/i"), "config", KEY, HEADER);
    },
  ],
  [
    "a configuration that something has filled with comments",
    async (repository) => {
      await repository.git("config", KEY, HEADER);
      await appendFile(path.join(repository.path, ".git/config"), "# filled\n".repeat(200_000));
    },
  ],
  [
    "a key for SSH as an option, and one that a configuration of SSH names",
    async (repository, temp) => {
      for (const name of ["key1", "key2"]) await writeFile(path.join(temp, name), "PRIVATE KEY", { mode: 0o600 });
      await writeFile(path.join(temp, "ssh"), `Host *\n  IdentityFile ${temp}/key2\n`);
      await repository.git("config", "core.sshCommand", `ssh -o IdentityFile=${temp}/key1 -F ${temp}/ssh`);
    },
  ],
  [
    "a key for TLS, and a program that asks for a password",
    async (repository, temp) => {
      await writeFile(path.join(temp, "key.pem"), "PRIVATE KEY", { mode: 0o600 });
      await writeFile(path.join(temp, "ask"), `#!/bin/sh\necho ${TOKEN}\n`, { mode: 0o700 });
      await repository.git("config", "http.https://github.com/.sslKey", path.join(temp, "key.pem"));
      await repository.git("config", "core.askPass", path.join(temp, "ask"));
    },
  ],
  ...[
    "lfs.url",
    "lfs.pushurl",
    "remote.o.lfsurl",
    "remote.pushDefault",
    "branch.main.remote",
    "branch.x.pushRemote",
  ].map((key): Form => [
    `user data in ${key}`,
    (repository) => repository.git("config", key, `https://x-access-token:${TOKEN}@github.com/o/r.git`),
  ]),
  ["user data with another @", (repository) => repository.git("config", "remote.o.url", `https://u:a@${TOKEN}@h/o/r`)],
  ["user data in a command", (repository) => repository.git("config", "alias.f", `!curl https://u:${TOKEN}@h/ -s`)],
  ["a password by name", (repository) => repository.git("config", "sendemail.work.smtpPass", TOKEN)],
  ["a token by its form", (repository) => repository.git("config", "some.thing", `for ${FORMED}`)],
];

/** as an address has it */
const ESCAPED = "pass%2Fword%2B123";

describe("credentials that the checkout has left", () => {
  test.each(FORMS)(
    "in the form of %s are out while the agent works, and back afterwards [T13]",
    async (name, plant) => {
      await using job = await aJob();
      await plant(job.repository, job.temp);
      const before = await leaks(job.repository.path, job.temp);
      const settings = await configured(job.repository);
      expect(before).not.toEqual([]);
      const seen = await withoutCredentials(job.taking, async (secrets) => ({
        secrets: new SecretValues(secrets, false),
        found: await leaks(job.repository.path, job.temp),
        settings: await configured(job.repository),
      }));
      expect(seen.found).toEqual([]);
      // Private keys are known by their form.
      const isHidden = [TOKEN, ENCODED, FORMED, `a@${TOKEN}`].some((secret) => seen.secrets.areIn(`x ${secret} y`));
      expect(isHidden).toBe(!/SSH/u.test(name));
      for (const secret of SECRETS) expect(seen.settings).not.toContain(secret);
      expect(await leaks(job.repository.path, job.temp)).toEqual(before);
      expect((await configured(job.repository)).split("\n").toSorted()).toEqual(settings.split("\n").toSorted());
      expect(job.said).toEqual([expect.stringContaining("keeps credentials where the agent could read them")]);
      expect(job.said.join("")).not.toContain(TOKEN);
      expect(job.taking.handOver.displaced?.credentials).toBeNull();
    },
  );

  test.for<[where: string, cd: string, other: string]>([
    ["beside the one that the loop works in", "a", "b"],
    ["around it", "a", "."],
  ])("those of a checkout %s are out as well [T13]", async ([, cd, other]) => {
    await using job = await aJob();
    for (const name of new Set([cd, other])) await job.repository.git("init", "-q", name);
    const there = path.join(job.repository.path, other);
    await job.repository.git("-C", there, "config", KEY, HEADER);
    const taking = { ...job.taking, root: path.join(job.repository.path, cd) };
    await withoutCredentials(taking, async () => expect(await leaks(there)).toEqual([]));
    expect(await job.repository.git("-C", there, "config", KEY)).toBe(HEADER);
  });

  test("those of a bare repository are out, but where it is part of a work tree, which is told [T13]", async () => {
    await using job = await aJob();
    await using workspace = await tempFolder("workspace-");
    const bare = path.join(workspace.path, "bare.git");
    await job.repository.git("init", "-q", "--bare", bare);
    await job.repository.git("-C", bare, "config", KEY, HEADER);
    const taking = { ...job.taking, context: { ...job.taking.context, workspace: workspace.path } };
    await withoutCredentials(taking, async () => expect(await leaks(workspace.path)).toEqual([]));
    expect(await leaks(workspace.path)).toEqual(["bare.git/config"]);
    await job.repository.git("init", "-q", workspace.path);
    job.said.length = 0;
    await withoutCredentials(taking, async () => expect(await leaks(workspace.path)).toEqual(["bare.git/config"]));
    expect(job.said).toEqual([expect.stringMatching(/stay where they are.*bare\.git\/config/u)]);
  });

  test("a configuration that is too long to look at refuses the run, and what git cannot read is told [T13]", async () => {
    await using job = await aJob();
    await job.repository.git("init", "-q", "other");
    await appendFile(path.join(job.repository.path, "other/.git/config"), "[http\nextraheader = x\n");
    await withoutCredentials(job.taking, async () => {});
    expect(job.said).toEqual([expect.stringMatching(/not looked at.*other\/\.git\/config/u)]);
    await job.repository.git("config", KEY, HEADER);
    await appendFile(path.join(job.repository.path, ".git/config"), "#".repeat(1 << 24));
    const begun = withoutCredentials(job.taking, async () => expect.unreachable());
    await expect(begun).rejects.toMatchObject({ code: "CREDENTIALS_UNREADABLE" });
  });

  test("more folders than are looked at are told, and do not hide those at the top [T13]", async () => {
    await using job = await aJob();
    await job.repository.git("config", KEY, HEADER);
    const many = Array.from({ length: 10_001 }, (_, nth) => path.join(job.repository.path, `.${nth}`));
    for (const folder of many) mkdirSync(folder);
    const git = path.join(job.repository.path, ".git");
    await withoutCredentials(job.taking, async () => expect(await leaks(git)).toEqual([]));
    expect(job.said).toContainEqual(expect.stringContaining("more folders than are looked at"));
  });

  test("a pointer that nothing proves in another checkout is told, and the run goes on [T12, T13]", async () => {
    await using job = await aJob();
    await using elsewhere = await gitRepository();
    await elsewhere.git("config", KEY, HEADER);
    await job.repository.write("other/.git", `gitdir: ${path.join(elsewhere.path, ".git")}\n`);
    await withoutCredentials(job.taking, async () => expect(await leaks(elsewhere.path)).toEqual([".git/config"]));
    expect(job.said).toEqual([expect.stringMatching(/not looked at.*other\/\.git/u)]);
  });

  test("what else is written of a token, such as in a comment, is told [T13]", async () => {
    await using job = await aJob();
    await job.repository.git("config", KEY, HEADER);
    await appendFile(path.join(job.repository.path, ".git/config"), `# was ${HEADER}\n`);
    await withoutCredentials(job.taking, async () => {});
    expect(job.said).toContainEqual(expect.stringMatching(/stay where they are.*\.git\/config/u));
  });

  test("a token is known as it is written and as it is meant; names, hosts and users are not secret [T16, T24]", async () => {
    await using job = await aJob();
    await job.repository.git("config", KEY, HEADER);
    await job.repository.git(
      "config",
      "remote.o.url",
      `https://somebody.with.a.name:${ESCAPED}@dev.example.com/o/r.git`,
    );
    await job.repository.git("config", "remote.p.url", "https://organisation@dev.example.com/organisation/r.git");
    await job.repository.git("config", "credential.https://example.com.username", "somebody.with.a.name");
    const known = [TOKEN, `x-access-token:${TOKEN}`, ENCODED, ESCAPED, decodeURIComponent(ESCAPED)];
    await withoutCredentials(job.taking, async (secrets) => expect(secrets).toEqual(expect.arrayContaining(known)));
    const { secrets = [] } = (await read(job.env)).displaced ?? {};
    expect(secrets).toEqual(expect.arrayContaining(known));
    const post = (await read(job.env)).configWith(job.env);
    expect(post?.environmentSecrets).toEqual(expect.arrayContaining(known));
    for (const shown of ["somebody.with.a.name", "organisation", "dev.example.com", "x-access-token", "AUTHORIZATION"])
      expect(secrets).not.toContain(shown);
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
    await withoutCredentials(job.taking, async () => {
      const [step = ""] = await readdir(path.join(job.temp, "smithers/hand-over"));
      expect(await readdir(path.join(job.temp, "smithers/hand-over", step))).toEqual(["hand-over.json"]);
    });
    expect(await readFile(config, "utf8")).toBe(before);
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
    await withoutCredentials(job.taking, async (secrets) => {
      expect(await leaks(home.path)).toEqual(["included"]);
      expect(secrets).toContain(TOKEN);
    });
    expect(job.said).toEqual([expect.stringContaining(path.join(home.path, "included"))]);
  });
});

test("what an agent has started is gone before credentials are back, also where it has dropped our mark [T13]", async () => {
  await using job = await aJob();
  await job.repository.git("config", KEY, HEADER);
  const id = `github_${randomUUID()}`;
  const env = { ...job.env, RUNNER_TRACKING_ID: id };
  const taking = { ...job.taking, handOver: await begin(env) };
  const left = path.join(job.temp, "left");
  const watch = `echo $$ >'${left}'; until git config ${KEY} >'${left}.seen'; do sleep 0.005; done; exec sleep 300`;
  await withoutCredentials(taking, async () => {
    const script = `setsid sh -c "$0" & while [ ! -s '${left}' ]; do :; done`;
    const turn = spawn("sh", ["-c", script, watch], {
      ...{ cwd: job.repository.path, env: { PATH: env.PATH, RUNNER_TRACKING_ID: id }, stdio: "ignore" },
    });
    await once(turn, "exit");
  });
  const pid = Number(await readFile(left, "utf8"));
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, "SIGKILL")));
  expect(await job.repository.git("config", KEY)).toBe(HEADER);
  expect([isRunning(pid), await readFile(`${left}.seen`, "utf8")]).toEqual([false, ""]);
});

test("why the run failed is what is thrown, also where its hand-over cannot be written any more [T13]", async () => {
  await using job = await aJob();
  await job.repository.git("config", KEY, HEADER);
  const { handOver } = job.taking;
  const full = {
    ...{ job: undefined, isProvable: true },
    get displaced() {
      return handOver.displaced;
    },
    displace: async (change: Parameters<typeof handOver.displace>[0]) => {
      if (change.credentials === null) throw new Error("no space left");
      await handOver.displace(change);
    },
  };
  const taking = { ...job.taking, handOver: full };
  const failing = withoutCredentials(taking, async () => Promise.reject(new Error("the run's own error")));
  await expect(failing).rejects.toThrow("the run's own error");
  expect(job.said.at(-1)).toContain("no space left");
  expect(await job.repository.git("config", KEY)).toBe(HEADER);
  await expect(withoutCredentials(taking, async () => {})).rejects.toThrow("no space left");
});
