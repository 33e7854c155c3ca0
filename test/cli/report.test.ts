import { mkdir, open, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { zipped } from "../support/zip.ts";
import { artifactOf, contentsOf } from "./an-artifact.ts";
import { cli, jsonOf, stage } from "./run-cli.ts";

/** A loop that has taken one turn, in which the agent said `said`. */
async function aLoop(said: string, env: Record<string, string> = {}) {
  const repo = await stage();
  await repo.play({ turns: [{ lastMessage: said }] });
  const flags = ["--provider", "scripted", "--script", "script.json", "--max-iterations", "1", "--loop-id", "tests"];
  await cli(["Fix the tests", ...flags, "--quality-commands", "false"], repo.path, env);
  return { repo, folder: path.join(repo.path, ".codex/waylon-smithers/loops/tests") };
}

test.concurrent("report writes the page into the loop's folder and says where it is [R-25, C130]", async () => {
  const { repo, folder } = await aLoop("<script>alert(1)</script> half way");
  await using _ = repo;
  const file = path.join(folder, "report.html");
  expect(await cli(["report"], repo.path)).toEqual({ code: 0, stdout: `${file}\n`, stderr: "" });
  const page = await readFile(file, "utf8");
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt; half way");
  expect(page.match(/<script/gu)).toHaveLength(1);
  expect(jsonOf(await cli(["report", "te", "--json"], repo.path))).toEqual({
    schema: 1,
    loop_id: "tests",
    report: file,
  });
  expect((await cli(["cancel", "tests", "--cleanup-artifacts"], repo.path)).code).toBe(0);
  await expect(readFile(file)).rejects.toThrow("ENOENT");
});

test.concurrent("no secret that is known now is in the page's bytes, wherever it was written, not even half of one [C134]", async () => {
  const secret = "s3cr3t-value-of-a-key-0123456789";
  const token = "ghp_aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zAbCd";
  const { repo, folder } = await aLoop(`the key is ${secret}, the token ${token}`);
  await using _ = repo;
  // A prompt that is cut right behind the first half of the secret, a patch with its other spellings, a long output.
  await writeFile(path.join(folder, "prompt_iter_1.txt"), `${"p".repeat((64 << 10) - 16)}${secret}${"q".repeat(100)}`);
  await writeFile(path.join(folder, "changes_iter_1.patch"), `+${Buffer.from(secret).toString("base64")}\n`);
  await writeFile(path.join(folder, "checks_iter_1.txt"), `${secret.repeat(10_000)}\n`);
  await cli(["report"], repo.path, { APP_API_KEY: secret });
  const bytes = await readFile(path.join(folder, "report.html"));
  for (const form of [secret, secret.slice(0, 14), secret.slice(-14), token, Buffer.from(secret).toString("base64")])
    expect([form, bytes.includes(form)]).toEqual([form, false]);
  expect(bytes.includes("the key is ***, the token ***")).toBe(true);
});

test.concurrent("an iteration with 100 MB of output is bearable: its end is shown, the rest is counted [C133]", async () => {
  const { repo, folder } = await aLoop("half way");
  await using _ = repo;
  const size = 100_000_000;
  await using checks = await open(path.join(folder, "checks_iter_1.txt"), "w");
  await checks.truncate(size - 8);
  await checks.write("the end\n", size - 8);
  const { code } = await cli(["report"], repo.path, { NODE_OPTIONS: "--max-old-space-size=64" });
  expect(code).toBe(0);
  const page = await readFile(path.join(folder, "report.html"), "utf8");
  expect(page).toContain("Only its end is shown: 99,737,856 bytes are left out here");
  expect(page).toContain("the end\n</pre>");
});

test.concurrent("--open gives the page to what shows it here, and says so where nothing does [C130]", async () => {
  const { repo, folder } = await aLoop("half way");
  await using _ = repo;
  await using bin = await tempFolder("bin-");
  const file = path.join(folder, "report.html");
  const shows = async (does: string) => {
    for (const name of ["xdg-open", "open"])
      await writeFile(path.join(bin.path, name), `#!/bin/sh\necho "$@" > ${bin.path}/shown\n${does}\n`, {
        mode: 0o755,
      });
    return cli(["report", "--open"], repo.path, { PATH: `${bin.path}:/usr/bin:/bin` });
  };
  expect(await shows("exit 0")).toEqual({ code: 0, stdout: `${file}\n`, stderr: "" });
  expect(await readFile(path.join(bin.path, "shown"), "utf8")).toBe(`${file}\n`);
  const said = `smithers: No browser could be started. The page is unharmed: open ${file} by hand.\n`;
  expect(await shows("exit 4")).toEqual({ code: 0, stdout: `${file}\n`, stderr: said });
  const none = await cli(["report", "--open"], repo.path, { PATH: "/nowhere" });
  expect(none).toMatchObject({ code: 0, stdout: `${file}\n` });
  expect(none.stderr).toContain(said);
});

const KEY = "a key that is long enough";
const PAGE = "report-tests.html";

/** The artifact of a loop that was at work when it was saved, with a page that somebody has put there; and an empty folder. */
async function recorded(seal?: string) {
  const { repo, folder } = await aLoop("<script>alert(1)</script> half way");
  await writeFile(path.join(folder, "report.html"), "<script>planted()</script>");
  const temp = await tempFolder("recorded-");
  const here = path.join(temp.path, "here");
  await mkdir(here);
  const artifact = await artifactOf(repo.path, "tests", path.join(temp.path, "artifact"), {
    state: { status: "running", stop_reason: null },
    ...(seal !== undefined && { seal }),
  });
  await repo[Symbol.asyncDispose]();
  return { temp, here, artifact };
}

test.concurrent("of a downloaded artifact the page is made anew in the current folder, and says that it is a recording [C143]", async () => {
  const { temp, here, artifact } = await recorded();
  await using _ = temp;
  const before = await contentsOf(artifact);
  const zip = path.join(temp.path, "loop.zip");
  await writeFile(
    zip,
    zipped({ ...before, "../../slipped.txt": Buffer.from("x"), "../slipped.txt": Buffer.from("x") }),
  );
  const elsewhere = path.join(temp.path, "elsewhere");
  await writeFile(elsewhere, "unharmed");
  for (const [operand, isLinked] of [
    [artifact, true],
    ["../artifact", false],
    [zip, false],
  ] as const) {
    const file = path.join(here, PAGE);
    await rm(file, { force: true });
    if (isLinked) await symlink(elsewhere, file);
    expect(await cli(["report", operand], here)).toEqual({ code: 0, stdout: `${file}\n`, stderr: "" });
    const page = await readFile(file, "utf8");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt; half way");
    expect(page).toContain("It was running when it was recorded.");
    expect(page).not.toContain("planted");
  }
  expect(jsonOf(await cli(["report", zip, "--json"], here))).toMatchObject({ loop_id: "tests" });
  expect(await readFile(elsewhere, "utf8")).toBe("unharmed");
  expect(await readdir(here)).toEqual([PAGE]);
  expect((await readdir(temp.path)).toSorted()).toEqual(["artifact", "elsewhere", "here", "loop.zip"]);
  expect(await contentsOf(artifact)).toEqual(before);
});

test.concurrent("an encrypted artifact needs its key, and without it nothing is written [C143]", async () => {
  const { temp, here, artifact } = await recorded(KEY);
  await using _ = temp;
  for (const [env, why] of [
    [{}, "SMITHERS_STATE_KEY is not set"],
    [{ SMITHERS_STATE_KEY: "another key, long enough" }, "the key in SMITHERS_STATE_KEY does not open it"],
  ] as const) {
    const refused = await cli(["report", artifact], here, env);
    expect(refused.code).not.toBe(0);
    expect(refused.stdout).toBe("");
    expect(refused.stderr).toContain(why);
    expect(refused.stderr).toContain("Set SMITHERS_STATE_KEY to the state-key that the loop's workflow has");
    expect(await readdir(here)).toEqual([]);
  }
  expect((await cli(["report", artifact], here, { SMITHERS_STATE_KEY: KEY })).code).toBe(0);
  const bytes = await readFile(path.join(here, PAGE), "utf8");
  expect(bytes).toContain("half way");
  expect(bytes).not.toContain(KEY);
});

test.concurrent("what is no artifact, and a place that cannot be written, are told [C143]", async () => {
  const { temp, here, artifact } = await recorded();
  await using _ = temp;
  const none = await cli(["report", "./gone.zip"], here);
  expect(none).toMatchObject({ code: 64, stdout: "" });
  expect(none.stderr).toContain("./gone.zip is no downloaded artifact of a loop");
  await mkdir(path.join(here, "a folder"));
  expect((await cli(["report", "a folder"], here)).stderr).toContain("a folder is no downloaded artifact of a loop: n");
  await mkdir(path.join(here, "tests"));
  const folder = await cli(["report", "tests"], here);
  expect(folder).toMatchObject({ code: 64, stdout: "" });
  expect(folder.stderr).toContain(
    `There is no loop tests in ${here}. tests is no downloaded artifact of a loop either: neither a .zip nor a folder with carried.json in it.`,
  );
  const other = path.join(here, "tests/other.zip");
  await writeFile(other, zipped({ "a.txt": Buffer.from("a") }));
  expect((await cli(["report", "tests/other.zip"], here)).stderr).toContain(
    `${other} cannot be read: there is no carried.json in it. It was not changed.`,
  );
  for (const name of ["a folder", "tests"]) await rm(path.join(here, name), { recursive: true });
  await mkdir(path.join(here, PAGE));
  const taken = await cli(["report", artifact], here);
  expect(taken.code).not.toBe(0);
  expect(taken.stderr).toContain(`The page cannot be written to ${path.join(here, PAGE)}`);
  expect(await readdir(here)).toEqual([PAGE]);
});
