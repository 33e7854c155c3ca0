/** What the demonstration asks for. */
export const PROMPT = "Make the test suite green without changing the tests.";

/** The repository before the loop: two bugs, each with a test that shows it. */
export const FILES = {
  "package.json": `{ "name": "shop", "private": true, "type": "module" }\n`,
  "cart.js": `/** The price of everything in a cart, in cents. */
export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

/** A discount in percent, rounded to whole cents. */
export function discounted(cents, percent) {
  return cents - cents * percent;
}
`,
  "cart.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { discounted, total } from "./cart.js";

test("the total counts each item as often as it is bought", () => {
  assert.equal(total([{ price: 250, quantity: 2 }, { price: 100, quantity: 1 }]), 600);
});

test("a discount is a percentage", () => {
  assert.equal(discounted(1000, 15), 850);
});
`,
};

/** The two repairs. The agent makes the first and claims to be done; only the second makes the suite green. */
export const REPAIRS = [
  {
    before: "  return items.reduce((sum, item) => sum + item.price, 0);",
    after: "  return items.reduce((sum, item) => sum + item.price * item.quantity, 0);",
  },
  { before: "  return cents - cents * percent;", after: "  return Math.round(cents * (1 - percent / 100));" },
];
