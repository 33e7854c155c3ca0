import type { Backlog } from "../core/ports.ts";
import type { Item } from "../core/task.ts";

const TITLE_LIMIT = 80;

/** The user's prompt as the one and only item: the loop works on it until a stop rule ends the loop. */
export function createPromptBacklog(prompt: string): Backlog {
  const item: Item = { id: "task", title: titleOf(prompt), text: "" };
  return {
    async next() {
      return item;
    },
    async count() {
      return null;
    },
  };
}

/** The first line that says anything, at most 80 characters. */
function titleOf(prompt: string): string {
  const line = prompt.trimStart().split(/\r\n|\r|\n/u, 1)[0] ?? "";
  const characters = Array.from(line.trim());
  if (characters.length <= TITLE_LIMIT) return characters.join("");
  return `${characters.slice(0, TITLE_LIMIT - 1).join("")}…`;
}
