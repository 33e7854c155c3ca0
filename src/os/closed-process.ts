import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";

/** How this process began. */
export interface Begun {
  /** milliseconds since the epoch; the runner's start of it, whatever program it has become since */
  readonly startedAt: number;
  /** whether the first line is in the log */
  readonly hasSpoken: boolean;
  /** why other processes can read the memory of this one, as a sentence's part; null: they cannot */
  readonly exposed: string | null;
}

/** Where the entry leaves it for the code that it loads. */
const BEGUN = Symbol.for("smithers.begun");
const shared: typeof globalThis & { [BEGUN]?: Begun } = globalThis;

/** How this process began, by what its entry did; see `goOnClosed`. */
export function begun(): Begun {
  const startedAt = Math.round(performance.timeOrigin);
  return shared[BEGUN] ?? { startedAt, hasSpoken: false, exposed: "it was not closed" };
}

/** The argument by which a program knows that it goes on; the runner gives none. */
const GOES_ON = "go-on";

/** What the program that goes on has to know, besides its files. */
interface Kept extends Begun {
  readonly env: Readonly<Record<string, string>>;
  /** the Node that runs, which the system calls otherwise where it was started through a loader */
  readonly execPath: string;
}

/**
 * Has this program begin again in the same process, without anything secret where others of its user can look: its
 * environment and command line are bare, what it needs to know comes by a file without a name, no signal opens Node's
 * inspector, and its memory is closed to all but root. Returns in the program that goes on, which has its environment
 * back, in memory only; also where none of this is possible.
 *
 * Call it before anything else: until then, all of it is open (docs/decisions/0027-closed-process.md).
 *
 * @param firstLine said at once
 */
export function goOnClosed(firstLine?: string): void {
  if (process.argv[2] === GOES_ON) return goOn();
  const hasSpoken = firstLine !== undefined && hasWritten(`${firstLine}\n`);
  const startedAt = Math.round(performance.timeOrigin);
  // Where it cannot begin again, at least Node's own listener is replaced.
  process.on("SIGUSR1", () => {});
  shared[BEGUN] = { startedAt, hasSpoken, exposed: beginAgain({ startedAt, hasSpoken }) };
}

/** @returns why it did not */
function beginAgain(begun: Pick<Begun, "startedAt" | "hasSpoken">): string {
  const script = process.argv[1];
  if (process.platform !== "linux") return `there is no way to do it on ${process.platform}`;
  if (typeof process.execve !== "function" || script === undefined) return `Node ${process.version} cannot do it`;
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value = ""]) => [name, value]));
  const loader = closedLoader();
  const exposed = typeof loader === "string" ? loader : null;
  const kept: Kept = { ...begun, exposed, env, execPath: process.execPath };
  if (!keepAsInput(JSON.stringify(kept))) return "there is no place for a file without a name";
  const bare = Object.fromEntries(Object.entries(env).filter(([name]) => isHarmless(name)));
  const rest = ["--disable-sigusr1", script, GOES_ON];
  if (typeof loader === "string") return process.execve(process.execPath, [process.execPath, ...rest], bare);
  return process.execve(loader.file, ["node", process.execPath, ...rest], bare);
}

function goOn(): void {
  process.on("SIGUSR1", () => {});
  const bytes = Buffer.alloc(fstatSync(0).size);
  readSync(0, bytes, 0, bytes.length, 0);
  const { env, execPath, ...begun }: Kept = JSON.parse(bytes.toString("utf8"));
  // What dies with us, or is inherited, holds nothing any more.
  ftruncateSync(0);
  bytes.fill(0);
  emptyInput();
  process.argv.splice(2, 1);
  process.argv[0] = execPath;
  process.execPath = execPath;
  // Node's own memory takes it: what the system shows of a process is what it was started with.
  for (const [name, value] of Object.entries(env)) process.env[name] = value;
  shared[BEGUN] = { ...begun, exposed: begun.exposed ?? seenOpen() };
}

/** What of a closed process lies in /proc is root's. @returns why this one is open all the same; null: it is closed */
function seenOpen(): string | null {
  try {
    if (statSync("/proc/self/environ").uid !== process.getuid?.()) return null;
    return "the kernel gives closed processes to their user (fs.suid_dumpable)";
  } catch {
    return "/proc does not show that it is closed";
  }
}

