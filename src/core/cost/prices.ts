import type { Usage } from "../agent.ts";

/** What a model costs, in USD for a million tokens. */
export interface Price {
  readonly input: number;
  /** input that the service has kept from an earlier request */
  readonly cachedInput: number;
  readonly output: number;
}

/** A line of the table: a price without a source is none. */
export interface ListedPrice extends Price {
  /** the model as it is named to the agent; a dated name (`-2026-01-31`) is the same model */
  readonly model: string;
  /** where the price stands */
  readonly source: string;
}

/** When the sources of the listed prices were read. */
export const PRICES_OF = "2026-11-24";

const DATED = /-\d{4}-\d{2}-\d{2}$/u;

/**
 * The price of a model.
 *
 * @param model null: nobody has said which one it is
 * @param own prices of the person's settings, by model; they go before the table
 * @param listed of the agent's models
 * @returns undefined when it is not known: then there is no cost, and not a wrong one
 */
export function priceOf(
  model: string | null,
  own: ReadonlyMap<string, Price>,
  listed: readonly ListedPrice[],
): Price | undefined {
  if (model === null) return undefined;
  const name = model.replace(DATED, "");
  return own.get(model) ?? own.get(name) ?? listed.find((price) => price.model === name);
}

const MILLION = 1_000_000;

/** What a use of tokens costs, in millionths of a USD, rounded up: a sum of many has no drift. */
export function costOf({ input, cachedInput, output }: Usage, price: Price): number {
  const fresh = Math.max(0, input - cachedInput);
  const cost = fresh * price.input + Math.min(cachedInput, input) * price.cachedInput + output * price.output;
  // A price in USD for a million tokens is one in millionths for a token.
  return Math.ceil(Math.round(cost * MILLION) / MILLION);
}
