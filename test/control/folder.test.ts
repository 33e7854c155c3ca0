import { mkdir, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFolderControl, requestControl } from "../../src/control/folder.ts";
import type { ControlRequest } from "../../src/core/ports.ts";
import { collect, controlContract, first } from "../contract/control-contract.ts";
import { tempFolder } from "../support/temp-folder.ts";

controlContract("the control folder", async () => {
  const folder = await tempFolder();
  return {
    control: createFolderControl(folder.path),
    ask: () => requestControl(folder.path, "pause", "smithers pause"),
    expected: { kind: "pause", by: "smithers pause" },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

const HOUR_AGO = new Date(Date.now() - 3_600_000);

/** A request that has been standing for an hour. */
async function standing(folder: string, kind: ControlRequest["kind"]): Promise<void> {
  await requestControl(folder, kind, "an earlier wish");
  await utimes(path.join(folder, "control", kind), HOUR_AGO, HOUR_AGO);
}

/** What is heard until somebody asks for a stop, which is the last request of the list. */
async function heardUntilStop(folder: string): Promise<readonly ControlRequest[]> {
  const end = new AbortController();
  const heard: ControlRequest[] = [];
  const requests = createFolderControl(folder).watch(end.signal);
  for await (const request of requests) {
    heard.push(request);
    if (request.kind === "stop") end.abort();
    else await requestControl(folder, "stop", "the end");
  }
  return heard;
}

describe("the control folder", () => {
  it("a request is removed when it is heard [W-46]", async () => {
    await using folder = await tempFolder();
    const end = new AbortController();
    const heard = first(createFolderControl(folder.path).watch(end.signal));
    await requestControl(folder.path, "stop", "smithers stop");
    await heard;
    expect(await readdir(path.join(folder.path, "control"))).toEqual([]);
    end.abort();
  });

  it("a pause or stop meant for an earlier run is dropped [W-46]", async () => {
    await using folder = await tempFolder();
    await standing(folder.path, "pause");
    await standing(folder.path, "stop");
    const end = new AbortController();
    const heard = first(createFolderControl(folder.path).watch(end.signal));
    await expect.poll(() => readdir(path.join(folder.path, "control"))).toEqual([]);
    await requestControl(folder.path, "pause", "this run");
    expect(await heard).toEqual({ kind: "pause", by: "this run" });
    end.abort();
  });

  it("a cancel stays, whenever it was asked for [W-33]", async () => {
    await using folder = await tempFolder();
    await standing(folder.path, "pause");
    await standing(folder.path, "cancel");
    expect(await heardUntilStop(folder.path)).toEqual([
      { kind: "cancel", by: "an earlier wish" },
      { kind: "stop", by: "the end" },
    ]);
  });

  it("a request from between the making of the control and the watching counts [W-46]", async () => {
    await using folder = await tempFolder();
    const control = createFolderControl(folder.path);
    await requestControl(folder.path, "pause", "early");
    const end = new AbortController();
    expect(await first(control.watch(end.signal))).toEqual({ kind: "pause", by: "early" });
    end.abort();
  });

  it("an empty file made by hand is a request [W-46]", async () => {
    await using folder = await tempFolder();
    const end = new AbortController();
    await mkdir(path.join(folder.path, "control"));
    const heard = first(createFolderControl(folder.path).watch(end.signal));
    await writeFile(path.join(folder.path, "control", "pause"), "");
    expect(await heard).toEqual({ kind: "pause", by: "control/pause" });
    end.abort();
  });

  it("goes on when its folder is deleted and made again", async () => {
    await using folder = await tempFolder();
    const end = new AbortController();
    const requests = createFolderControl(folder.path).watch(end.signal)[Symbol.asyncIterator]();
    await requestControl(folder.path, "pause", "one");
    expect((await requests.next()).value).toEqual({ kind: "pause", by: "one" });
    await rm(path.join(folder.path, "control"), { recursive: true });
    await requestControl(folder.path, "stop", "two");
    expect((await requests.next()).value).toEqual({ kind: "stop", by: "two" });
    end.abort();
  });

  it.each([
    ["a line too long for anybody", "x".repeat(10_000), "x".repeat(200)],
    ["several lines", "me\n::error::you\n", "me"],
    ["control characters", "a\u001B[31mb\u0007\n", "a[31mb"],
  ])("tells who asks in one harmless line: %s", async (_what, by, expected) => {
    await using folder = await tempFolder();
    const end = new AbortController();
    const heard = first(createFolderControl(folder.path).watch(end.signal));
    await requestControl(folder.path, "pause", by);
    expect(await heard).toEqual({ kind: "pause", by: expected });
    end.abort();
  });

  it("never reads what a link points to", async () => {
    await using folder = await tempFolder();
    const secret = path.join(folder.path, "secret");
    await writeFile(secret, "a secret");
    await mkdir(path.join(folder.path, "control"));
    await symlink(secret, path.join(folder.path, "control", "cancel"));
    const end = new AbortController();
    const heard = first(createFolderControl(folder.path).watch(end.signal));
    await expect.poll(() => readdir(path.join(folder.path, "control"))).toEqual([]);
    await requestControl(folder.path, "stop", "me");
    expect(await heard).toEqual({ kind: "stop", by: "me" });
    expect(await readdir(folder.path)).toContain("secret");
    end.abort();
  });

  it("must not throw where the folder cannot be made", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "file");
    await writeFile(file, "");
    const end = new AbortController();
    const heard = collect(createFolderControl(file).watch(end.signal));
    await new Promise(setImmediate);
    end.abort();
    expect(await heard).toEqual([]);
  });
});
