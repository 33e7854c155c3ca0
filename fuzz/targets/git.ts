import { isDeepStrictEqual } from "node:util";
import { isBranchName } from "../../src/git/branch.ts";
import { squashedMessage } from "../../src/git/commit.ts";
import {
  decoded,
  encoded,
  foldersOf,
  indexLine,
  nulFields,
  nulTerminated,
  parseNumstat,
  parseRawDiff,
  printable,
} from "../../src/git/diff.ts";
import { parseSettings, quotedForGit } from "../../src/git/git.ts";
import { refusalSaying, remoteRefusalOf } from "../../src/git/refusal.ts";
import { parseRefs } from "../../src/git/remote-git.ts";
import { parseEnvironments, parseProcesses } from "../../src/os/process-tree.ts";
import { mutated, mutatedBytes } from "../mutate.ts";
import { hold, target } from "../target.ts";

const ZERO = "0".repeat(40);
const ID = "9daeafb9864cf43055ae93beb0afd6c7d144bfa4";
const RAW = [
  `:000000 100644 ${ZERO} ${ID} A\0new.txt\0:100644 000000 ${ID} ${ZERO} D\0old/\u00C3\u00A9.txt\0:100644 120000 ${ID} ${ID} T\0a\nb\0`,
  `:160000 160000 ${ID} ${ID} M\0sub\0:100644 100755 ${ID} ${ID} M\0x y\0`,
];
const NUMSTAT = ["3\t1\tsrc/a.ts\0-\t-\timage.png\x000\t12\ttest/a.test.ts\0", "1\t1\ta\tb\nc\0"];

export const diffs = target({
  name: "git-diffs",
  covers: [
    "git/diff.ts#parseRawDiff",
    "git/diff.ts#parseNumstat",
    "git/diff.ts#nulFields",
    "git/diff.ts#decoded",
    "git/diff.ts#printable",
  ],
  draw: (random) => ({
    raw: mutatedBytes(random, { seeds: RAW, words: ["\0", ":", " ", ID, "100644", "U"] }),
    counts: mutatedBytes(random, { seeds: NUMSTAT, words: ["\0", "\t", "-\t-\t", "\n"] }),
  }),
  check({ raw, counts }) {
    const changes = parseRawDiff(raw);
    const text = changes
      .map(
        ({ path, before, after, status }) =>
          `:${before.mode} ${after.mode} ${before.object} ${after.object} ${status}\0${path}\0`,
      )
      .join("");
    hold(isDeepStrictEqual(parseRawDiff(text), changes), "changes are read as they were written");
    for (const { path, after } of changes) {
      hold(!path.includes("\0") && indexLine(path, after).includes(path), "a path is a path");
      hold(
        !/[\p{Cc}\u2028\u2029\u202E]/u.test(printable(path)) && Array.from(printable(path)).length <= 161,
        "a path is shown on one short line",
      );
      hold(
        foldersOf(path).every((folder) => path.startsWith(`${folder}/`)),
        "folders are above it",
      );
    }
    const change = parseNumstat(counts);
    hold(change.added >= 0 && change.removed >= 0 && change.stat.split("\n").length <= 20, "counts are counts");
    hold(isDeepStrictEqual(nulFields(nulTerminated(nulFields(raw))), nulFields(raw)), "fields are fields");
    hold(decoded(encoded(decoded(raw))) === decoded(raw), "a text is a text");
  },
});

const REFS = [
  `${ID}\tHEAD\n${ID}\trefs/heads/main\n${ID}\trefs/smithers-control/a/pause/ann-1\n${ID}\trefs/tags/v1^{}\n`,
];
const CONFIG = [
  "user.name\nAnn\0core.bare\0http.https://x/.extraheader\nAUTHORIZATION: basic x\0includeif.gitdir:/w/.path\n/t/c\nd\0",
];

