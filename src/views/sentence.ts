/** A part of a sentence as a whole one. */
export function sentence(part: string): string {
  return `${part.charAt(0).toUpperCase()}${part.slice(1)}.`;
}
