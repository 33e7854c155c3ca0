import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createSignalControl } from "../../src/control/signals.ts";
import { controlContract, first } from "../contract/control-contract.ts";

controlContract("signals", async () => {
  const source = new EventEmitter();
  return {
    control: createSignalControl(source, () => undefined),
    ask: () => void source.emit("SIGINT", "SIGINT"),
    expected: { kind: "stop", by: "SIGINT" },
    [Symbol.asyncDispose]: async () => undefined,
  };
});

describe("signals", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"])("%s asks for a stop [W-46]", async (name) => {
    const source = new EventEmitter();
    const end = new AbortController();
    const requests = createSignalControl(source, () => undefined).watch(end.signal);
    source.emit(name, name);
    expect(await first(requests)).toEqual({ kind: "stop", by: name });
  });

  it.each([
    [
      "a second Ctrl+C hurries",
      [
        ["SIGINT", 0],
        ["SIGINT", 900],
      ],
      1,
    ],
    [
      "so does every further one",
      [
        ["SIGINT", 0],
        ["SIGINT", 900],
        ["SIGINT", 2000],
      ],
      2,
    ],
    [
      "and the SIGTERM that follows in a cancelled job",
      [
        ["SIGINT", 0],
        ["SIGTERM", 7500],
      ],
      1,
    ],
    [
      "twice in quick succession counts",
      [
        ["SIGINT", 0],
        ["SIGINT", 400],
      ],
      1,
    ],
    [
      "one Ctrl+C that arrives twice does not",
      [
        ["SIGINT", 0],
        ["SIGINT", 3],
      ],
      0,
    ],
    [
      "Ctrl+C pressed again and again hurries",
      [
        ["SIGINT", 0],
        ["SIGINT", 90],
        ["SIGINT", 180],
        ["SIGINT", 270],
      ],
      1,
    ],
    [
      "nor SIGTERM and SIGHUP sent together",
      [
        ["SIGTERM", 0],
        ["SIGHUP", 1],
      ],
      0,
    ],
  ] as const)("%s [W-46]", (_what, signals, hurried) => {
    const source = new EventEmitter();
    const end = new AbortController();
    const onSecond = vi.fn<() => void>();
    let time = 0;
    createSignalControl(source, onSecond, () => time).watch(end.signal);
    for (const [name, at] of signals) {
      time = at;
      source.emit(name, name);
    }
    end.abort();
    expect(onSecond).toHaveBeenCalledTimes(hurried);
  });

  it("the handlers are gone when it ends [W-46]", () => {
    const source = new EventEmitter();
    const end = new AbortController();
    createSignalControl(source, () => undefined).watch(end.signal);
    expect(source.eventNames()).toEqual(["SIGINT", "SIGTERM", "SIGHUP"]);
    end.abort();
    expect(source.eventNames()).toEqual([]);
  });

  it("reaches a real process, which dies of the next signal once it has ended [W-46]", async () => {
    const script = path.join(import.meta.dirname, "told-by-signals.ts");
    const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.setEncoding("utf8");
    expect(await once(child.stdout, "data")).toEqual(["ready\n"]);
    child.kill("SIGTERM");
    expect(await once(child.stdout, "data")).toEqual(['{"kind":"stop","by":"SIGTERM"}\n']);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
  });
});
