import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** The nodes that a Markdown text is read as, without the root. */
export function nodesOf(markdown: string): Nodes[] {
  const within = (node: Nodes): Nodes[] => [node, ...("children" in node ? node.children.flatMap(within) : [])];
  return fromMarkdown(markdown).children.flatMap(within);
}

/** The kinds of nodes, each once. */
export function kindsIn(markdown: string): string[] {
  return [...new Set(nodesOf(markdown).map((node) => node.type))].toSorted();
}

/** What the nodes of one kind hold. */
export function valuesIn(markdown: string, kind: "html" | "text"): string[] {
  return nodesOf(markdown).flatMap((node) => (node.type === kind && "value" in node ? [node.value] : []));
}
