import { open, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
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
