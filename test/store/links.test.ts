import { link, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openTurnFiles, readLastMessage, writeLastMessage } from "../../src/agents/turn-files.ts";
import { writeSummary } from "../../src/app/write-summary.ts";
import { viewOf } from "../../src/app/view-of.ts";
import { createFolderControl } from "../../src/control/folder.ts";
import { findRepository } from "../../src/git/repository.ts";
import { PrivateGit } from "../../src/git/private-git.ts";
import { copiesReporter } from "../../src/reporters/copies.ts";
import { FileStore } from "../../src/store/file-store.ts";
import { replaceState } from "../../src/store/loop-files.ts";
import { placeOf } from "../../src/store/place.ts";
import { createProgressFile } from "../../src/store/progress-file.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aState, started, turnEnded } from "../views/a-state.ts";

const REFUSED = expect.objectContaining({ code: "LINK_REFUSED" });

/** A loop whose files are in the workspace, beside a folder that nobody gave it. */
async function hostile() {
  const folder = await tempFolder();
  const root = path.join(folder.path, "work");
  const outside = path.join(folder.path, "outside");
  await mkdir(path.join(root, "loops"), { recursive: true });
  await mkdir(outside);
  const place = placeOf(root, "a-loop", "loops/a-loop.json");
  return { place, root, outside, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test("a loop's folder that became a link is not written through by anything [T14]", async () => {
  await using at = await hostile();
  const { place, outside } = at;
  await symlink(outside, place.folder);
  await expect(new FileStore(place).open()).rejects.toEqual(REFUSED);
  await expect(createProgressFile(place.folder, place.root).record(1, "notes")).rejects.toEqual(REFUSED);
  await expect(openTurnFiles({ workspaceRoot: at.root, folder: place.folder }, 1)).rejects.toEqual(REFUSED);
  const state = aState();
  const view = await viewOf(state, { place, alive: false, program: "smithers", flags: {}, providerArgs: [] });
  await expect(writeSummary(place, view, null)).rejects.toEqual(REFUSED);
  expect(await readdir(outside)).toEqual([]);
});

test("a link put there during the run stops the writing, not the reading of what stands [T14]", async () => {
  await using at = await hostile();
  const { place, outside } = at;
  const store = new FileStore(place);
  await store.open();
  await store.append(started(), aState({ loop_id: "a-loop", revision: 1 }));
  await rm(place.folder, { recursive: true });
  await symlink(outside, place.folder);
  await expect(store.append(turnEnded(), aState({ loop_id: "a-loop", revision: 2 }))).rejects.toEqual(REFUSED);
  await store.close();
  expect(await readdir(outside)).toEqual([]);
  expect((await new FileStore(place).load("a-loop"))?.revision).toBe(1);
});

test("a folder above the loop's that became a link is noticed as well [T14]", async () => {
  await using at = await hostile();
  await rm(path.join(at.root, "loops"), { recursive: true });
  await symlink(at.outside, path.join(at.root, "loops"));
  await expect(new FileStore(at.place).open()).rejects.toEqual(REFUSED);
  await expect(replaceState(at.place, aState())).rejects.toEqual(REFUSED);
  expect(await readdir(at.outside)).toEqual([]);
});

test("files of the loop that became links or second names are refused, the last message is replaced [T14]", async () => {
  await using at = await hostile();
  const { place, outside } = at;
  const victim = path.join(outside, "victim");
  await writeFile(victim, "as it was");
  await mkdir(place.folder);
  for (const name of ["events.jsonl", "progress.md"]) await link(victim, path.join(place.folder, name));
  await symlink(victim, path.join(place.folder, "events_iter_1.jsonl"));
  const store = new FileStore(place);
  await store.open();
  await expect(store.append(started(), aState({ loop_id: "a-loop", revision: 1 }))).rejects.toEqual(REFUSED);
  await store.close();
  await expect(createProgressFile(place.folder, place.root).record(1, "notes")).rejects.toEqual(REFUSED);
  await expect(openTurnFiles({ workspaceRoot: at.root, folder: place.folder }, 1)).rejects.toEqual(REFUSED);
  const files = await openTurnFiles({ workspaceRoot: at.root, folder: place.folder }, 2);
  await symlink(victim, files.lastMessageFile);
  expect(await readLastMessage(files)).toBe("");
  await writeLastMessage(files, "what the agent said");
  await files.raw.close();
  expect(await readFile(victim, "utf8")).toBe("as it was");
  expect(await readFile(files.lastMessageFile, "utf8")).toBe("what the agent said");
});

test.each([
  { what: "the target", linked: "copies/all.jsonl", to: "victim" },
  { what: "a folder above it", linked: "copies", to: "." },
])("copies in the workspace do not follow $what when it is a link [T14]", async ({ linked, to }) => {
  await using at = await hostile();
  const { place, outside, root } = at;
  await writeFile(path.join(outside, "victim"), "as it was");
  await mkdir(place.folder);
  await writeFile(path.join(place.folder, "events_iter_1.jsonl"), "{}\n");
  await writeFile(path.join(place.folder, "last_message_iter_1.txt"), "said");
  await mkdir(path.dirname(path.join(root, linked)), { recursive: true });
  await symlink(path.join(outside, to), path.join(root, linked));
  const said: string[] = [];
  const targets = { rawEvents: path.join(root, "copies/all.jsonl"), lastMessages: path.join(root, "copies") };
  const reporter = copiesReporter(place, targets, (why) => said.push(why.message));
  reporter.report(turnEnded(), aState());
  await reporter.flush(Date.now() + 5_000);
  expect(said).toEqual([expect.stringContaining("is a link or not ours")]);
  expect(await readdir(outside)).toEqual(["victim"]);
  expect(await readFile(path.join(outside, "victim"), "utf8")).toBe("as it was");
});

test("a copy does not bring a file from elsewhere into the workspace [T14]", async () => {
  await using at = await hostile();
  const { place, outside, root } = at;
  await writeFile(path.join(outside, "secret"), "secret");
  await mkdir(place.folder);
  await symlink(path.join(outside, "secret"), path.join(place.folder, "last_message_iter_1.txt"));
  const said: string[] = [];
  const targets = { rawEvents: null, lastMessages: path.join(root, "copies") };
  const reporter = copiesReporter(place, targets, (why) => said.push(why.message));
  reporter.report(turnEnded(), aState());
  await reporter.flush(Date.now() + 5_000);
  expect(said).toHaveLength(1);
  expect(await readdir(root)).not.toContain("copies");
});

test("what a person named elsewhere may be a link of theirs", async () => {
  await using at = await hostile();
  const { place, outside } = at;
  await mkdir(place.folder);
  await writeFile(path.join(place.folder, "events_iter_1.jsonl"), "{}\n");
  await symlink("real.jsonl", path.join(outside, "all.jsonl"));
  const targets = { rawEvents: path.join(outside, "all.jsonl"), lastMessages: null };
  const reporter = copiesReporter(place, targets, (why) => expect.fail(why.message));
  reporter.report(turnEnded(), aState());
  await reporter.flush(Date.now() + 5_000);
  expect(await readFile(path.join(outside, "real.jsonl"), "utf8")).toBe("{}\n");
});

test("requests are neither taken from behind a link nor removed there [T14]", async () => {
  await using at = await hostile();
  const { place, outside } = at;
  await writeFile(path.join(outside, "cancel"), "not a request\n");
  await mkdir(place.folder);
  await symlink(outside, path.join(place.folder, "control"));
  const stop = new AbortController();
  const heard: string[] = [];
  const control = createFolderControl(place.folder, place.root);
  const listening = (async () => {
    for await (const request of control.watch(stop.signal)) heard.push(request.kind);
  })();
  await rm(path.join(place.folder, "control"));
  await mkdir(path.join(place.folder, "control"));
  await writeFile(path.join(place.folder, "control/stop"), "a person\n");
  await expect.poll(() => heard).toEqual(["stop"]);
  stop.abort();
  await listening;
  expect(await readdir(outside)).toEqual(["cancel"]);
});

test("our git directory is not made behind a link [T14]", async () => {
  await using repository = await gitRepository();
  await using elsewhere = await tempFolder();
  const found = await findRepository(repository.path);
  if (found === undefined) throw new Error("There is no repository.");
  await mkdir(path.join(repository.path, ".loop"));
  await symlink(elsewhere.path, path.join(repository.path, ".loop/git"));
  await expect(new PrivateGit(found, path.join(repository.path, ".loop/git")).prepare()).rejects.toEqual(REFUSED);
  expect(await readdir(elsewhere.path)).toEqual([]);
});
