import { z } from "zod";
import { type AgentEvent, NO_USAGE, type Usage } from "../core/agent.ts";
import { LineSplitter } from "./output.ts";

/** What an agent says that its turn has used so far. */
export interface ReportedUsage {
  readonly usage: Usage;
  /** in millionths of a USD; absent: it does not say */
  readonly cost?: number;
}

const BEGINS = "smithers: usage ";
const tokens = z.int().nonnegative().default(0);
const report = z.object({
  input_tokens: tokens,
  cached_input_tokens: tokens,
  output_tokens: tokens,
  reasoning_tokens: tokens,
  cost_usd: z.number().nonnegative().max(1_000_000).optional(),
});

/** A line `smithers: usage {"input_tokens": 1200, "output_tokens": 80, "cost_usd": 0.01}`; undefined: it is another one. */
export function readReportedUsage(line: string): ReportedUsage | undefined {
  if (!line.startsWith(BEGINS)) return undefined;
  const { success, data } = report.safeParse(parsed(line.slice(BEGINS.length)));
  if (!success) return undefined;
  const { input_tokens: input, cached_input_tokens: cachedInput, output_tokens: output, cost_usd: usd } = data;
  const usage = { ...NO_USAGE, input, cachedInput, output, reasoning: data.reasoning_tokens };
  return { usage, ...(usd === undefined ? {} : { cost: Math.ceil(usd * 1_000_000) }) };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** How many lines of a turn are told; the raw stream has all of them. */
const MOST_LINES = 2000;
const LINE_LENGTH = 1000;

type Stream = "stdout" | "stderr";

/**
 * What a program prints, told a line at a time while it runs. Blank lines are left out, and what it says on stderr of its
 * tokens is told as such.
 */
export class PrintedLines {
  readonly #splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  #waiting: AgentEvent[] = [];
  #told = 0;
  #isOver = false;
  #wake: () => void = () => {};
  #reported: ReportedUsage | undefined;

  /** what the program has said last of its tokens; undefined: nothing */
  get reported(): ReportedUsage | undefined {
    return this.#reported;
  }

  push(stream: Stream, chunk: Buffer): void {
    this.#add(stream, this.#splitters[stream].push(chunk).lines);
  }

  /** Nothing more is printed; what has no end of a line is told as well. */
  end(): void {
    for (const stream of ["stdout", "stderr"] as const) this.#add(stream, this.#splitters[stream].rest().lines);
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

  #add(stream: Stream, lines: readonly string[]): void {
    for (const text of lines) {
      const reported = stream === "stderr" ? readReportedUsage(text) : undefined;
      if (reported !== undefined) {
        this.#reported = reported;
        this.#waiting.push({ type: "usage", usage: reported.usage });
        continue;
      }
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
