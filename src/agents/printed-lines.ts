import type { AgentEvent } from "../core/agent.ts";
import { LineSplitter } from "./output.ts";

/** How many lines of a turn are told; the raw stream has all of them. */
const MOST_LINES = 2000;
const LINE_LENGTH = 1000;

type Stream = "stdout" | "stderr";

/** What a program prints, told a line at a time while it runs. Blank lines are left out. */
export class PrintedLines {
  readonly #splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  #waiting: AgentEvent[] = [];
  #told = 0;
  #isOver = false;
  #wake: () => void = () => {};

  push(stream: Stream, chunk: Buffer): void {
    this.#add(this.#splitters[stream].push(chunk).lines);
  }

  /** Nothing more is printed; what has no end of a line is told as well. */
  end(): void {
    for (const splitter of Object.values(this.#splitters)) this.#add(splitter.rest().lines);
    this.#isOver = true;
    this.#wake();
  }

  /** Ends after `end`. */
  async *events(): AsyncGenerator<AgentEvent> {
    for (;;) {
      yield* this.#waiting.splice(0);
      if (this.#isOver && this.#waiting.length === 0) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (this.#isOver || this.#waiting.length > 0) resolve();
      });
    }
  }

  #add(lines: readonly string[]): void {
    for (const text of lines) {
      if (text.trim() === "" || this.#told > MOST_LINES) continue;
      this.#told += 1;
      this.#waiting.push(this.#told > MOST_LINES ? MORE : { type: "output", text: text.slice(0, LINE_LENGTH) });
    }
    this.#wake();
  }
}

const MORE: AgentEvent = {
  type: "notice",
  text: `the agent prints more than ${MOST_LINES} lines in this turn: the rest is in events_iter_N.jsonl only`,
};
