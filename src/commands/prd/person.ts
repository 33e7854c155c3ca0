import { createInterface } from "node:readline";
import type { Shell } from "../../app/shell.ts";

/** A person at a terminal. */
export interface Person {
  /** @returns what they type, without spaces around it; undefined: Ctrl+C, or the terminal is gone */
  ask(question: string): Promise<string | undefined>;
}

/** Who can be asked; undefined: nobody is at a terminal. */
export function personAt({ stdin, stderr }: Shell): Person | undefined {
  if (stdin?.isTTY !== true || stderr.isTTY !== true) return undefined;
  /** lines that came before their question */
  const typed: string[] = [];
  let hasEnded = false;
  const read = (question: string): Promise<void> =>
    new Promise((resolve) => {
      // Only while it asks: in between, the terminal belongs to others, such as an editor.
      const lines = createInterface({ input: stdin, output: stderr });
      lines.on("line", (line) => {
        typed.push(line);
        // What was pasted with it comes in the same go.
        setImmediate(() => lines.close());
      });
      lines.once("close", () => {
        hasEnded = typed.length === 0;
        resolve();
      });
      lines.setPrompt(question);
      lines.prompt();
    });
  return {
    async ask(question) {
      if (typed.length > 0) stderr.write(`${question}\n`);
      else if (hasEnded || stdin.readableEnded) return undefined;
      else await read(question);
      return typed.shift()?.trim();
    },
  };
}

/** Whether an answer is a yes; `otherwise` is what an empty one means. */
export function isYes(answer: string | undefined, otherwise: boolean): boolean {
  return answer === "" ? otherwise : /^y(?:es)?$/iu.test(answer ?? "");
}
