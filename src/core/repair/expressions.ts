/** What is written in a text around its expressions. In linear time: others write these files. */
export function literalsIn(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf("${{"); at >= 0; at = text.indexOf("${{", from)) {
    const end = text.indexOf("}}", at);
    if (end < 0) break;
    parts.push(text.slice(from, at));
    from = end + 2;
  }
  return [...parts, text.slice(from)];
}

/** The expressions in a text, up to their ends, if they have one. In linear time. */
export function expressionsIn(text: string): readonly string[] {
  return text
    .split("${{")
    .slice(1)
    .flatMap((part) => part.split("}}", 1));
}
