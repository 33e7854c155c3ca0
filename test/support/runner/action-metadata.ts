import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const METADATA = z.object({
  inputs: z.record(z.string(), z.object({ default: z.coerce.string().optional() }).nullable()).default({}),
  runs: z.object({ using: z.string(), main: z.string(), post: z.string().optional() }),
});

/** What the runner takes from `action.yml`. */
export type ActionMetadata = z.output<typeof METADATA>;

const known = new Map<string, ActionMetadata>();

/** Reads `action.yml`, once for each folder. A path in `runs` is relative to its folder. */
export async function readAction(actionDir: string): Promise<ActionMetadata> {
  const read =
    known.get(actionDir) ?? METADATA.parse(parse(await readFile(path.join(actionDir, "action.yml"), "utf8")));
  known.set(actionDir, read);
  return read;
}

/** What `${{ … }}` in a default stands for: `github.token` and the like. An unknown name gives the empty text. */
export type Expressions = Readonly<Record<string, string>>;

/**
 * The inputs as the runner passes them: defaults first, `required` not enforced, an unknown input passed as well; names
 * in upper case, spaces as `_`, hyphens as they are.
 */
export function inputEnvironment(
  { inputs }: ActionMetadata,
  given: Readonly<Record<string, string>>,
  expressions: Expressions,
): Record<string, string> {
  const env: Record<string, string> = {};
  const set = (name: string, value: string): void => {
    env[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] = value;
  };
  for (const [name, input] of Object.entries(inputs)) {
    const text = input?.default ?? "";
    set(
      name,
      text.replaceAll(/\$\{\{\s*(.+?)\s*\}\}/gu, (_, expression: string) => expressions[expression] ?? ""),
    );
  }
  for (const [name, value] of Object.entries(given)) set(name, value);
  return env;
}
