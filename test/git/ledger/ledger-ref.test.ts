import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyLedger, retried } from "../../../src/core/story/ledger.ts";
import { createLedgerRef, type HeldLedger } from "../../../src/git/ledger/ledger-ref.ts";
import { gitHttp } from "../../support/git-http.ts";
import { gitRepository } from "../../support/git-repository.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const REF = "refs/smithers-prd/shop";
const WITHIN = 30_000;

async function world() {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await gitHttp());
  const temp = stack.use(await tempFolder("ledger-"));
  const owned = stack.move();
  let machines = 0;
  const machine = () => {
    const place = {
      url: remote.url,
      token: remote.writeToken,
      mark: "ledger",
      folder: path.join(temp.path, String(++machines)),
    };
    return createLedgerRef(place, "shop");
  };
  return { remote, machine, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function readBy(ref: ReturnType<typeof createLedgerRef>): Promise<HeldLedger> {
  const read = await ref.read(WITHIN);
  if (!read.ok) throw new Error(read.trouble.because);
  return read.value;
}

test("a ledger that is not there is an empty one, and the next machine reads what one has written", async () => {
  await using at = await world();
  const first = at.machine();
  const held = await readBy(first);
  expect(held).toEqual({ ledger: emptyLedger("shop"), commit: null, notes: "" });
  const ledger = retried(held.ledger, "US-001", "Try again.");
  const written = await first.write(held, ledger, "run 1", WITHIN);
  expect(written).toMatchObject({ ok: true, value: { ledger } });
  const second = at.machine();
  const seen = await readBy(second);
  expect(seen.ledger).toEqual(ledger);
  expect(await second.write(seen, retried(ledger, "US-002", ""), "run 2", WITHIN)).toMatchObject({ ok: true });
  expect(await at.remote.git("log", "--format=%s", REF)).toBe(
    "smithers: shop, revision 2, run 2\nsmithers: shop, revision 1, run 1",
  );
});

test("of two that change it at once, one has seen that the other was first", async () => {
  await using at = await world();
  const [one, other] = [at.machine(), at.machine()];
  const [held, same] = [await readBy(one), await readBy(other)];
  const ledger = retried(held.ledger, "US-001", "");
  expect(await one.write(held, ledger, "run 1", WITHIN)).toMatchObject({ ok: true });
  expect(await other.write(same, ledger, "run 2", WITHIN)).toMatchObject({ ok: false, trouble: { kind: "moved" } });
  const now = await readBy(other);
  expect(await one.write(now, retried(now.ledger, "US-001", ""), "run 1", WITHIN)).toMatchObject({ ok: true });
  expect(await other.write(now, retried(now.ledger, "US-001", ""), "run 2", WITHIN)).toMatchObject({
    ok: false,
    trouble: { kind: "moved" },
  });
});

test.each([
  ["something else", { "ledger.json": "{}" }, "it is no ledger of this version"],
  ["no ledger", { "record.json": "{}" }, "it holds no ledger.json"],
  ["another PRD's", { "ledger.json": JSON.stringify(emptyLedger("other")) }, "it is another PRD's"],
])("a ref that holds %s is refused and not written over", async (_what, files, why) => {
  await using at = await world();
  await using clone = await gitRepository({});
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(clone.path, name), text);
  await clone.git("add", "-A");
  await clone.git("commit", "-q", "-m", "by somebody");
  await clone.git("push", "-q", at.remote.folder, `HEAD:${REF}`);
  const read = await at.machine().read(WITHIN);
  expect(read).toMatchObject({ ok: false, trouble: { kind: "refused", because: expect.stringContaining(why) } });
});

test("a repository that does not answer is trouble, not an empty ledger", async () => {
  await using temp = await tempFolder("ledger-");
  const place = { url: "http://127.0.0.1:1/o/r", token: null, mark: "ledger", folder: path.join(temp.path, "git") };
  const ref = createLedgerRef(place, "shop");
  expect(await ref.read(WITHIN)).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
  const held = { ledger: emptyLedger("shop"), commit: null, notes: "" };
  expect(await ref.write(held, held.ledger, "run 1", WITHIN)).toMatchObject({
    ok: false,
    trouble: { kind: "unreachable" },
  });
});
