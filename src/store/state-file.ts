import { messageOf, OperationalError } from "../core/errors.ts";
import { count } from "../core/schema.ts";
import { type LoopState, stateSchema } from "../core/state.ts";
import { parsedJson } from "../core/text.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { machineTrouble } from "../os/machine-trouble.ts";
import { openToRead, readAtMost } from "../os/own-file.ts";
import { migrateSeedForm } from "./seed-form.ts";
import { z } from "zod";

/**
 * Reads a state file without taking the loop's lock; whole, because writers replace it in one step (W-40).
 *
 * @throws OperationalError `STATE_DAMAGED`, `STATE_NEWER` or `STATE_UNREADABLE`; the file is untouched
 */
export async function readState(file: string): Promise<LoopState | undefined> {
  const text = await readText(file);
  return text === undefined ? undefined : decodeState(text, file);
}

/** Replaces the state file, not before `first` is done; durable when resolved. */
export async function writeState(file: string, state: LoopState, first: Promise<unknown>): Promise<void> {
  await writeFileDurably(file, encodeState(state), first);
}

async function readText(file: string): Promise<string | undefined> {
  try {
    const handle = await unlessMissing(openToRead(file));
    if (handle === undefined) return undefined;
    try {
      const bytes = await readAtMost(handle, STATE_LIMIT);
      if (bytes === undefined) {
        const { size } = await handle.stat();
        throw damaged(file, tooLarge(size));
      }
      return bytes.toString("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof OperationalError) throw error;
    const trouble = machineTrouble(error);
    throw new OperationalError(
      {
        code: "STATE_UNREADABLE",
        what: `The state file ${file} cannot be read: ${trouble?.what ?? messageOf(error)}.`,
        next:
          trouble === undefined || hasCode(error, "EACCES", "EPERM")
            ? "Make the file readable for this user, or choose another --state-file."
            : `${trouble.next}. The file was not touched.`,
      },
      { cause: error },
    );
  }
}

/** The largest state file, in bytes; a larger one is not read. */
export const STATE_LIMIT = 1 << 20;

function tooLarge(bytes: number): string {
  return `it has ${bytes} bytes, and no state has more than ${STATE_LIMIT}`;
}

/** `MIGRATIONS[n]` brings schema n to schema n + 1; a file without `schema` is in the seed's form, schema 0. */
const MIGRATIONS: readonly ((older: unknown) => unknown)[] = [migrateSeedForm];
const CURRENT = MIGRATIONS.length;

/**
 * The text of a state file: for people as well as for programs, `schema` and `revision` first (W-41, W-48).
 *
 * @throws OperationalError `STATE_TOO_LARGE` for a state that could not be read again
 */
export function encodeState(state: LoopState): string {
  const { schema, revision, ...rest } = state;
  const text = `${JSON.stringify({ schema, revision, ...rest }, undefined, 2)}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= STATE_LIMIT) return text;
  throw new OperationalError({
    code: "STATE_TOO_LARGE",
    what: `The state of loop ${state.loop_id} would take ${bytes} bytes, more than the ${STATE_LIMIT} that are read again. It was not written; the last saved state is unharmed.`,
    next: "Use fewer quality commands, or let them print less.",
  });
}

/**
 * Reads the text of a state file, of this version's schema or an older one. Unknown keys are kept on every level.
 *
 * @throws OperationalError `STATE_NEWER` or `STATE_DAMAGED`
 */
export function decodeState(text: string, file: string): LoopState {
  const bytes = Buffer.byteLength(text);
  if (bytes > STATE_LIMIT) throw damaged(file, tooLarge(bytes));
  const raw = parsedJson(text);
  if (raw === undefined) throw damaged(file, "it is not JSON, or is too deep");
  const version = schemaOf(raw, file);
  try {
    const current = MIGRATIONS.slice(version).reduce<unknown>((older, migrate) => migrate(older), raw);
    // A process reads a state once or twice: compiling the schema takes longer than walking through it.
    return stateSchema.parse(current, { jitless: true });
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw damaged(file, firstProblem(error), error);
  }
}

/** Reads a state that was kept elsewhere. @throws as `decodeState` */
export function parseState(json: unknown): LoopState {
  const where = "the carried state";
  return decodeState(written(json, where), where);
}

/** Values within each other can be too many to be written down. */
function written(json: unknown, where: string): string {
  try {
    return JSON.stringify(json);
  } catch (error) {
    throw damaged(where, "it is too deep", error);
  }
}

function schemaOf(raw: unknown, file: string): number {
  const result = z.looseObject({ schema: count.default(0) }).safeParse(raw);
  if (!result.success) throw damaged(file, firstProblem(result.error), result.error);
  const { schema } = result.data;
  if (schema <= CURRENT) return schema;
  throw new OperationalError({
    code: "STATE_NEWER",
    what: `The state file ${file} was written by a newer version (schema ${schema}; this one knows up to ${CURRENT}). It was not touched.`,
    next: "Upgrade smithers, or start another loop with another --loop-id.",
  });
}

export function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  const where = issue?.path.join(".") ?? "";
  return `${where === "" ? "" : `${where}: `}${issue?.message ?? "it is not valid"}`;
}

export function damaged(file: string, why: string, cause?: unknown): OperationalError {
  return new OperationalError(
    {
      code: "STATE_DAMAGED",
      what: `The state file ${file} is damaged: ${why}. It was not touched.`,
      next: "Look at the file and repair it; or move it away, or start another loop with another --loop-id.",
    },
    { cause },
  );
}
