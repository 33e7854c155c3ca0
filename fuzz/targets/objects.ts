import { createHash } from "node:crypto";
import { OperationalError } from "../../src/core/errors.ts";
import { Answers, commitOf, differencesOf, type ReadTrue, rootsOf, sidesAt } from "../../src/git/true-trees.ts";
import { mutatedBytes } from "../mutate.ts";
import { hold, target, unlessLater } from "../target.ts";

function idOf(type: string, content: string): string {
  return createHash("sha1").update(`${type} ${content.length}\0${content}`, "latin1").digest("hex");
}

function said(type: string, content: string): string {
  return `${idOf(type, content)} ${type} ${content.length}\n${content}\n`;
}

const BLOB = idOf("blob", "hello\n");
const RAW = Buffer.from(BLOB, "hex").toString("latin1");
const TREES = [
  `100644 a\0${RAW}100755 b.sh\0${RAW}40000 c\0${RAW}120000 d\0${RAW}160000 e\0${RAW}`,
  `100644 \u00C3\u00A9.txt\0${RAW}`,
  "",
];
const COMMITS = [
  `tree ${BLOB}\nparent ${BLOB}\nparent ${BLOB}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nfeat: a\n`,
  `tree ${BLOB}\nauthor A <a@b> 1 +0000\nencoding latin1\ngpgsig -----BEGIN\n parent ${BLOB}\n\n\u00E9\n`,
];
const ANSWERS = [
  `${said("blob", "hello\n")}${BLOB} missing\n${said("blob", "")}`,
  said("tree", TREES[0] ?? "") + said("commit", COMMITS[0] ?? ""),
];

export const objects = target({
  name: "git-objects",
  covers: [
    "git/true-trees.ts#Answers",
    "git/true-trees.ts#differencesOf",
    "git/true-trees.ts#rootsOf",
    "git/true-trees.ts#sidesAt",
    "git/true-trees.ts#commitOf",
  ],
  draw: (random) => ({
    answers: mutatedBytes(random, { seeds: ANSWERS, words: ["blob 1", "\n", "missing", "blob 99999999999999999999"] }),
    cut: 1 + random.below(40),
    room: random.below(12) - 1,
    tree: mutatedBytes(random, { seeds: TREES, words: ["\0", "/", "40000 ..\0", "40000 .git\0", "100644 a\0", RAW] }),
    commit: mutatedBytes(random, { seeds: COMMITS, words: ["\n\n", "parent ", "tree ", "encoding x\n", BLOB] }),
  }),
  async check({ answers, cut, room, tree, commit }) {
    const found = await unlessLater(OperationalError, () => answered(answers, cut, room));
    for (const [id, { type, bytes, content }] of found ?? []) {
      hold(content === undefined || (content.length === bytes && idOf(type, content) === id), "a content is its id's");
      hold(content === undefined || bytes <= Math.max(0, room), "no more is kept than was asked for");
    }
    await unlessLater(OperationalError, () => walk(tree, commit));
  },
});

/** What is read of the answers to three questions, that come piece by piece. */
async function answered(text: string, cut: number, room: number) {
  const answers = new Answers();
  const questions = Promise.all([1, 2, 1].map((count) => answers.next(count, room).catch((error: unknown) => error)));
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += cut) answers.take(bytes.subarray(at, at + cut));
  answers.fail(new OperationalError({ code: "OVER", what: "over", next: "go on" }));
  const all = await questions;
  for (const one of all) if (one instanceof Error && !(one instanceof OperationalError)) throw one;
  return new Map(all.flatMap((one) => (one instanceof Map ? [...one] : [])));
}

/** A tree of this content is gone through from both sides; a folder in it is never here. */
async function walk(tree: string, commit: string): Promise<void> {
  const [id, named] = [idOf("tree", tree), idOf("commit", commit)];
  const objects = new Map([
    [id, { type: "tree", bytes: tree.length, content: tree }],
    [named, { type: "commit", bytes: commit.length, content: commit }],
  ]);
  const read: ReadTrue = async (ids) => new Map([...objects].filter(([one]) => ids.includes(one)));
  const [all] = await differencesOf(read, [[null, id]]);
  const names = (all ?? []).map(({ path }) => path);
  hold(
    names.every((name) => name !== "" && !/[\0/]/u.test(name)) && new Set(names).size === names.length,
    "names are names, each once",
  );
  const sides = await sidesAt(read, id, names);
  hold(
    (all ?? []).every(({ path, after }) => sides?.get(path)?.object === after.object),
    "a file is where it is listed",
  );
  const { tree: root, parents } = commitOf(named, { type: "commit", bytes: commit.length, content: commit });
  hold(
    [root, ...parents].every((one) => /^[0-9a-f]{40}$/u.test(one)),
    "a commit names ids",
  );
  hold((await rootsOf(read, [named])).get(named) === root, "its tree is its root");
}
