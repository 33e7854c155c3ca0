import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { allOf } from "../../src/control/request-stream.ts";
import { createFolderControl, requestControl } from "../../src/control/folder.ts";
import { createSignalControl } from "../../src/control/signals.ts";
import type { Control } from "../../src/core/ports.ts";
import { controlContract, first } from "../contract/control-contract.ts";
import { tempFolder } from "../support/temp-folder.ts";

controlContract("folder and signals together", async () => {
  const folder = await tempFolder();
  const source = new EventEmitter();
  return {
    control: allOf([createSignalControl(source, () => undefined), createFolderControl(folder.path)]),
    ask: () => requestControl(folder.path, "stop", "smithers stop"),
    expected: { kind: "stop", by: "smithers stop" },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

const broken: Control = {
  watch() {
    throw new Error("broken");
  },
};

describe("several controls", () => {
  it("are all heard, one of them broken or not", async () => {
    const sources = [new EventEmitter(), new EventEmitter()];
    const control = allOf([broken, ...sources.map((source) => createSignalControl(source, () => undefined))]);
    const end = new AbortController();
    const requests = control.watch(end.signal);
    for (const source of sources) source.emit("SIGINT", "SIGINT");
    let heard = 0;
    for await (const _ of requests) if (++heard === 2) end.abort();
    expect(heard).toBe(2);
  });

  it("lets go of every one of them when its reader leaves [W-46]", async () => {
    const source = new EventEmitter();
    const requests = allOf([createSignalControl(source, () => undefined)]).watch(new AbortController().signal);
    source.emit("SIGINT", "SIGINT");
    await first(requests);
    expect(source.eventNames()).toEqual([]);
  });
});
