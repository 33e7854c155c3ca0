import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { wordsOf } from "../../../src/commands/prd/editor.ts";
import { acquireLock } from "../../../src/store/lock.ts";
import { type GitRepository, gitRepository } from "../../support/git-repository.ts";
import { aPrdText, aStory, prd } from "./documents.ts";

const FOLDER = ".daedalus/prds/shop";

function fileOf(repo: GitRepository, name: string): Promise<string> {
  return readFile(path.join(repo.path, FOLDER, name), "utf8");
}

async function isThere(repo: GitRepository, name: string): Promise<boolean> {
  return access(path.join(repo.path, FOLDER, name)).then(
    () => true,
    () => false,
  );
}

/** An editor that plays these shell lines, one each time it is opened; `$1` is the file. */
async function editor(repo: GitRepository, ...turns: readonly string[]): Promise<Record<string, string>> {
  for (const [index, turn] of turns.entries()) await repo.write(`.git/turn-${index}`, turn);
  const script = 'n=$(cat .git/n 2>/dev/null || echo 0); echo $((n + 1)) > .git/n; . ".git/turn-$n"';
  await repo.write(".git/editor", script);
  return { EDITOR: "false", VISUAL: `sh "${path.join(repo.path, ".git/editor")}"` };
}

async function shop(): Promise<GitRepository> {
  const repo = await gitRepository({ [`${FOLDER}/prd.json`]: aPrdText([aStory(1), aStory(2)]) });
  await prd("edit", repo.path, { sync: "on" });
  return repo;
}

describe("for programs", () => {
  test("without a terminal only the stories of prd.md are written again, and the text around them stays", async () => {
    await using repo = await shop();
    await repo.write(`${FOLDER}/prd.md`, `Mine.\n\n${(await fileOf(repo, "prd.md")).replace("Story 2", "Other")}`);
    expect((await prd("validate", repo.path)).code).toBe(64);
    const said = await prd("edit", repo.path, { json: "on" });
    expect(JSON.parse(said.stdout)).toEqual({ schema: 1, prd: "shop", written: [`${FOLDER}/prd.md`] });
    expect(await fileOf(repo, "prd.md")).toMatch(/^Mine\.\n[^]*Story 2/u);
    expect((await prd("validate", repo.path)).code).toBe(0);
    expect((await prd("edit", repo.path)).stdout).toBe("shop: nothing had to be changed.\n");
  });

  test("a text replaces prd.json if it is valid", async () => {
    await using repo = await shop();
    const next = aPrdText([aStory(1, { title: "Anew" }), aStory(3)]);
    const said = await prd("edit", repo.path, { from: "-", json: "on" }, { piped: next });
    expect(JSON.parse(said.stdout)).toMatchObject({ written: [`${FOLDER}/prd.json`, `${FOLDER}/prd.md`] });
    expect(await fileOf(repo, "prd.json")).toBe(next);
    expect(await fileOf(repo, "prd.md")).toContain("US-001 Anew");
    const bad = await prd("edit", repo.path, { from: "-", json: "on" }, { piped: "{}" });
    expect(bad.code).toBe(64);
    expect(JSON.parse(bad.stdout).problems[0]).toMatchObject({ code: "PRD_INVALID" });
    expect(await fileOf(repo, "prd.json")).toBe(next);

    // A run would put it back to what it has read.
    const lock = await acquireLock(path.join(repo.path, ".codex/waylon-smithers/loops/prd-shop"));
    const beside = await prd("edit", repo.path, { from: "-", json: "on" }, { piped: aPrdText() });
    expect(beside.code).toBe(1);
    expect(JSON.parse(beside.stdout).problems).toMatchObject([
      {
        code: "LOOP_BUSY",
        next: expect.stringMatching(/pause --loop-id prd-shop; then smithers prd edit shop again/u),
      },
    ]);
    expect(await fileOf(repo, "prd.json")).toBe(next);
    await lock.release();
  });

  test.each([
    ["passes of a story", aStory(2, { passes: true }), "passes of US-002"],
    ["what is in progress", aStory(2, { inProgress: true }), "inProgress of US-002"],
    ["passes of a new story", aStory(7, { passes: true }), "passes of US-007"],
  ])("%s is not a person's to set, and the way out is told", async (_, story, what) => {
    await using repo = await shop();
    const said = await prd("edit", repo.path, { from: "-" }, { piped: aPrdText([aStory(1), story]) });
    expect(said.code).toBe(64);
    expect(said.stderr).toContain(what);
    expect(said.stderr).toContain(`smithers prd accept|retry shop ${story.id}`);
    expect(await fileOf(repo, "prd.json")).toBe(aPrdText([aStory(1), aStory(2)]));
  });
});

