import { existsSync } from "node:fs";
import { appendFile, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Provider } from "../../src/core/ports.ts";
import { CommitFiles } from "../../src/git/commit-files.ts";
import { findRepository } from "../../src/git/repository.ts";
import { instructionsOf, putInstructionsBack } from "../../src/job/instructions.ts";
import type { HandOver } from "../../src/store/hand-over.ts";
import { aTurnRequest } from "../contract/provider-contract.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const content = (text: string) => ({ mode: "100644" as const, content: Buffer.from(text).toString("base64") });

type Displaced = NonNullable<HandOver["displaced"]>;

/** What is displaced, in memory. */
function displacing(instructions: Displaced["instructions"]) {
  let displaced: Displaced = { credentials: null, instructions, secrets: [] };
  return {
    get displaced() {
      return displaced;
    },
    displace: async (change: Partial<Displaced>) => void (displaced = { ...displaced, ...change }),
  };
}

test("what a turn has replaced is put back, once [T8]", async () => {
  await using folder = await tempFolder("job-");
  const files = [{ name: "pkg/AGENTS.md", theirs: null, ours: content("ours\n") }];
  const handOver = displacing({ top: folder.path, files: [...files], folders: [] });
  const said: string[] = [];
  await putInstructionsBack(handOver, (text) => said.push(text));
  const file = path.join(folder.path, "pkg/AGENTS.md");
  expect(await readFile(file, "utf8")).toBe("ours\n");
  expect(handOver.displaced.instructions).toBeNull();
  await rm(file);
  await putInstructionsBack(handOver, (text) => said.push(text));
  expect(existsSync(file)).toBe(false);
  expect(said).toEqual([]);
});

test("where nothing proves what was replaced, nothing is written [T8, T14]", async () => {
  const displace = async () => expect.unreachable();
  await putInstructionsBack({ displaced: undefined, displace }, () => expect.unreachable());
});

/** A job on a checkout whose base is its first commit, and what its turns see of the instructions. */
async function working(base: Record<string, string>, failing?: Error) {
  const stack = new AsyncDisposableStack();
  const repo = stack.use(await gitRepository(base));
  const own = stack.use(await tempFolder("own-"));
  const repository = await findRepository(repo.path);
  if (repository === undefined) throw new Error("there is no repository");
  const use = { repository, folder: path.join(own.path, "base"), url: "http://127.0.0.1:9/o/r", token: null };
  const first = await repo.git("rev-parse", "HEAD");
  const seen: (string | null)[] = [];
  const read = (name: string) => readFile(path.join(repo.path, name), "utf8").catch(() => null);
  const provider: Provider = {
    name: "test",
    preflight: async () => undefined,
    // oxlint-disable-next-line require-yield
    async *runTurn() {
      seen.push(await read("AGENTS.md"), await read(".codex/config.toml"));
      if (failing !== undefined) throw failing;
    },
  };
  const said: string[] = [];
  const handOver = displacing(null);
  const begin = async () => {
    const files = async () => CommitFiles.open({ ...use, mark: "test" }, first);
    const place = { root: repo.path, stateFile: path.join(own.path, "a.json"), folder: path.join(own.path, "a") };
    const steered = await instructionsOf({ files }, { handOver, config: { protectedPaths: [] }, place }, (text) =>
      said.push(text),
    );
    return async () => {
      // oxlint-disable-next-line no-unused-vars
      for await (const _ of steered(provider).runTurn(aTurnRequest(), new AbortController().signal));
    };
  };
  return { repo, seen, said, read, begin, handOver, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("what a check or a turn has written steers no later turn, ignored or not, and is told once [T8]", async () => {
  await using at = await working({ "AGENTS.md": "base\n" });
  const turn = await at.begin();
  const attack = async () => {
    await appendFile(path.join(at.repo.path, ".git/info/exclude"), ".codex\nAGENTS.md\n");
    await at.repo.write("AGENTS.md", "evil\n");
    await at.repo.write(".codex/config.toml", "evil\n");
  };
  await attack();
  await turn();
  expect([await at.read("AGENTS.md"), await at.read(".codex/config.toml")]).toEqual(["base\n", null]);
  await attack();
  await turn();
  expect(at.seen).toEqual(["base\n", null, "base\n", null]);
  expect(at.said).toEqual([expect.stringContaining("a check or a turn: AGENTS.md, .codex/config.toml.")]);
});

test("all names that differ are told, however many: none hides behind others [T8]", async () => {
  await using at = await working({ "AGENTS.md": "base\n" });
  const names = ["a", "b", "c", "d", "e"].map((folder) => `${folder}/AGENTS.md`);
  for (const name of names) await at.repo.write(name, "evil\n");
  await at.begin();
  const [, told = ""] = /, the base: (.*)\. While the agent works/u.exec(at.said.join("\n")) ?? [];
  expect(told.split(", ").toSorted()).toEqual(names);
});

test("what lay there when the run began is put back after each turn, whatever was written over it [T8]", async () => {
  await using at = await working({ "AGENTS.md": "base\n" });
  await at.repo.write(".codex/config.toml", "a step's\n");
  const turn = await at.begin();
  await turn();
  expect(await at.read(".codex/config.toml")).toBe("a step's\n");
  await at.repo.write(".codex/config.toml", "evil\n");
  await turn();
  expect(await at.read(".codex/config.toml")).toBe("a step's\n");
  expect(at.seen).toEqual(["base\n", null, "base\n", null]);
});

test("what the checkout has by now, because others have merged it, is put back and not undone [T8]", async () => {
  await using at = await working({ "AGENTS.md": "base\n" });
  const turn = await at.begin();
  await at.repo.write("AGENTS.md", "merged\n");
  await at.repo.git("commit", "-qam", "merged");
  await turn();
  expect(at.seen).toEqual(["base\n", null]);
  expect(await at.read("AGENTS.md")).toBe("merged\n");
  expect(at.said).toEqual([]);
});

test("why a turn failed is what is thrown, also where what it had replaced cannot be written down as back [T8]", async () => {
  await using at = await working({ "AGENTS.md": "base\n" }, new Error("the turn's own error"));
  await at.repo.write("AGENTS.md", "ours\n");
  const turn = await at.begin();
  const { displace } = at.handOver;
  at.handOver.displace = async (change) => {
    if (change.instructions === null) throw new Error("no space left");
    await displace(change);
  };
  await expect(turn()).rejects.toThrow("the turn's own error");
  expect(at.said.at(-1)).toBe("no space left");
  expect(await at.read("AGENTS.md")).toBe("ours\n");
});
