import { Writable } from "node:stream";
import { createRunnerLog } from "../../src/os/runner-log.ts";
import { mutatedBytes, pieces } from "../mutate.ts";
import { hold, target } from "../target.ts";

const SECRET = 's3cr3t/Value+4="x"';
const SAID = [
  "::set-output name=a::b\n::error::x\n##[error]y\n  ::add-mask::e\n",
  "a\r::error::x\r\n\u0085::stop-commands::t\u2028::warning::y\n",
  `the key is ${SECRET} and ${encodeURIComponent(SECRET)} or ${Buffer.from(SECRET).toString("base64")}\n`,
  "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nabcdefghijklmnop\n-----END RSA PRIVATE KEY-----\nok\n",
  "\u001B[31m::group::x\u001B[0m\u200B::error::y #\u200B#[x]\n",
  "x".repeat(300),
];
const WORDS = [
  "::",
  "##[",
  "\r",
  "\n",
  "\u2028",
  "\u0085",
  "\uFEFF",
  "\u200B",
  "\u001B[0m",
  SECRET,
  SECRET.slice(0, 7),
  SECRET.slice(7),
];

/** What the runner takes for a command: `::` after blanks, or the old mark anywhere, as it compares texts. */
const COMMAND = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*::/u;
const OLD = /#\p{Default_Ignorable_Code_Point}*#\p{Default_Ignorable_Code_Point}*\[/u;

export const runnerLog = target({
  name: "runner-log",
  covers: ["os/runner-log.ts#createRunnerLog", "os/token-formats.ts#keyLines"],
  draw(random) {
    const bytes = Buffer.from(
      mutatedBytes(random, { seeds: SAID.map((text) => Buffer.from(text).toString("latin1")), words: WORDS }),
      "latin1",
    );
    return { parts: pieces(random, bytes).map((piece) => piece.toString("latin1")), short: random.once(3) };
  },
  check({ parts, short }) {
    let written = "";
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written += chunk.toString();
        done();
      },
    });
    const log = createRunnerLog(stream, { lineLength: short ? 40 : 4096, total: 1 << 20 });
    log.mask(SECRET);
    written = "";
    const said = log.foreignStream();
    for (const part of parts) said.write(Buffer.from(part, "latin1"));
    said.end();
    const text = Buffer.from(parts.join(""), "latin1").toString();
    log.line(text);
    log.line(`ours: ${text}`);
    const plain = written;
    written = "";
    log.warning(text, { title: text });
    log.group(text);
    const ours = written.trimEnd().split("\n");
    for (const line of plain.split(/\r\n|[\r\n\u0085\u2028\u2029]/u))
      hold(!COMMAND.test(line) && !OLD.test(line), `no command: ${line}`);
    hold(
      ours.length === 2 && ours.every((line) => /^::(?:warning title=[^:,]*|group)::/u.test(line)),
      "a command of ours is one line",
    );
    hold(!`${plain}${ours.join("\n")}`.includes(SECRET), "no secret is shown");
  },
});
