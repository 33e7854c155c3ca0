import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createCacheCarrier } from "../../src/carry/cache.ts";
import type { BulkPointer, Bundle, Carrier, Restored } from "../../src/core/carry.ts";
import { type Caller, type ResultsService, startResultsService } from "../support/results/service.ts";
import { buildToolkitPrograms, type ToolkitPrograms } from "../support/results/toolkit-programs.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";
import { aBundle, aRecord } from "./a-loop.ts";

/** How long a carrier may take, in milliseconds. */
export const WITHIN = 20_000;

/** The cache service of a test file; each test finds it whole and empty, with a folder of its own. */
export class CacheBench {
  #service: ResultsService | undefined;
  #programs: ToolkitPrograms | undefined;
  #folder: TempFolder | undefined;
  #restored = 0;

  /** To be called once, at the top of the file. */
  static forFile(): CacheBench {
    const bench = new CacheBench();
    beforeAll(async () => {
      [bench.#service, bench.#programs] = await Promise.all([startResultsService(), buildToolkitPrograms()]);
    });
    afterAll(async () => {
      await bench.#service?.[Symbol.asyncDispose]();
      await bench.#programs?.[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      bench.service.heal();
      bench.service.cache.entries.length = 0;
      const folder = await tempFolder();
      bench.#folder = folder;
      return () => folder[Symbol.asyncDispose]();
    });
    return bench;
  }

  get service(): ResultsService {
    return held(this.#service);
  }

  get programs(): ToolkitPrograms {
    return held(this.#programs);
  }

  /** Of the test; absolute. */
  get folder(): string {
    return held(this.#folder).path;
  }

  carrier(env: Readonly<Record<string, string>> = {}, caller: Partial<Caller> = {}): Carrier {
    const scratch = path.join(this.folder, "scratch");
    const given = { ...this.service.environment(caller), ...env };
    return createCacheCarrier({ mark: "test", program: this.programs.cache, env: given, scratch });
  }

  bundle(revision = 7): Promise<Bundle> {
    return aBundle(this.folder, aRecord(revision));
  }

  async restore(from: Carrier, named: BulkPointer | null): Promise<Restored & { into: string }> {
    const into = path.join(this.folder, `into-${(this.#restored += 1)}`);
    await mkdir(into);
    const wanted = { loopId: "a-loop", named, unnamed: named === null, into };
    return { ...(await from.restore(wanted, WITHIN)), into };
  }
}

function held<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The bench is not ready.");
  return value;
}
