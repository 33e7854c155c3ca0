import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { createRunnerLog, type RunnerLog } from "../../src/os/runner-log.ts";
import { Sink } from "../reporters/sink.ts";
import { runnerCommands, runnerLines } from "../support/runner/commands.ts";

function logged(say: (log: RunnerLog) => void, limits?: Parameters<typeof createRunnerLog>[1]): Sink {
  const sink = new Sink();
  say(createRunnerLog(sink, limits));
  return sink;
}

const FORGED = [
  "a\r::set-output name=x::y",
  "x ##[save-state name=s]v",
  "\u00A0::error::z",
  "::set-env name=A::B",
  "::add-mask::e",
  "::stop-commands::t",
  "##[error]x",
  "###[error]x",
  "\u001B[31m::error::x\u001B[0m",
  "#\u001B[0m#\u001B[0m[error]x",
  "#\u200B#\u00AD[error]x",
  "\u200B::error::x",
  "\u0085::error::x",
  "\u2028::error::x",
  "#\u0000#[error]x",
  "a\r\n::group::g\n\r::endgroup::",
  "%0A::error::x",
];

test("a secret that comes together when what nobody sees is taken out is not shown either [T2]", () => {
  const sink = logged((log) => {
    log.mask("s3cr3t-of-mine");
    for (const cut of ["s3cr3t\u2028-of-mine", "s3cr3t\u001B[31m-of-mine", "s3cr3t\u202E-of-mine"]) {
      log.warning(cut, { title: cut });
      log.group(cut);
    }
  });
  expect(sink.text.split("\n").slice(1).join("\n")).not.toContain("s3cr3t-of-mine");
  expect(runnerCommands(sink.text).map(({ name }) => name)).toContain("warning");
});

describe("what others say is never a command [T10]", () => {
  test.each(FORGED)("foreign text: %j", (text) => {
    const sink = logged((log) => log.foreign(text));
    expect(runnerCommands(sink.text)).toEqual([]);
    expect(runnerLines(sink.text).every((line) => line.startsWith("│ "))).toBe(true);
  });

  test.each(FORGED)("in our own line: %j", (text) => {
    const sink = logged((log) => {
      log.line(text);
      log.line(`[1/3] check failed: ${text}`);
    });
    expect(runnerCommands(sink.text)).toEqual([]);
    expect(sink.lines).toHaveLength(2);
  });

  test.each(FORGED)("in an annotation and a title: %j", (text) => {
    const sink = logged((log) => {
      log.error(text, { title: text });
      log.group(text);
    });
    expect(runnerCommands(sink.text).map(({ name }) => name)).toEqual(["error", "group"]);
    expect(sink.lines).toHaveLength(2);
  });

  test.each(FORGED)("cut anywhere into two chunks: %j", (text) => {
    const bytes = Buffer.from(`${text}\nend`);
    for (let at = 0; at <= bytes.length; at += 1) {
      const sink = logged((log) => {
        const stream = log.foreignStream();
        stream.write(bytes.subarray(0, at));
        stream.write(bytes.subarray(at));
        stream.end();
      });
      expect(sink.text).toBe(logged((log) => log.foreign(`${text}\nend`)).text);
    }
  });
});