/** What Node, its libraries and the runner look at before the first line, none of which is secret. */
const HARMLESS = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "RUNNER_TRACKING_ID"],
  ...["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "NODE_ICU_DATA", "NODE_NO_WARNINGS"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF", "LD_LIBRARY_PATH", "LD_PRELOAD", "UV_THREADPOOL_SIZE"],
]);

function isHarmless(name: string): boolean {
  return HARMLESS.has(name) || name.startsWith("LC_");
}

/** The kernel's own number: Node has no name for it, and it is the same wherever Node runs on Linux. */
const O_TMPFILE = 0o20000000;

/** A file that has no name, so that nobody can have opened it. */
function unnamedIn(folder: string): number {
  return openSync(folder, constants.O_RDWR | constants.O_DIRECTORY | O_TMPFILE, 0o600);
}

/** The first of the places that has room; memory comes first. */
function unnamed(folders: readonly (string | undefined)[]): number | undefined {
  for (const folder of folders) {
    try {
      if (folder !== undefined && folder !== "") return unnamedIn(folder);
    } catch {
      // Another place may do.
    }
  }
  return undefined;
}

/** Makes a text this process's standard input: that is what goes on with the process. */
function keepAsInput(text: string): boolean {
  try {
    closeSync(0);
    const file = unnamed(["/dev/shm", process.env["RUNNER_TEMP"], tmpdir()]);
    if (file === 0 && writeSync(0, text, 0) === Buffer.byteLength(text)) return true;
    if (file !== undefined && file !== 0) closeSync(file);
  } catch {
    // What was written is gone with the descriptor.
  }
  emptyInput();
  return false;
}

function emptyInput(): void {
  try {
    closeSync(0);
  } catch {
    // It was closed.
  }
  openSync("/dev/null", "r");
}

/**
 * A copy of the system's loader that may be run and not read: a process that began with such a file is closed to others
 * of its user, and so are its environment, its descriptors and its core. It has no name, and is gone with the process.
 *
 * @returns why there is none, as a part of a sentence
 */
function closedLoader(): { readonly file: string } | string {
  if (process.getuid?.() === 0) return "it runs as root, whom no file is closed to";
  const loader = interpreterOf(process.execPath);
  if (loader === undefined || !/\/ld-linux[^/]*$/u.test(loader)) return "this system has another loader than glibc's";
  try {
    const written = unnamed([process.env["RUNNER_TEMP"], tmpdir()]);
    if (written === undefined) return "its temp folder takes no file without a name";
    const bytes = readFileSync(loader);
    if (writeSync(written, bytes) !== bytes.length) return "its temp folder is full";
    const opened = openSync(`/proc/self/fd/${written}`, constants.O_RDONLY);
    fchmodSync(opened, 0o111);
    // What somebody may still write to cannot be run.
    closeSync(written);
    const file = `/proc/self/fd/${opened}`;
    // A failed execve ends the process.
    accessSync(file, constants.X_OK);
    return { file };
  } catch {
    return "programs cannot be run from its temp folder";
  }
}

/** The program that the system starts an ELF program with: the path in its segment `PT_INTERP`. */
function interpreterOf(program: string): string | undefined {
  const file = openSync(program, constants.O_RDONLY);
  try {
    const head = Buffer.alloc(4096);
    readSync(file, head, 0, head.length, 0);
    // 64 bits, least significant byte first: what Node is built for.
    if (head.toString("latin1", 0, 6) !== "\u007FELF\u0002\u0001") return undefined;
    const [start, size, many] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
    for (let at = start; at < start + size * many && at + 56 <= head.length; at += size) {
      if (head.readUInt32LE(at) !== 3) continue;
      const path = Buffer.alloc(Math.min(Number(head.readBigUInt64LE(at + 32)), 4096));
      readSync(file, path, 0, path.length, Number(head.readBigUInt64LE(at + 8)));
      return path.toString("utf8").replace(/\0.*$/u, "");
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Whether all of it is with the reader now; it may be somebody who reads later. */
function hasWritten(text: string): boolean {
  try {
    return writeSync(1, text) === Buffer.byteLength(text);
  } catch {
    return false;
  }
}
