/** A table in Markdown; what would be markup in the cells is escaped. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(heads), line(heads.map(() => "---")), ...rows.map((cells) => line(cells.map(escaped))), ""].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function escaped(cell: string): string {
  return cell
    .replaceAll("|", String.raw`\|`)
    .replaceAll("<", String.raw`\<`)
    .replaceAll("*", String.raw`\*`);
}