describe("the log of a job", () => {
  test("keeps lines as lines, without colours and control characters", () => {
    const sink = logged((log) => log.foreign("\u001B[1mone\u001B[0m\r\n\r\ntwo\tthree\u0007\n"));
    expect(sink.lines).toEqual(["│ one", "│ ", "│ two\tthree"]);
  });

  test("no text gives no line", () => {
    expect(logged((log) => log.foreign("")).text).toBe("");
  });

  test("10 MB in one line cost one short line", () => {
    const sink = logged((log) => {
      const stream = log.foreignStream();
      for (let i = 0; i < 160; i += 1) stream.write("x".repeat(1 << 16));
      stream.write("\nnext");
      stream.end();
    });
    expect(sink.lines).toEqual([`│ ${"x".repeat(4096)}… (10481664 more characters)`, "│ next"]);
  });

  test("more than the share of the foreign text is left out with one note; our own lines are not", () => {
    const sink = logged(
      (log) => {
        for (let i = 0; i < 100; i += 1) log.foreign("12345");
        log.line("outcome");
      },
      { lineLength: 100, total: 12 },
    );
    expect(sink.lines).toEqual([
      "│ 12345",
      "│ 12345",
      "│ (more is not shown here: the log has had its share of output)",
      "outcome",
    ]);
  });

  test("a line of ours in the middle of a foreign one is alone", () => {
    const sink = logged((log) => {
      const stream = log.foreignStream();
      stream.write("half ");
      log.line("ours");
      stream.write("whole\n");
      stream.end();
    });
    expect(sink.lines).toEqual(["ours", "│ half whole"]);
  });

  test("a group ends where the next begins, and only once", () => {
    const sink = logged((log) => {
      log.endGroup();
      log.group("one");
      log.group("two\n::error::x");
      log.endGroup();
      log.endGroup();
    });
    expect(sink.lines).toEqual(["::group::one", "::endgroup::", "::group::two ::error::x", "::endgroup::"]);
  });

  test("annotations are escaped and read back as they were", () => {
    const sink = logged((log) => {
      log.notice("100 %\nsecond line");
      log.warning("text", { title: "a: b, c" });
      log.error("text", { title: "t", file: "a,line=1::b\n::c", line: 7 });
    });
    expect(runnerCommands(sink.text)).toMatchObject([
      { name: "notice", properties: {}, data: "100 %\nsecond line" },
      { name: "warning", properties: { title: "a: b, c" }, data: "text" },
      { name: "error", properties: { title: "t", file: "a,line=1::b ::c", line: "7" }, data: "text" },
    ]);
  });

  test.each(["s3cret", "100%25\r\nsecond\u001B[31m ##[error]x::y"])("a secret is masked as it is: %j", (secret) => {
    const sink = logged((log) => log.mask(secret));
    expect(runnerCommands(sink.text)).toMatchObject([{ name: "add-mask", data: secret }]);
    expect(sink.lines).toHaveLength(1);
  });

  test("an annotation is said once, and the eleventh of a level is a line", () => {
    const sink = logged((log) => {
      for (let round = 0; round < 2; round += 1) {
        for (let i = 1; i <= 11; i += 1) log.warning(`number ${i}`, { title: "t" });
      }
      log.warning("number 12");
      log.error("another level");
    });
    expect(runnerCommands(sink.text).filter(({ name }) => name === "warning")).toHaveLength(10);
    expect(sink.lines.slice(10)).toEqual(["warning: t: number 11", "warning: number 12", "::error::another level"]);
  });

  test("a runner that went away changes nothing", async () => {
    const sink = new Sink();
    const log = createRunnerLog(sink);
    sink.destroy(new Error("EPIPE"));
    await new Promise((resolve) => sink.once("close", resolve));
    log.line("x");
    log.foreign("y");
    await log.drained(Date.now() + 2_000);
    expect(sink.text).toBe("");
  });

  test("a log that nobody reads costs foreign lines and no time", async () => {
    const sink = new Sink("stuck");
    const log = createRunnerLog(sink);
    for (let i = 0; i < 10_000; i += 1) log.foreign("x".repeat(300));
    expect(sink.writableLength).toBeLessThan(1.2 * 2 ** 20);
    const before = Date.now();
    await log.drained(before + 50);
    expect(Date.now() - before).toBeLessThan(1_000);
  });

  test("drained waits for a reader that comes late, and lost lines are counted", async () => {
    let text = "";
    let read: (() => void) | undefined;
    let isOpen = false;
    const late = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString();
        if (isOpen) done();
        else read = done;
      },
    });
    const log = createRunnerLog(late);
    for (let i = 0; i < 4_000; i += 1) log.foreign("x".repeat(300));
    isOpen = true;
    read?.();
    await log.drained(Date.now() + 5_000);
    log.line("after");
    await log.drained(Date.now() + 5_000);
    expect(text.slice(-80)).toMatch(/│ \(\d+ lines left out: the log was too slow\)\nafter\n$/u);
  });
});

/** It tells its one error before anything else may be loaded. */
const GUARD = path.join("job", "post-guard.ts");

test("no other file of src/ writes commands, but for what guards post", async () => {
  const source = path.join(import.meta.dirname, "../../src");
  const found: string[] = [];
  for await (const name of glob("**/*.ts", { cwd: source })) {
    if (/["'`](?:::[a-z]|##\[)/u.test(await readFile(path.join(source, name), "utf8"))) found.push(name);
  }
  expect(found.toSorted()).toEqual([GUARD, path.join("os", "runner-log.ts")]);
});
