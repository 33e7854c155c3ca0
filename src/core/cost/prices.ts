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

/** When the sources below were read. */
export const PRICES_OF = "2026-11-24";

const COPILOT_PRICES = "https://raw.githubusercontent.com/github/docs/main/data/tables/copilot/models-and-pricing.yml";
const RATE_CARD = "https://docs.rs/crate/codex-ops/0.1.3/source/data/codex-rate-card.json";

/** List prices of the models that agents use by a key, without discounts of a plan, a tier or a batch. */
export const PRICES: readonly ListedPrice[] = [
  {
    ...{ model: "gpt-6.1-sol", input: 2, cachedInput: 0.1, output: 10 },
    source: "https://github.com/premk134/codex-token-watch/releases/tag/v0.3.3",
  },
  { model: "gpt-5.5", input: 5, cachedInput: 0.5, output: 30, source: RATE_CARD },
  { model: "gpt-5.4", input: 2.5, cachedInput: 0.25, output: 15, source: RATE_CARD },
  { model: "gpt-5.3-codex", input: 1.75, cachedInput: 0.175, output: 14, source: COPILOT_PRICES },
  { model: "gpt-5.2-codex", input: 1.75, cachedInput: 0.175, output: 14, source: COPILOT_PRICES },
  { model: "gpt-5.2", input: 1.75, cachedInput: 0.175, output: 14, source: COPILOT_PRICES },
  {
    ...{ model: "gpt-5-codex", input: 1.25, cachedInput: 0.125, output: 10 },
    source: "https://developers.openai.com/api/docs/models/gpt-5-codex",
  },
  {
    ...{ model: "codex-mini-latest", input: 1.5, cachedInput: 0.375, output: 6 },
    source: "https://developers.openai.com/api/docs/models/codex-mini-latest.md",
  },
];

const DATED = /-\d{4}-\d{2}-\d{2}$/u;

/**
 * The price of a model.
 *
 * @param model null: nobody has said which one it is
 * @param own prices of the person's settings, by model; they go before the table
 * @returns undefined when it is not known: then there is no cost, and not a wrong one
 */
export function priceOf(model: string | null, own: ReadonlyMap<string, Price>): Price | undefined {
  if (model === null) return undefined;
  const name = model.replace(DATED, "");
  return own.get(model) ?? own.get(name) ?? PRICES.find((price) => price.model === name);
}

const MILLION = 1_000_000;

/** What a use of tokens costs, in millionths of a USD, rounded up: a sum of many has no drift. */
export function costOf({ input, cachedInput, output }: Usage, price: Price): number {
  const fresh = Math.max(0, input - cachedInput);
  const cost = fresh * price.input + Math.min(cachedInput, input) * price.cachedInput + output * price.output;
  // A price in USD for a million tokens is one in millionths for a token.
  return Math.ceil(Math.round(cost * MILLION) / MILLION);
}
