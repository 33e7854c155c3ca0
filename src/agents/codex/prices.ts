import type { ListedPrice } from "../../core/cost/prices.ts";

const COPILOT_PRICES = "https://raw.githubusercontent.com/github/docs/main/data/tables/copilot/models-and-pricing.yml";
const RATE_CARD = "https://docs.rs/crate/codex-ops/0.1.3/source/data/codex-rate-card.json";

/** List prices of the models that Codex uses by a key, as of `PRICES_OF`, without discounts of a plan, a tier or a batch. */
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
