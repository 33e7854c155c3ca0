import { expect, test } from "vitest";
import type { Snapshot } from "../../src/core/state.ts";
import type { TestBaseline } from "../../src/core/ports.ts";

export interface TestBaselineFixture extends AsyncDisposable {
  /** the same loop, opened once more: by the next run, or on another machine */
  open(): Promise<TestBaseline>;
  /** a snapshot of a work tree with these files of tests, and the content of each */
  tree(files: Readonly<Record<string, string>>): Promise<Snapshot>;
}

const TEST = "import it from 'it';\nit('adds', () => {});\nit('subtracts', () => {});\n";
const UNCHANGED = {
  deleted: { count: 0 },
  emptied: { count: 0 },
  skipped: { count: 0 },
  changed: { count: 0 },
  scripts: { count: 0 },
};

/** What every memory of how the tests began has to keep. */
export function testBaselineContract(name: string, make: () => Promise<TestBaselineFixture>): void {
  test(`${name}: what was not remembered is not known [C21]`, async () => {
    await using fixture = await make();
    const tests = await fixture.open();
    expect(await tests.since(await fixture.tree({ "test/a.test.js": TEST }))).toBeNull();
  });

  test(`${name}: what has become of the tests is told by the next run as well [C21]`, async () => {
    await using fixture = await make();
    const tests = await fixture.open();
    const begun = await fixture.tree({ "test/a.test.js": TEST, "test/b.test.js": TEST, "src/a.js": "1\n" });
    await tests.remember(begun, 0);
    expect(await tests.since(begun)).toMatchObject({ since: 0, ...UNCHANGED });
    const later = await fixture.tree({ "test/a.test.js": `${TEST}it.skip('x', () => {});\n`, "src/a.js": "2\n" });
    const told = {
      ...UNCHANGED,
      deleted: { count: 1, paths: ["test/b.test.js"] },
      skipped: { count: 1, skips: [{ path: "test/a.test.js", marker: "it.skip" }] },
      changed: { count: 1, paths: ["test/a.test.js"] },
    };
    expect(await tests.since(later)).toMatchObject(told);
    const next = await fixture.open();
    await next.remember(later, 3);
    expect(await next.since(later)).toMatchObject({ since: 0, ...told });
  });

  test(`${name}: what is renamed or moved is not deleted [C21]`, async () => {
    await using fixture = await make();
    const tests = await fixture.open();
    await tests.remember(await fixture.tree({ "test/a.test.js": TEST, "test/b.test.js": `${TEST}\n` }), 2);
    const moved = await fixture.tree({ "test/renamed.test.js": TEST, "src/b.test.js": `${TEST}// moved\n` });
    expect(await tests.since(moved)).toMatchObject({ since: 2, ...UNCHANGED });
  });
}
