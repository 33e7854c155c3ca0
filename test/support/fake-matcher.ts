import type { Matcher } from "../../src/core/ports.ts";

/** As the real matcher: JavaScript regular expressions with the flag `u`. */
export function fakeMatcher(slowPatterns: readonly string[] = []): Matcher {
  return {
    async test(pattern, text) {
      if (slowPatterns.some((slow) => pattern.includes(slow))) return "timed_out";
      return new RegExp(pattern, "u").test(text) ? "match" : "none";
    },
  };
}
