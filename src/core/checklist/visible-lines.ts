const FENCE = /^\s*(?<fence>`{3,}(?=[^`]*$)|~{3,})/u;
/** Bounded, so that no text makes it slow. */
const COMMENT = /<!--.{0,1000}?-->/gu;

/**
 * The lines of a Markdown text, blank where they stand in fenced code or in a comment. A fence or a comment that is never
 * closed hides nothing: it must not make a plan look finished. No text takes it long.
 */
export function visibleLines(lines: readonly string[]): readonly string[] {
  const closers = lastClosers(lines);
  const lastEnd = lines.findLastIndex((line) => line.includes("-->"));
  let fence = "";
  let inComment = false;
  return lines.map((line, index) => {
    if (fence !== "") {
      if (closes(line, fence)) fence = "";
      return "";
    }
    if (inComment) {
      inComment = !line.includes("-->");
      return "";
    }
    fence = fenceOf(line);
    if (fence !== "" && closers.some((closer) => closer.index > index && closer.fence.startsWith(fence))) return "";
    fence = "";
    const shown = line.replace(COMMENT, "");
    inComment = shown.trimStart().startsWith("<!--") && lastEnd > index;
    return inComment ? "" : shown;
  });
}

/** The fence that a line begins with; "" when it is none. */
function fenceOf(line: string): string {
  return FENCE.exec(line)?.groups?.["fence"] ?? "";
}

function closes(line: string, fence: string): boolean {
  const found = fenceOf(line);
  return found.startsWith(fence) && line.trim() === found;
}

/** Of every fence that may close another, the last one. */
function lastClosers(lines: readonly string[]): readonly { readonly fence: string; readonly index: number }[] {
  const last = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const fence = fenceOf(line);
    if (fence !== "" && closes(line, fence)) last.set(fence, index);
  }
  return [...last].map(([fence, index]) => ({ fence, index }));
}
