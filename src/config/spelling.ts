import type { Surface } from "./setting.ts";

/** How a person sets `name` on `surface`: `--sandbox read-only`, `--full-auto`; `sandbox: read-only` in the Action. */
export function spelling(surface: Surface, name: string, value: string): string {
  if (surface === "action") return `\`${name}: ${value}\``;
  return value === "on" ? `--${name}` : `--${name} ${value}`;
}
