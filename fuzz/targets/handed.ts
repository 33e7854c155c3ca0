import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ZodError } from "zod";
import { readHandedOver } from "../../src/carry/handed-over.ts";
import { encodeManifest, type Manifest } from "../../src/carry/manifest.ts";
import { PUBLICATION_FILE } from "../../src/core/names.ts";
import { parsedJson } from "../../src/core/text.ts";
import { HANDED_REF, readBundleHeader } from "../../src/git/handed-commits.ts";
import { otherVersions } from "../../src/git/work-tree/other-version.ts";
import { sha256 } from "../../src/os/digest.ts";
import { readPublication } from "../../src/store/publication-file.ts";
import { aCarriedRecord } from "../../test/support/fake-carriers.ts";
import { mutatedBytes, mutatedJson } from "../mutate.ts";
import { hold, target, unlessLater } from "../target.ts";
import { workFolder } from "../work-folder.ts";

const ID = "a".repeat(40);
const RECORD = aCarriedRecord(7);
const MANIFEST = encodeManifest({
  schema: 1,
  record: RECORD,
  sealed: false,
  origin: null,
  files: [],
} satisfies Manifest);
const PUBLICATION = JSON.stringify({
  ...{ schema: 1, run: 7, state: "b".repeat(64), commit: ID },
  ...{ tip: ID, head: null, withheld: null },
});
const ID_FORM = /^[0-9a-f]{40}$/u;

/** A folder with one file, gone afterwards. */
async function inFolder(name: string, text: string, act: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(workFolder(), "handed-"));
  try {
    writeFileSync(path.join(folder, name), text);
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const handedRecords = target({
  name: "handed-records",
  covers: ["carry/handed-over.ts#readHandedOver"],
  draw: (random) => mutatedJson(random, { seeds: [MANIFEST], words: ["later", "completed", "success_command"] }),
  async check(text) {
    await inFolder("carried.json", text, async (folder) => {
      const bundle = { folder, record: RECORD, digest: sha256(text) };
      const read = await unlessLater(ZodError, () => readHandedOver(bundle));
      hold(read === undefined || /^[0-9a-f]{64}$/u.test(read.stateDigest), "a record that is read has a digest");
      hold(read === undefined || !/\p{Cc}/u.test(read.why ?? ""), "why is one plain line");
    });
  },
});

export const publications = target({
  name: "publications",
  covers: ["store/publication-file.ts#readPublication"],
  draw: (random) => mutatedJson(random, { seeds: [PUBLICATION], words: [ID, "secret", "protected", "../x", "-x"] }),
  async check(text) {
    await inFolder(PUBLICATION_FILE, text, async (folder) => {
      const read = await readPublication(folder);
      if (read === undefined) return;
      const ids = [read.commit, read.tip, read.head].filter((id) => id !== null);
      hold(
        ids.every((id) => ID_FORM.test(id)),
        "what it names are ids of commits",
      );
      hold(Number.isSafeInteger(read.run) && read.run > 0, "its run is a number");
    });
  },
});

const REPLACED = JSON.stringify({
  top: "/w",
  files: [
    { name: "AGENTS.md", theirs: { mode: "100644", content: "YQ==" }, ours: null },
    { name: "a/.codex/b", theirs: null, ours: { mode: "120000", content: "YQ==" } },
  ],
  folders: ["a", "a/.codex"],
});

export const replacedFiles = target({
  name: "replaced-files",
  covers: ["git/work-tree/other-version.ts#otherVersions"],
  draw: (random) => mutatedJson(random, { seeds: [REPLACED], words: ["../x", "/etc/passwd", "a/../../x", "160000"] }),
  check(text) {
    const { data } = otherVersions.safeParse(parsedJson(text));
    for (const name of [...(data?.files.map((file) => file.name) ?? []), ...(data?.folders ?? [])]) {
      hold(`${path.resolve("/w", name)}/`.startsWith("/w/"), "nothing outside of the work tree is named");
    }
  },
});

const BUNDLE = `# v2 git bundle\n-${ID} base\n${ID} ${HANDED_REF}\n\nPACK`;

export const bundleHeaders = target({
  name: "bundle-headers",
  covers: ["git/handed-commits.ts#readBundleHeader"],
  draw: (random) =>
    mutatedBytes(random, {
      seeds: [BUNDLE],
      words: [`${ID} refs/heads/main\n`, `-${ID}\n`, "\n\n", "# v3 git bundle\n"],
    }),
  check(bytes) {
    const read = readBundleHeader(Buffer.from(bytes, "latin1"));
    if (read === undefined) return;
    hold(
      [read.id, ...read.bases].every((id) => ID_FORM.test(id)),
      "what it names are ids of commits",
    );
    hold(read.bases.length <= 8 && !read.ref.includes("\n"), "it has few bases and one ref");
    hold(read.length <= 4096 && bytes.slice(0, read.length).endsWith("\n\n"), "it ends where the objects begin");
  },
});
