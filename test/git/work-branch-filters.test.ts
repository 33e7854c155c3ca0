import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { BRANCH, filesOf, machine, remoteWith, SOON } from "./work-branch-support.ts";

describe("files behind a filter", () => {
  const pointer = (content: string) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash("sha256").update(content).digest("hex")}\nsize ${content.length}\n`;

  it("C13: unchanged ones stay; others are what git stores, which is told", async () => {
    await using remote = await remoteWith({
      ".gitattributes": "*.bin filter=lfs\n",
      "same.bin": pointer("same"),
      "other.bin": pointer("old"),
    });
    await using job = await machine(remote);
    // As LFS has it, and git thinks that it has to read the file again.
    await job.write("same.bin", "same");
    const tip = await remote.push(BRANCH, { "other.bin": pointer("new") });
    const notice = expect.stringContaining("other.bin belongs to a git filter");
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: true, value: { tip, notices: [notice] } });
    expect(await filesOf(job.top)).toMatchObject({ "same.bin": "same", "other.bin": pointer("new") });
    await job.write("same.bin", "changed");
    await job.git("checkout", "-q", "--detach");
    await remote.push(BRANCH, { x: "1\n" });
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "dirty" } });
  });

  it("C13: line ends are those of the person's configuration", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await job.git("config", "core.autocrlf", "true");
    const tip = await remote.push(BRANCH, { "new.md": "1\n2\n" });
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: true });
    expect(await filesOf(job.top)).toMatchObject({ "new.md": "1\r\n2\r\n" });
    await job.expectAt(tip);
  });
});
