/** The colour of text that has none. */
export const PLAIN = "#c9d1d9";
const LINE = 18;
const CHARACTER = 7.8;
const PADDING = 16;

/** What a terminal shows. */
export interface TerminalPicture {
  /** what the picture is of, for those who do not see it */
  readonly title: string;
  readonly columns: number;
  /** longer ones are cut */
  readonly lines: readonly string[];
  /** the colour of a line */
  readonly fillOf: (line: string) => string;
}

/** A terminal as SVG; the same lines give the same bytes. */
export function terminalPicture({ title, columns, lines, fillOf }: TerminalPicture): string {
  const width = Math.ceil(columns * CHARACTER) + 2 * PADDING;
  const height = lines.length * LINE + 2 * PADDING;
  const texts = lines.map((line, index) => {
    const shown = line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
    return `  <text x="${PADDING}" y="${PADDING + (index + 1) * LINE - 5}" fill="${fillOf(line)}">${escaped(shown)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">`,
    ...texts,
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
