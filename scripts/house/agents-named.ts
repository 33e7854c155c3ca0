import { Visitor } from "oxc-parser";
import { atMost, type Row } from "./row.ts";
import { blanked, lineAt, type SourceFile } from "./tree.ts";

/**
 * Where any agent may be named: the list of agents, what people may set here and in another system's file, and what
 * files on disk are called, by us and by the tools whose files we write: these names came from the seeds and stay
 * whichever agent works.
 */
const MAY_NAME_ALL =
  /^(?:agents\/registry\.ts$|config\/(?:settings\/|foreign\.ts$)|core\/names\.ts$|views\/projections\/)/u;

/**
 * Nothing outside knows which agent it is.
 *
 * An agent is a folder of `src/agents`. Its name may be in that folder, in the registry, in the settings, and in texts
 * for people: strings and templates of several words that end as sentences do. Everything else names it: identifiers, or
 * parts of them (`codexHome`, `CODEX_HOME`), specifiers of imports, other strings, regular expressions, comments.
 */
export function agentsNamedOutside(tree: readonly SourceFile[]): Row {
  const agents = new Set(tree.flatMap(({ file }) => /^agents\/([^/]+)\//u.exec(file)?.[1] ?? []));
  const names = [...agents].map((agent) => ({ agent, name: nameOf(agent) }));
  const found = tree.flatMap((source) => {
    if (MAY_NAME_ALL.test(source.file)) return [];
    const elsewhere = names.filter(({ agent }) => !source.file.startsWith(`agents/${agent}/`));
    const code = blanked(source.text, messagesIn(source));
    const hits = elsewhere.flatMap(({ name }) => [...code.matchAll(name)]).map(({ index }) => lineAt(code, index));
    const lines = [...new Set(hits)].toSorted((one, other) => one - other);
    return lines.length === 0 ? [] : [`${source.file}:${lines.join(",")}`];
  });
  return atMost(0, "files that name an agent outside its folder", found.length, found);
}

/** Finds the name as a word, also as a part of camelCase and SNAKE_CASE. */
function nameOf(agent: string): RegExp {
  const parts = agent.split(/[^A-Za-z0-9]+/u);
  const spelled = (spell: (part: string) => string): string => parts.map(spell).join("[-_]?");
  const capital = (part: string): string => part.slice(0, 1).toUpperCase() + part.slice(1);
  const [first = "", ...rest] = parts;
  const camel = [first, ...rest.map(capital)].join("");
  const small = `(?<![A-Za-z])(?:${spelled((part) => part)}|${camel})`;
  const big = `(?<![A-Za-z])${spelled((part) => part.toUpperCase())}`;
  return new RegExp(`(?:${small}|(?<![A-Z])${spelled(capital)}|${big})(?![a-z])`, "gu");
}

/** As sentences end; a name never does, a command line or a pattern hardly ever. */
const MESSAGE = / .*[.!?]$/su;

interface Range {
  readonly start: number;
  readonly end: number;
}

function messagesIn({ program }: SourceFile): readonly Range[] {
  const messages: Range[] = [];
  new Visitor({
    Literal: (node) => void (typeof node.value === "string" && MESSAGE.test(node.value) && messages.push(node)),
    TemplateLiteral: ({ quasis }) => {
      if (MESSAGE.test(quasis.map(({ value }) => value.raw).join("…"))) messages.push(...quasis);
    },
  }).visit(program);
  return messages;
}
