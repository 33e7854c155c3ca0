/** One command of a shell's text. */
export interface Command {
  readonly words: readonly string[];
  /** what stands between it and the next: `&&`, `||`, `;`, `|`, `&`; "" at the end */
  readonly operator: string;
}

const MOST_COMMANDS = 200;
const MOST_WORDS = 200;
/** What a command may begin with that is no program. */
const KEYWORDS: ReadonlySet<string> = new Set("if then else elif while until do time ! exec command".split(" "));

/**
 * The commands of one line of a shell, in order. Quotes and substitutions are seen, and not looked into. Linear.
 *
 * @param line at most some thousand characters
 */
export function splitCommands(line: string): readonly Command[] {
  const commands: { words: string[]; operator: string }[] = [];
  let words: string[] = [];
  const end = (operator: string): void => {
    // Behind `( … )` an operator is that of the group.
    const last = commands.at(-1);
    if (words.length > 0) commands.push({ words, operator });
    else if (last !== undefined) last.operator = operator;
    words = [];
  };
  for (const token of shellTokens(line)) {
    if (commands.length >= MOST_COMMANDS) break;
    if (token.operator) end(token.text);
    else if (!(words.length === 0 && KEYWORDS.has(token.text)) && words.length < MOST_WORDS) words.push(token.text);
  }
  if (words.length > 0) end("");
  return commands;
}

interface ShellToken {
  readonly operator: boolean;
  readonly text: string;
}

const OPERATOR = /&&|\|\||;;|\|&|[;|&]|\n/uy;
const REDIRECT = /\d?(?:>>|>&|<&|&>|>|<)[&-]?\d?/uy;

function* shellTokens(line: string): Generator<ShellToken> {
  let word = "";
  let quoted = false;
  /** whether the next word is the file that a redirection goes to */
  let isFile = false;
  let at = 0;
  while (at < line.length) {
    const char = line.charAt(at);
    REDIRECT.lastIndex = at;
    OPERATOR.lastIndex = at;
    const redirect = REDIRECT.exec(line)?.[0];
    const operator = redirect === undefined ? OPERATOR.exec(line)?.[0] : undefined;
    const isEnd = redirect !== undefined || operator !== undefined || /[\s(){}]/u.test(char);
    if (isEnd && (word !== "" || quoted)) {
      if (!isFile) yield { operator: false, text: word };
      word = "";
      quoted = false;
      isFile = false;
    }
    if (redirect !== undefined) isFile = !/&[-\d]$/u.test(redirect);
    if (operator !== undefined) yield { operator: true, text: operator === "\n" || operator === ";;" ? ";" : operator };
    if (isEnd) at += (redirect ?? operator ?? char).length;
    else if (char === "#" && word === "") return;
    else {
      const next = endOfPart(line, at);
      quoted ||= char === '"' || char === "'";
      word += quoted && next - at > 1 ? line.slice(at + 1, next - 1) : line.slice(at, next);
      at = next;
    }
  }
  if ((word !== "" || quoted) && !isFile) yield { operator: false, text: word };
}

/** Where a quoted text, a substitution or a character ends. */
function endOfPart(line: string, at: number): number {
  const char = line.charAt(at);
  if (char === '"' || char === "'" || char === "`") {
    for (let end = at + 1; end < line.length; end += 1) {
      if (line[end] === "\\" && char !== "'") end += 1;
      else if (line[end] === char) return end + 1;
    }
    return line.length;
  }
  if (char === "\\") return Math.min(line.length, at + 2);
  const close = line.startsWith("${{", at)
    ? "}}"
    : line.startsWith("$(", at)
      ? ")"
      : line.startsWith("${", at)
        ? "}"
        : "";
  if (close === "") return at + 1;
  const end = line.indexOf(close, at);
  return end === -1 ? line.length : end + close.length;
}