describe("on a terminal", () => {
  test("what is valid is written; what is not is told, kept, gone on with, or thrown away [D-10]", async () => {
    await using repo = await shop();
    const env = await editor(
      repo,
      'echo "{" > "$1"',
      'echo "[" > "$1"',
      'sed s/Story/Tale/ draft.json > "$1" 2>/dev/null || git show "HEAD:.daedalus/prds/shop/prd.json" | sed s/Story/Tale/ > "$1"',
      'echo "{" > "$1"',
      "true",
    );
    const before = await fileOf(repo, "prd.json");
    const kept = await prd("edit", repo.path, {}, { env, typed: "e\nk\n" });
    expect(kept.code).toBe(64);
    expect(kept.stdout).toContain("it is no JSON");
    expect(kept.stderr).toContain(`kept in ${FOLDER}/draft.json`);
    expect(await fileOf(repo, "prd.json")).toBe(before);
    expect(await fileOf(repo, "draft.json")).toBe("[\n");

    const valid = await prd("edit", repo.path, {}, { env, typed: "y\n" });
    expect(valid).toMatchObject({ code: 0 });
    expect(await fileOf(repo, "prd.json")).toBe(before.replaceAll("Story", "Tale"));
    expect(await fileOf(repo, "prd.md")).toContain("Tale 2");
    expect(await isThere(repo, "draft.json")).toBe(false);

    const thrown = await prd("edit", repo.path, {}, { env, typed: "t\n" });
    expect(thrown).toMatchObject({ code: 0 });
    expect(thrown.stderr).toContain("thrown away");
    expect((await prd("edit", repo.path, {}, { env, typed: "" })).stdout).toContain("nothing had to be changed");
    expect(await isThere(repo, "draft.json")).toBe(false);
  });

  test("the text around the stories is edited with --markdown; stories in it are written as prd.json has them", async () => {
    await using repo = await shop();
    const env = await editor(repo, 'sed -e s/Story/Tale/ -e "1s/.*/# Mine/" "$1" > .git/new; cat .git/new > "$1"');
    expect(await prd("edit", repo.path, { markdown: "on" }, { env, typed: "" })).toMatchObject({ code: 0 });
    expect(await fileOf(repo, "prd.md")).toMatch(/^# Mine\n[^]*Story 2/u);
    expect((await prd("validate", repo.path)).code).toBe(0);
  });

  test("an editor that fails loses nothing, and one that is not there is told", async () => {
    await using repo = await shop();
    const env = await editor(repo, 'echo mine > "$1"; exit 3');
    const failed = await prd("edit", repo.path, {}, { env, typed: "" });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("it ended with 3");
    expect(await fileOf(repo, "draft.json")).toBe("mine\n");
    for (const [EDITOR, told] of [
      ["", "Neither VISUAL nor EDITOR"],
      ["no-such-editor", "which is not there"],
      ["./vi", "which is not there"],
      ["vi 'x", "a quote without an end"],
    ] as const) {
      const said = await prd("edit", repo.path, {}, { env: { EDITOR }, typed: "" });
      expect(said).toMatchObject({ code: 64 });
      expect(said.stderr).toContain(told);
    }
  });

  test.each([
    ["code --wait", ["code", "--wait"]],
    [`"/my editor/vi" -c 'set "x"' a\\ b`, ["/my editor/vi", "-c", 'set "x"', "a b"]],
    [`vi ''  $(id);`, ["vi", "", "$(id);"]],
    [`vi "a\\"b`, undefined],
  ])("the words of %s are parted without a shell [D-35]", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
