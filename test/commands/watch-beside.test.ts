import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { comeBackLines, flagsOf, pageLine, ViewOfRun } from "../../src/commands/watch/beside.ts";
import { createSignalControl } from "../../src/control/signals.ts";
import { linesReporter } from "../../src/reporters/terminal.ts";
import { placeOf } from "../../src/store/place.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const counts = (): readonly number[] => SIGNALS.map((name) => process.listenerCount(name));

test("a run listens to signals until it is over, and hears them at once where no view is open [C127]", async () => {
  const stream = new PassThrough();
  const shell = { program: "smithers", cwd: "/", env: {}, stdout: stream, stderr: stream };
  const view = new ViewOfRun(shell, linesReporter(stream, { now: Date.now, deadline: null }), "behind");
  const before = counts();
  const over = new AbortController();
  const requests = createSignalControl(view.signals, () => undefined).watch(over.signal);
  expect(counts()).toEqual(before.map((count) => count + 1));
  process.emit("SIGTERM", "SIGTERM");
  for await (const request of requests) {
    expect(request).toEqual({ kind: "stop", by: "SIGTERM" });
    break;
  }
  over.abort();
  expect(counts()).toEqual(before);
});

test.each([
  ["where loops are", null, { cd: "/w", "loop-id": "greet" }],
  ["elsewhere", "build/state.json", { cd: "/w", "state-file": "build/state.json" }],
])("a loop %s is named by the flags that find it [C127]", (_, stateFile, flags) => {
  expect(flagsOf(placeOf("/w", "greet", stateFile))).toEqual(flags);
});

test.each([
  ["greet", null, "greet"],
  ["a\u001B]52;c;AAAA\u0007\u001B[2J; rm -rf ~", null, "'a; rm -rf ~'"],
  ["greet", "my build/\u009B2Jstate.json", "--state-file 'my build/state.json'"],
])(
  "what is told of a loop is one word of a shell, whatever its files are called: %j in %j [C120, T9]",
  async (loopId, stateFile, words) => {
    const stream = new PassThrough();
    const shell = { program: "smithers", cwd: "/", env: {}, stdout: stream, stderr: stream };
    const place = placeOf("/w", loopId, stateFile);
    const page = { tone: "plain", text: `Page: smithers report ${words}` };
    expect(await pageLine(place, shell)).toEqual(page);
    expect(comeBackLines(place, "smithers resume \u001B[2Jagain", shell)).toEqual([
      page,
      { tone: "plain", text: `Watch: smithers watch ${words}` },
      { tone: "plain", text: `Stop: smithers stop ${words}, and go on later with: smithers resume again` },
    ]);
  },
);
