import type { Price } from "../../core/cost/prices.ts";
import { parsedJson } from "../../core/text.ts";
import type { ItemRead, ObjectItems } from "../setting.ts";

const AMOUNTS = ["input", "cached-input", "output"];
const MOST = 1_000_000;

/** Items are kept as JSON texts, so that all settings hold texts. */
export const PRICE_ITEMS: ObjectItems = {
  read: (item) => {
    const said = typeof item === "string" ? parsedJson(item) : item;
    return isObject(said) ? readPrice(said) : { ok: false, expected: "an object" };
  },
  cure: 'write an item as {"model":"my-model","input":1.25,"cached-input":0.125,"output":10}, in USD for a million tokens; in a TOML file as { model = "my-model", input = 1.25, cached-input = 0.125, output = 10 }',
};

function readPrice(said: object): ItemRead {
  const values = new Map<string, unknown>(Object.entries(said));
  const unknown = [...values.keys()].find((key) => key !== "model" && !AMOUNTS.includes(key));
  if (unknown !== undefined) return { ok: false, expected: `no key ${JSON.stringify(unknown.slice(0, 80))}` };
  const model = values.get("model");
  if (typeof model !== "string" || model.trim() === "" || model.length > 200)
    return { ok: false, expected: "the name of a model as model" };
  const wrong = AMOUNTS.find((key) => !isAmount(values.get(key)));
  if (wrong !== undefined) return { ok: false, expected: `USD for a million tokens, from 0 to ${MOST}, as ${wrong}` };
  return {
    ok: true,
    text: JSON.stringify({ model, ...Object.fromEntries(AMOUNTS.map((key) => [key, values.get(key)])) }),
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MOST;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The prices that items which `PRICE_ITEMS` has read say, by model. */
export function pricesOf(items: readonly string[]): ReadonlyMap<string, Price> {
  return new Map(
    items.flatMap((item) => {
      const said = parsedJson(item);
      const values = new Map<string, unknown>(isObject(said) ? Object.entries(said) : []);
      const [model, ...amounts] = ["model", ...AMOUNTS].map((key) => values.get(key));
      const [input, cachedInput, output] = amounts.filter(isAmount);
      const isWhole =
        typeof model === "string" && input !== undefined && cachedInput !== undefined && output !== undefined;
      return isWhole ? [[model, { input, cachedInput, output }] as const] : [];
    }),
  );
}
