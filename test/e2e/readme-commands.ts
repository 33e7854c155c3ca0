const FENCE = /^```sh\n(.*?)^```$/gmsu;
const INLINE = /`((?:smithers|npm|npx|node)\s[^`]+)`/gu;

/**
 * Every command that a Markdown text shows: each line of its shell blocks, with continued lines in one, and each piece
 * of inline code that begins with a program. In the order of the text, each only once.
 */
export function commandsIn(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(FENCE)].flatMap(([, block = ""]) =>
    block
      .replaceAll(/\s*\\\n\s*/gu, " ")
      .split("\n")
      .filter((line) => line !== ""),
  );
  const inline = [...markdown.replaceAll(/^```.*?^```$/gmsu, "").matchAll(INLINE)].map(([, code = ""]) => code);
  return [...new Set([...blocks, ...inline])];
}

/** Whether a text's first console block, which ends with `…`, is how a command of the demo begins, whenever that was run. */
export function showsBeginning(markdown: string, said: string): boolean {
  const undated = (shown: string): string => shown.replaceAll(/shop-[\dT-]+/gu, "shop-*");
  const [, example] = /^\$ [^\n]*\n(.*?)^…$/msu.exec(undated(markdown)) ?? [];
  return example !== undefined && undated(said).startsWith(example);
}
