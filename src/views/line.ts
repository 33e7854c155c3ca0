/** How a line is meant; a terminal may colour it. */
export type Tone = "plain" | "good" | "bad" | "warn" | "dim" | "strong";

/** One line for a person: plain text, without control characters. */
export interface Line {
  readonly tone: Tone;
  readonly text: string;
}

export function line(text: string, tone: Tone = "plain"): Line {
  return { tone, text };
}
