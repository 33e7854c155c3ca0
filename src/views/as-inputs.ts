/** Advice that speaks of flags, in the words of a workflow: `--max-iterations` is the input `max-iterations`. */
export function asInputs(text: string): string {
  return text
    .replaceAll(/(?<![\w-])--no-(?<name>[a-z][a-z-]*)/gu, "$<name>: false")
    .replaceAll(/(?<![\w-])--(?<name>[a-z][a-z-]*)(?: <(?<value>[a-z|-]+)>)?/gu, "$<name>");
}
