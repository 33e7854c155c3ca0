import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openBundle } from "../../src/carry/bundle.ts";
import { openZip } from "../../src/carry/zip-archive.ts";
import { OperationalError } from "../../src/core/errors.ts";
import { seal, SealError, unseal, unsealFile } from "../../src/os/seal.ts";
import { digestFile, sha256 } from "../../src/os/digest.ts";
import { decodeManifest, encodeManifest, type Manifest } from "../../src/carry/manifest.ts";
import { aCarriedRecord } from "../../test/support/fake-carriers.ts";
import { zipped } from "../../test/support/zip.ts";
import { mutatedBytes } from "../mutate.ts";
import { hold, target, unless, unlessLater } from "../target.ts";
import { workFolder } from "../work-folder.ts";

const CONTENT = "what the loop has said\n".repeat(8);
const FILES = [{ path: "loop/events.jsonl", bytes: CONTENT.length, sha256: sha256(CONTENT) }];
const MANIFEST = encodeManifest({
  schema: 1,
  record: aCarriedRecord(7),
  sealed: false,
  origin: null,
  files: FILES,
} satisfies Manifest);
const BUNDLE = { "carried.json": Buffer.from(MANIFEST), "loop/events.jsonl": Buffer.from(CONTENT) };
const ARCHIVES = [
  zipped(BUNDLE),
  zipped({ ...BUNDLE, "../../outside": Buffer.from("x"), "/etc/x": Buffer.from("x"), "loop/": Buffer.alloc(0) }),
  zipped({ a: Buffer.from("a"), "carried.json": Buffer.from("{}") }),
].map((bytes) => bytes.toString("latin1"));
const WORDS = [
  "PK\u0001\u0002",
  "PK\u0003\u0004",
  "PK\u0005\u0006",
  "PK\u0006\u0006",
  "PK\u0006\u0007",
  "\0\0\0\0",
  "\u00FF\u00FF\u00FF\u00FF",
  "\u0008\0",
  "../../outside",
  "carried.json",
];
const LIMIT = 1_000_000;

/** A folder for one case, gone afterwards; with what is beside it, where nothing may appear. */
async function inFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const around = mkdtempSync(path.join(workFolder(), "archive-"));
  try {
    mkdirSync(path.join(around, "in"));
    await act(path.join(around, "in"));
    hold(
      readdirSync(around).every((name) => name === "in" || name === "a.zip"),
      "nothing is written elsewhere",
    );
  } finally {
    rmSync(around, { recursive: true });
  }
}

export const archives = target({
  name: "archives",
  covers: ["carry/zip-archive.ts#openZip", "carry/bundle.ts#openBundle"],
  draw: (random) => mutatedBytes(random, { seeds: ARCHIVES, words: WORDS }),
  async check(bytes) {
    await inFolder(async (folder) => {
      const file = path.join(folder, "../a.zip");
      writeFileSync(file, bytes, "latin1");
      const zip = await unlessLater(Error, () => openZip(file));
      if (zip === undefined) return;
      try {
        const named = { loopId: "a-loop", named: null, where: "the artifact" };
        const bundle = await unlessLater(OperationalError, () => openBundle({ folder, archive: zip, ...named }));
        if (bundle !== undefined) {
          const digested = await digestFile(path.join(folder, "loop/events.jsonl"), LIMIT);
          hold(bundle.record.state.loop_id === "a-loop" && digested !== undefined, "a bundle is what was saved");
        }
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        const one = await unlessLater(Error, () => zip.extract("loop/events.jsonl", folder, 100));
        hold(one === undefined || one.bytes <= 100, "a file is written up to its limit");
      } finally {
        await zip.close();
      }
    });
  },
});

const FOLDERS = [MANIFEST, MANIFEST.replace('"sealed": false', '"sealed": true')];

export const bundles = target({
  name: "bundles",
  covers: ["carry/bundle.ts#openBundle"],
  draw: (random) => ({
    manifest: random.once(3)
      ? MANIFEST
      : mutatedBytes(random, { seeds: FOLDERS, words: ["loop/", "sealed", "sha256", "bytes"] }),
    content: random.once(2) ? CONTENT : mutatedBytes(random, { seeds: [CONTENT], words: [] }),
  }),
  async check({ manifest, content }) {
    await inFolder(async (folder) => {
      mkdirSync(path.join(folder, "loop"));
      writeFileSync(path.join(folder, "carried.json"), manifest, "latin1");
      writeFileSync(path.join(folder, "loop/events.jsonl"), content, "latin1");
      const opened = await unlessLater(OperationalError, () =>
        openBundle({ folder, loopId: "a-loop", named: null, where: "the cache" }),
      );
      const names = opened === undefined ? [] : decodeManifest(manifest, "the cache").files.map((one) => one.path);
      hold(!names.includes("loop/events.jsonl") || content === CONTENT, "a file is what was saved");
    });
  },
});

const KEY = "a state key";
/** One salt, because each new one takes 20 ms; the nonce is drawn. */
const SEALED = [seal(KEY, Buffer.from("the state")), seal(KEY, Buffer.alloc(0)), seal(KEY, Buffer.from(CONTENT))];
const SALT = { from: 8, to: 24 };

export const seals = target({
  name: "seals",
  covers: ["os/seal.ts#unseal", "os/seal.ts#unsealFile"],
  // What is sealed differs in every run, so the changes are drawn and not the bytes.
  draw: (random) => ({
    which: random.below(SEALED.length),
    length: random.once(3) ? random.below(260) : null,
    changes: Array.from({ length: random.below(4) }, () => ({ at: random.below(240), xor: 1 << random.below(8) })),
    salted: random.once(2_000),
    file: random.once(20),
    more: random.once(4) ? random.text("ab\0", random.below(40)) : "",
  }),
  async check({ which, length, changes, salted, file, more }) {
    const original = SEALED[which] ?? Buffer.alloc(0);
    const bytes = Buffer.concat([original.subarray(0, length ?? original.length), Buffer.from(more)]);
    for (const { at, xor } of changes)
      if ((at < SALT.from || at >= SALT.to || salted) && at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ xor;
    const opened = unless(SealError, () => unseal(KEY, bytes));
    hold(opened === undefined || bytes.equals(original), "nothing that was altered is opened");
    hold(opened !== undefined || !bytes.equals(original), "what was sealed is opened");
    if (!file) return;
    await inFolder(async (folder) => {
      writeFileSync(path.join(folder, "s"), bytes);
      await unlessLater(SealError, () => unsealFile(KEY, path.join(folder, "s"), path.join(folder, "o")));
      hold(existsSync(path.join(folder, "o")) === bytes.equals(original), "a file appears when it is proved");
    });
  },
});