export const listings = target({
  name: "git-listings",
  covers: ["git/remote-git.ts#parseRefs", "git/git.ts#parseSettings"],
  draw: (random) => ({
    refs: mutatedBytes(random, { seeds: REFS, words: ["\t", "\n", "refs/", ID] }),
    config: mutatedBytes(random, { seeds: CONFIG, words: ["\0", "\n", "core.bare"] }),
  }),
  check({ refs, config }) {
    for (const [ref, id] of parseRefs(refs)) hold(!/[\n\t]/u.test(id) && !ref.includes("\n"), "a ref is one line");
    hold(parseSettings(config).length === config.split("\0").length - 1, "a setting is one field");
  },
});

/** How git reads a text in double quotes. */
function unquoted(text: string): string | undefined {
  const inside = /^"((?:[^"\\\n]|\\[\\"n])*)"$/su.exec(text)?.[1];
  return inside?.replaceAll(/\\(.)/gsu, (_, sign: string) => (sign === "n" ? "\n" : sign));
}

const SAID = [
  "remote: error: GH013: Repository rule violations found for refs/heads/x.\nremote: - Push cannot contain secrets\n ! [remote rejected] x -> x (push declined)",
  "fatal: unable to access 'https://x/': The requested URL returned error: 403",
  "To https://x\n ! [rejected] a -> a (fetch first)\nerror: failed to push some refs\nhint: x",
];
const MESSAGES = ["feat: a\n\nbody\n\nSmithers-Loop: a-loop\nSmithers-Iteration: 3\n", "fix: b\n", "\n\n\n", "x: y"];

export const gitWords = target({
  name: "git-words",
  covers: [
    "git/refusal.ts#remoteRefusalOf",
    "git/refusal.ts#refusalSaying",
    "git/commit.ts#squashedMessage",
    "git/git.ts#quotedForGit",
    "git/branch.ts#isBranchName",
  ],
  draw: (random) => ({
    said: mutated(random, { seeds: SAID, words: ["remote: ", "hint: ", "returned error: ", "\n", "denied"] }),
    messages: Array.from({ length: 1 + random.below(4) }, () =>
      mutated(random, { seeds: MESSAGES, words: ["\n\n", "Smithers-Loop: x", ": "] }),
    ),
  }),
  check({ said, messages }) {
    for (const { because } of [
      remoteRefusalOf({ exitCode: 1, stdout: "", stderr: said }),
      refusalSaying(said) ?? { because: "x" },
    ])
      hold(because !== "" && because.length < 600 && !/[\p{Cc}]/u.test(because), "a reason is one short line");
    hold(squashedMessage(messages).endsWith("\n"), "a message ends");
    hold(unquoted(quotedForGit(said)) === said, "git reads what was meant");
    const name = said.slice(0, 60);
    hold(
      !isBranchName(name) || (!name.startsWith("-") && !/[ \p{Cc}~^:?*[\\]|\.\.|@\{/u.test(name)),
      "a branch's name is harmless",
    );
  },
});

const PS = [
  "  1     0     1 Ss   Sun Nov 22 08:00:00 2026\n  77     1    77 Z    Sun Nov 22 08:00:01 2026\n",
  " 12 /bin/sh -c x SMITHERS_TREE=abc HOME=/h\n 13 sh SMITHERS_TREE=abc/agent\nSMITHERS_TREE=abc\n",
];

export const processes = target({
  name: "processes",
  covers: ["os/process-tree.ts#parseProcesses", "os/process-tree.ts#parseEnvironments"],
  draw: (random) =>
    mutated(random, { seeds: PS, words: ["SMITHERS_TREE=abc", "\n", "-1 ", "0 ", "Z", "99999999999999999999"] }),
  check(text) {
    const pids = [...parseProcesses(text).map(({ pid }) => pid), ...parseEnvironments(text, "SMITHERS_TREE=abc")];
    for (const pid of pids) hold(Number.isSafeInteger(pid) && pid > 0, `a process has a number, not ${pid}`);
  },
});
