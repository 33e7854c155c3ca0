import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { installHelpers, stamped } from "../../src/setup/install-helpers.ts";
import { type GivenFlags, inProcess, type Said } from "../support/in-process.ts";
import { tempFolder } from "../support/temp-folder.ts";

const SKILL = ".codex/skills/waylon-smithers/SKILL.md";
const OTHER = ".codex/skills/smithers-loop/SKILL.md";
const HEADLESS = ".codex/skills/smithers-headless/SKILL.md";

/** A workspace and the home of Codex beside it. */
async function bench() {
  const folder = await tempFolder();
  const root = path.join(folder.path, "work");
  const home = path.join(folder.path, "home");
  await mkdir(root);
  const install = (given: GivenFlags = {}): Promise<Said> =>
    inProcess(installHelpers, root, given, { env: { CODEX_HOME: home } });
  const skill = path.join(root, SKILL);
  const states = async (given: GivenFlags = {}): Promise<readonly string[]> =>
    JSON.parse((await install({ ...given, json: "on" })).stdout).files.map(
      (file: { state: string; written: boolean }) => `${file.state} ${file.written}`,
    );
  return { ...folder, root, home, skill, prompt: path.join(home, "prompts/waylon-smithers.md"), install, states };
}

describe("smithers install-helpers", () => {
  test("writes the custom prompt to CODEX_HOME and the skills to the workspace, and says what does the looping [W-13, W-65]", async () => {
    await using place = await bench();
    const said = await place.install();
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout.match(/^written {2}.*/gmu)).toEqual(
      [place.prompt, place.skill, path.join(place.root, OTHER), path.join(place.root, HEADLESS)].map(
        (file) => `written  ${file}`,
      ),
    );
    expect(said.stdout).toContain("They instruct the agent and start nothing: the loop itself is smithers.");
    expect(await readFile(place.skill, "utf8")).toMatch(/^---\nname: waylon-smithers\n/u);
    expect(await readFile(place.prompt, "utf8")).toContain("Task: $ARGUMENTS");
  });

  test("without CODEX_HOME the prompt goes to ~/.codex [W-65]", async () => {
    await using place = await bench();
    await inProcess(installHelpers, place.root, {}, { env: { HOME: place.home } });
    expect(await readdir(path.join(place.home, ".codex/prompts"))).toEqual(["waylon-smithers.md"]);
  });

  test("a second time nothing is touched [W-65]", async () => {
    await using place = await bench();
    await place.install();
    const before = await stat(place.skill);
    expect((await place.install()).stdout.match(/^up to date/gmu)).toHaveLength(4);
    expect((await stat(place.skill)).mtimeMs).toBe(before.mtimeMs);
    expect(await place.states()).toEqual(Array<string>(4).fill("up_to_date false"));
  });

  test("an earlier version's file is updated; what somebody changed stays, unless --force says so [W-65]", async () => {
    await using place = await bench();
    await place.install();
    await writeFile(place.prompt, stamped("earlier\n"));
    await writeFile(place.skill, "mine\n");
    const said = await place.install();
    expect(said.stdout).toMatch(/^updated .*\nleft as it is .*\nup to date .*\n/u);
    expect(said).toMatchObject({
      code: 0,
      stderr: `smithers: ${place.skill} was changed by somebody, or is not ours: it stays. --force overwrites it.\n`,
    });
    expect(await readFile(place.skill, "utf8")).toBe("mine\n");
    expect(await place.states({ force: "on" })).toEqual([
      "up_to_date false",
      "changed true",
      "up_to_date false",
      "up_to_date false",
    ]);
    expect(await place.states()).toEqual(Array<string>(4).fill("up_to_date false"));
  });

  test("--dry-run shows the texts and writes nothing [W-65]", async () => {
    await using place = await bench();
    const said = await place.install({ "dry-run": "on" });
    expect(said.stdout.match(/^would be written/gmu)).toHaveLength(4);
    expect(said.stdout).toContain("## Promise discipline");
    expect(await place.states({ "dry-run": "on" })).toEqual(Array<string>(4).fill("missing false"));
    expect(await readdir(place.root)).toEqual([]);
  });

  test("a link in the workspace leads nowhere else [T12]", async () => {
    await using place = await bench();
    await mkdir(path.join(place.path, "elsewhere"));
    await mkdir(path.join(place.root, ".codex"));
    await symlink("../../elsewhere", path.join(place.root, ".codex/skills"));
    const said = await place.install();
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining("is a link or leads elsewhere") });
    expect(await readdir(path.join(place.path, "elsewhere"))).toEqual([]);
  });

  test("the person's own prompt may be a link, and what is in the way is told [W-65]", async () => {
    await using place = await bench();
    await mkdir(path.dirname(place.prompt), { recursive: true });
    const kept = path.join(place.path, "kept.md");
    await writeFile(kept, stamped("earlier\n"));
    await symlink(kept, place.prompt);
    await writeFile(path.join(place.root, ".codex"), "");
    const said = await place.install();
    expect(said).toMatchObject({ code: 1, stderr: expect.stringMatching(/What was there is unharmed\.\n {2}Next: /u) });
    expect(await readFile(kept, "utf8")).toContain("earlier");
  });
});
