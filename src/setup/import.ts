import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../core/errors.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { fromSpec } from "./spec/from-spec.ts";
import { refusal, SPEC_BYTES, tooLarge } from "./spec/readable.ts";
import type { SetupFile } from "./control-files.ts";
import { counted } from "../views/amounts.ts";
import { setupFolder, type SetupFolder, tellStarted, writeSetupFiles } from "./setup.ts";
import type { Command } from "../app/command.ts";

/** Where the spec is stored, as usual with Ralph. */
const SPECS = "specs";

/**
 * `smithers import <spec> --name <name>`: makes a Markdown spec into Ralph's control files without a model, with
 * the spec kept beside them, in a git repository. Overwrites nothing.
 */
export const importSpec: Command = async (invocation, shell) => {
  const name = invocation.values.get("name");
  if (name === undefined) throw nameless(shell.program, invocation.operand);
  const folder = setupFolder(name, shell.cwd);
  const text = await readSpec(path.resolve(shell.cwd, invocation.operand), invocation.operand);
  const { copy, at } = await keptAt(invocation.operand, text, folder, shell.cwd);
  const { files, tally, notices } = fromSpec({ text, shown: invocation.operand, path: at });
  const written = [...files, ...copy];
  const madeRepository = await writeSetupFiles(folder, written);
  const facts = { spec: at, items: tally.items, ticked: tally.ticked };
  const fill = `read @fix_plan.md: ${counted(tally.items, "item")}, ${tally.ticked} of them ticked`;
  tellStarted({ folder, files: written, madeRepository, fill, notices, facts }, invocation, shell);
  return 0;
};

function nameless(program: string, spec: string): UsageError {
  const what = "It was not said which folder the files go to.";
  const next = `Say it with --name: ${program} import ${spec} --name my-project, or --name . for the current folder.`;
  return new UsageError([{ code: "NAME_MISSING", what, next }]);
}

/** @throws UsageError when the text does not exist */
async function readSpec(file: string, shown: string): Promise<string> {
  // A named pipe would hold us without O_NONBLOCK.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EISDIR")) throw error;
    throw refusal("SPEC_MISSING", `${shown} cannot be read.`, "Name a Markdown file");
  });
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw refusal("SPEC_MISSING", `${shown} is no file.`, "Name a Markdown file");
    if (info.size > SPEC_BYTES) throw tooLarge(shown);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await handle.readFile());
  } catch (error) {
    if (!hasCode(error, "ERR_ENCODING_INVALID_ENCODED_DATA")) throw error;
    throw refusal("SPEC_NOT_TEXT", `${shown} is no text in UTF-8.`, "Save it as Markdown in UTF-8");
  } finally {
    await handle.close();
  }
}

/** The spec's path relative to the folder: its own when it is inside, else a copy's. */
async function keptAt(
  shown: string,
  text: string,
  folder: SetupFolder,
  cwd: string,
): Promise<{ readonly at: string; readonly copy: readonly SetupFile[] }> {
  const root = (await unlessMissing(realpath(folder.path))) ?? folder.path;
  const inside = path.relative(root, await realpath(path.resolve(cwd, shown)));
  if (inside !== ".." && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside))
    return { at: inside.split(path.sep).join("/"), copy: [] };
  const at = `${SPECS}/${path.basename(shown)}`;
  return { at, copy: [{ path: at, about: "the whole spec, as it was", text }] };
}
