import { hasCode } from "./file-errors.ts";

/** What a machine lacks or refuses, as system calls say it and as git and other programs do. */
const TROUBLES: readonly {
  readonly codes: readonly string[];
  readonly said: RegExp;
  readonly what: string;
  readonly next: string;
}[] = [
  {
    codes: ["ENOSPC"],
    said: /\bNo space left on device\b/u,
    what: "the disk is full",
    next: "Free some space",
  },
  {
    codes: ["EDQUOT"],
    said: /\bDisk quota exceeded\b/u,
    what: "your quota of the disk is used up",
    next: "Free some space, or have the quota raised",
  },
  {
    codes: ["EROFS"],
    said: /\bRead-only file system\b/u,
    what: "the file system is read-only",
    next: "Make it writable (a disk with errors is made read-only by the system: look at its log)",
  },
  {
    codes: ["EMFILE", "ENFILE"],
    said: /\bToo many open files\b/u,
    what: "too many files are open",
    next: "End what keeps them open, or raise the limit (ulimit -n)",
  },
  {
    codes: ["EFBIG"],
    said: /\bFile too large\b/u,
    what: "a file would become larger than is allowed here",
    next: "Raise the limit (ulimit -f)",
  },
  {
    codes: ["EIO"],
    said: /\bInput\/output error\b/u,
    what: "the disk fails",
    next: "Look at the system's log, and work on another disk",
  },
  {
    codes: ["EACCES", "EPERM"],
    said: /\bPermission denied\b|\bOperation not permitted\b/u,
    what: "permission is denied",
    next: "Correct the permissions",
  },
  {
    codes: ["EAGAIN", "ENOMEM"],
    said: /\bResource temporarily unavailable\b|\bCannot allocate memory\b/u,
    what: "the system has no process or no memory to spare",
    next: "End what takes them, or raise the limit (ulimit -u)",
  },
];

/** A fault of the machine and not of ours. */
export interface MachineTrouble {
  /** what it is, as a part of a sentence: `the disk is full` */
  readonly what: string;
  /** the cure, as the beginning of a sentence: `Free some space` */
  readonly next: string;
  /** the file that it was about; null: not known */
  readonly file: string | null;
  /** what could not be done to it */
  readonly done: "started" | "read" | "opened" | "written";
}

/** How many causes of an error are looked at. */
const CAUSES = 8;

/** The fault of the machine behind an error; undefined: it is something else. */
export function machineTrouble(error: unknown): MachineTrouble | undefined {
  let cause = error;
  for (let depth = 0; depth < CAUSES && cause instanceof Error; depth += 1) {
    const found = cause;
    const trouble = TROUBLES.find(({ codes }) => hasCode(found, ...codes));
    if (trouble !== undefined)
      return { what: trouble.what, next: trouble.next, file: fileOf(found), done: doneBy(found) };
    ({ cause } = found);
  }
  return undefined;
}

/** The same by what a program has said of it, as git does. */
export function troubleSaid(stderr: string): Pick<MachineTrouble, "what" | "next"> | undefined {
  return TROUBLES.find(({ said }) => said.test(stderr));
}

function fileOf(error: Error): string | null {
  return "path" in error && typeof error.path === "string" ? error.path : null;
}

const READING: ReadonlySet<string> = new Set(["read", "readlink", "scandir", "stat", "lstat", "realpath"]);

function doneBy(error: Error): MachineTrouble["done"] {
  const call = "syscall" in error && typeof error.syscall === "string" ? error.syscall : "";
  if (call.startsWith("spawn")) return "started";
  if (READING.has(call)) return "read";
  // A file without room is one that is written; for the rest it is not said what it was opened for.
  return call === "open" && hasCode(error, "EMFILE", "ENFILE", "EACCES", "EPERM") ? "opened" : "written";
}

/** The fault of the machine because of which a program that is there could not be started; undefined: something else. */
export function lackToStart(error: unknown): MachineTrouble | undefined {
  const isOwn = error instanceof Error && hasCode(error, "EACCES", "EPERM");
  return isOwn ? undefined : machineTrouble(error);
}
