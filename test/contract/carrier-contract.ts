import path from "node:path";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { unpackBundle } from "../../src/carry/bundle.ts";
import type { BulkPointer, Bundle, Carrier, Restored, Saved } from "../../src/core/carry.ts";
import { sha256 } from "../../src/os/digest.ts";
import { aBundle, aRecord, placesIn } from "../carry/a-loop.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** A carrier over a service in which nothing was saved yet. */
export interface CarrierUnderTest {
  /** the carrier of that run's first attempt; a run that was not asked for before is newer than those that were */
  in(run: number): Carrier;
  /** From now on the service does not answer. */
  hang(): void;
}

const WITHIN = 20_000;

/** What a record says of what was saved. */
export function pointerTo(bundle: Bundle, saved: Saved): BulkPointer {
  if (!saved.ok) throw new Error(`It was not saved: ${saved.trouble.because}`);
  const { digest, record } = bundle;
  return { digest, revision: record.revision, cache_key: null, artifact: null, ...saved.value };
}

async function restore(carrier: Carrier, into: string, named: BulkPointer | null, within = WITHIN): Promise<Restored> {
  await mkdir(into);
  return await carrier.restore({ loopId: "a-loop", named, unnamed: named === null, into }, within);
}

const runOf = (id: number) => ({ run: { id: String(id), attempt: "1" } });

/** What every `Carrier` keeps to. */
export function carrierContract(name: string, make: () => CarrierUnderTest | Promise<CarrierUnderTest>): void {
  describe(`${name} as a carrier`, () => {
    it.each([{ seal: null }, { seal: "a key" }])(
      "brings 51 files to the next machine, seal: $seal [C11, T16]",
      async ({ seal }) => {
        await using temp = await tempFolder();
        const under = await make();
        const record = aRecord(7, runOf(101));
        const bundle = await aBundle(temp.path, record, { iterations: 23, ...(seal === null ? {} : { seal }) });
        const saved = await under.in(101).save(bundle, WITHIN);
        const restored = await restore(under.in(102), path.join(temp.path, "into"), pointerTo(bundle, saved));
        expect(restored).toMatchObject({ ok: true, value: { bundle: { digest: bundle.digest, record } } });
        if (!restored.ok) return;
        const to = placesIn(path.join(temp.path, "next"));
        const unpacked = await unpackBundle(restored.value.bundle, { to, state: record.state, key: seal });
        expect(unpacked).toEqual({ loopFiles: 51, session: true, work: null });
      },
    );

    it("finds the newest that nobody names, where that is allowed [C11]", async () => {
      await using temp = await tempFolder();
      const under = await make();
      for (const run of [101, 102]) {
        const saved = await under.in(run).save(await aBundle(temp.path, aRecord(run, runOf(run))), WITHIN);
        expect(saved).toMatchObject({ ok: true });
      }
      const into = path.join(temp.path, "into");
      const restored = await restore(under.in(103), into, null);
      expect(restored).toMatchObject({ ok: true, value: { bundle: { record: { revision: 102 } } } });
      const asked = { loopId: "a-loop", named: null, unnamed: false, into };
      expect(await under.in(103).restore(asked, WITHIN)).toMatchObject({ ok: false, trouble: { kind: "absent" } });
    });

    it("says that there is nothing", async () => {
      await using temp = await tempFolder();
      const under = await make();
      const restored = await restore(under.in(101), path.join(temp.path, "into"), null);
      expect(restored).toMatchObject({ ok: false, trouble: { kind: "absent" } });
    });

    it("refuses what is not what the record names [T14]", async () => {
      await using temp = await tempFolder();
      const under = await make();
      const bundle = await aBundle(temp.path, aRecord(7, runOf(101)));
      const pointer = pointerTo(bundle, await under.in(101).save(bundle, WITHIN));
      const digest = { ...pointer, digest: "b".repeat(64) };
      const other = await restore(under.in(102), path.join(temp.path, "other"), digest);
      expect(other).toMatchObject({
        ok: false,
        trouble: { kind: "refused", because: expect.stringContaining("another digest") },
      });
      const older = await restore(under.in(102), path.join(temp.path, "older"), { ...pointer, revision: 8 });
      expect(older).toMatchObject({
        ok: false,
        trouble: { kind: "refused", because: expect.stringContaining("revision 7") },
      });
    });

    it("says when a later version wrote it", async () => {
      await using temp = await tempFolder();
      const under = await make();
      const bundle = await aBundle(temp.path, aRecord(7, runOf(101)));
      const pointer = pointerTo(bundle, await under.in(101).save(await rewritten(bundle), WITHIN));
      const newer = { ...pointer, digest: sha256(await readFile(path.join(bundle.folder, "carried.json"), "utf8")) };
      const restored = await restore(under.in(102), path.join(temp.path, "into"), newer);
      expect(restored).toMatchObject({
        ok: false,
        trouble: { kind: "newer", because: expect.stringContaining("Update") },
      });
    });

    it("never writes over what a run has saved: a second time it is another copy, or none", async () => {
      await using temp = await tempFolder();
      const under = await make();
      const bundle = await aBundle(temp.path, aRecord(7, runOf(101)));
      const first = await under.in(101).save(bundle, WITHIN);
      expect(first).toMatchObject({ ok: true });
      expect(await under.in(101).save(bundle, WITHIN)).not.toEqual(first);
    });

    it("saves a bundle that is still in the making when it is there, and nothing where it cannot be made", async () => {
      await using temp = await tempFolder();
      const carrier = (await make()).in(101);
      const saving = carrier.save(aBundle(temp.path, aRecord(7, runOf(101))), WITHIN);
      expect(await saving).toMatchObject({ ok: true });
      const failing = carrier.save(Promise.reject(new Error("the disk is full")), WITHIN);
      expect(await failing).toMatchObject({ ok: false });
    });

    it("takes no longer than it may, whatever the service does", async () => {
      await using temp = await tempFolder();
      const under = await make();
      const bundle = await aBundle(temp.path, aRecord(7, runOf(101)));
      under.hang();
      const begun = performance.now();
      const saved = await under.in(101).save(bundle, 700);
      const restored = await restore(under.in(101), path.join(temp.path, "into"), null, 700);
      expect(performance.now() - begun).toBeLessThan(4000);
      expect(saved).toMatchObject({ ok: false, trouble: { because: expect.stringContaining("longer than 0.7 s") } });
      const why = expect.stringContaining("longer than 0.7 s");
      expect(restored).toMatchObject({ ok: false, trouble: { kind: "unreachable", because: why } });
    });

    it("leaves nothing behind but what it restored", async () => {
      await using temp = await tempFolder();
      const under = await make();
      const bundle = await aBundle(temp.path, aRecord(7, runOf(101)));
      const before = await readdir(bundle.folder, { recursive: true });
      await under.in(101).save(bundle, WITHIN);
      expect(await readdir(bundle.folder, { recursive: true })).toEqual(before);
    });
  });
}

/** The same bundle with a manifest of a later version. */
async function rewritten(bundle: Bundle): Promise<Bundle> {
  const file = path.join(bundle.folder, "carried.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace('"record": {\n  "schema": 1', '"record": {\n  "schema": 2'));
  return bundle;
}
