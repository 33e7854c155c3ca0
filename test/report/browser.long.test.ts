import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import { aRedCheck, aVerdict, someFailing } from "../support/builders.ts";
import { browser } from "../support/browser.ts";
import { tempFolder, type TempFolder } from "../support/temp-folder.ts";
import { aCheck, aView, started } from "../views/a-state.ts";
import { EACH } from "../views/some-stories.ts";
import { iterations, page as pageOf, whole } from "./a-report.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** What has been tried against pages: in elements, in attributes, in scripts and styles, in addresses, in entities. */
const XSS = [
  "<script>window.pwned=1;alert(1)</script>",
  "</script><script>window.pwned=1</script>",
  "</style><script>window.pwned=1</script>",
  "</pre></details></main><img src=x onerror='window.pwned=1'>",
  '"><svg onload=window.pwned=1>',
  "' autofocus onfocus=window.pwned=1 x='",
  "<a href='javascript:window.pwned=1'>click</a>",
  "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
  "<img src='https://example.invalid/leak?x'><link rel=stylesheet href=//example.invalid/a.css>",
  "<base href='https://example.invalid/'><meta http-equiv=refresh content='0;url=https://example.invalid/'>",
  "<form action='https://example.invalid/'><button formaction='javascript:window.pwned=1'>",
  "&lt;script&gt;window.pwned=1&lt;/script&gt;",
  "<!--><script>window.pwned=1</script-->",
  "<math><mtext></p><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=window.pwned=1&gt;'>",
  "${window.pwned=1} {{constructor.constructor('window.pwned=1')()}}",
  "\u202Egnp.exe\u0000<script\u0000>window.pwned=1</script>",
].join("\n");

let folder: TempFolder;
let chrome: Awaited<ReturnType<typeof browser>>;

beforeAll(async () => {
  folder = await tempFolder();
  chrome = await browser();
});

afterAll(async () => {
  await chrome[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** A page with everything that a page can have, in every text of which `said` stands. @returns its address */
async function written(name: string, said = "ordinary words", count = 4): Promise<string> {
  const red = aRedCheck({ command: `npm test ${said}`, tail: said, tests: someFailing([said]) });
  const state = {
    prompt: said,
    iteration: count,
    status: "stopped_max_iterations",
    stop_reason: { kind: "max_iterations", max: count },
    stories: EACH.stories,
    checks: { success_cmd: ["npm", "test"], success_sh: null, quality_commands: [], ci_workflow: null },
    verdict: aVerdict("failed", [aCheck(), red]),
    baseline: { failing: [said, "b > c"], failing_count: 2, failing_digest: "d", early: false },
    failing: { failing: [said], failing_count: 1, failing_digest: "d", early: false },
  } as const;
  const ended: LoopEvent = {
    type: "loop_stopped",
    at: "2026-01-06T21:20:00.000+00:00",
    commit: null,
    reason: { kind: "agent_blocked", why: said },
  };
  const stat = `src/${said.replaceAll("\n", " ")}.ts | +1 -1\na.test.ts | +2 -0`;
  const source = await pageOf({
    view: aView(state, {
      branch: said,
      prd: { ...EACH.prd, stories: EACH.prd.stories.map((story) => ({ ...story, title: said })) },
      change: { files: 2, added: 3, removed: 1, stat, only_tests: false },
    }),
    events: [started(), ...iterations(count), ended],
    textsOf: async () => ({
      prompt: whole(said),
      changes: whole(`+${said}\n-${said}`),
      checks: whole(said),
      message: whole(said),
    }),
  });
  const file = path.join(folder.path, `${name}.html`);
  await writeFile(file, source);
  return pathToFileURL(file).href;
}

test("the page renders from a disk: nothing is asked for, and nobody complains [C134]", async () => {
  const url = await written("plain");
  await using opened = await chrome.open();
  await opened.page.goto(url);
  expect(await opened.page.locator("h1").textContent()).toContain("stopped_max_iterations");
  expect(await opened.page.locator("svg.plot").count()).toBe(4);
  expect(opened.requests.filter((each) => !each.startsWith("data:"))).toEqual([url]);
  expect(opened.complaints).toEqual([]);
});

test("hostile text in every place of the page does nothing [C134, T3]", async () => {
  const url = await written("hostile", XSS);
  await using opened = await chrome.open();
  const { page } = opened;
  await page.goto(url);
  await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
  await page.locator("#search-for").fill("<script>window.pwned=1</script>");
  await expect.poll(() => page.locator("#search-found").textContent()).toMatch(/^\d+ of /u);
  expect(await page.evaluate("window.pwned")).toBeUndefined();
  expect(
    await page.evaluate("document.querySelectorAll('img, iframe, base, form[action], math, main script').length"),
  ).toBe(0);
  expect(opened.requests.filter((each) => !each.startsWith("data:"))).toEqual([url]);
  expect(opened.complaints).toEqual([]);
  expect(page.url()).toBe(url);
});

test("the policy stops what gets into the page all the same [C134]", async () => {
  const url = await written("policy");
  await using opened = await chrome.open();
  await opened.page.goto(url);
  await opened.page.evaluate(`
    const script = document.createElement("script"); script.textContent = "window.pwned = 1"; document.body.append(script);
    const image = new Image(); image.src = "https://example.invalid/x"; document.body.append(image);
    document.body.setAttribute("onclick", "window.pwned = 1"); document.body.click();`);
  await expect.poll(() => opened.complaints.length).toBe(3);
  expect(await opened.page.evaluate("window.pwned")).toBeUndefined();
});

test("search leaves only what has the words, and Enter opens the first of it [C131]", async () => {
  await using opened = await chrome.open();
  const { page } = opened;
  await page.goto(await written("search"));
  await page.locator("#search-for").fill("OUTPUT OF 3");
  await expect.poll(() => page.locator("#search-found").textContent()).toMatch(/^1 of \d+ entries$/u);
  expect(await page.locator(".searched:visible").count()).toBe(1);
  await page.locator("#search-for").press("Enter");
  await expect.poll(() => page.locator("#i3").isVisible()).toBe(true);
  await page.locator("#search-for").fill("");
  await expect.poll(() => page.locator("#search-found").textContent()).toBe("");
  await page.locator("#search-for").fill("US-004");
  await expect.poll(() => page.locator(".searched:visible").count()).toBe(1);
  // What a link leads to is shown although the search has hidden it.
  await page.locator(".strip a").first().click();
  await expect.poll(() => page.locator("#i1").isVisible()).toBe(true);
});

test.each([
  ["with scripts", true],
  ["without scripts", false],
])("a link opens the folds that it leads into, %s, and all else is there [C131]", async (_, javaScriptEnabled) => {
  const url = await written(`links-${javaScriptEnabled}`);
  await using opened = await chrome.open({ javaScriptEnabled });
  const { page } = opened;
  await page.goto(`${url}#i3-check-1`);
  await expect.poll(() => page.locator("#i3-check-1").isVisible()).toBe(true);
  expect(await page.locator("#i3-check-1").textContent()).toContain("output of 3");
  await expect.poll(async () => (await page.locator("#i3-check-1").boundingBox())?.y).toBeLessThan(720);
  expect(await page.locator("#i2").isVisible()).toBe(false);
  await page.locator(".strip a").nth(1).click();
  await expect.poll(() => page.locator("#i2").isVisible()).toBe(true);
  expect(await page.locator("#search").isVisible()).toBe(javaScriptEnabled);
  expect(await page.locator("#iterations").isVisible()).toBe(true);
});

test("copy for an agent puts the text into the clipboard, and says so [C131]", async () => {
  await using opened = await chrome.open({ permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = opened;
  await page.goto(await written("copy"));
  const button = page.locator("[data-copy=for-an-agent]");
  await button.click();
  await expect.poll(() => button.textContent()).toBe("Copied");
  expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^Task:\nordinary words\n/u);
});

test.each(["light", "dark"] as const)(
  "in the %s scheme axe finds nothing against the page, folded or not [C132]",
  async (colorScheme) => {
    await using opened = await chrome.open({ colorScheme });
    const { page } = opened;
    await page.goto(await written(`axe-${colorScheme}`));
    for (const isOpen of [false, true]) {
      await page.evaluate(`document.querySelectorAll("details").forEach((each) => { each.open = ${isOpen}; })`);
      await page.evaluate(axe.source);
      const found = await page.evaluate<readonly string[]>(
        "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))",
      );
      expect(found).toEqual([]);
    }
  },
);

test("the charts stand in the accessibility tree by their names and sentences [C132]", async () => {
  await using opened = await chrome.open();
  await opened.page.goto(await written("tree"));
  const session = await opened.page.context().newCDPSession(opened.page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const images = nodes.filter(({ role }) => role?.value === "image" || role?.value === "img");
  expect(images.map(({ name }) => String(name?.value))).toEqual([
    expect.stringMatching(/^Failing tests after each iteration From 1 /u),
    expect.stringMatching(/^Time of each iteration Most in iteration 1: /u),
    expect.stringMatching(/^Tokens and cost of each iteration Most in /u),
    expect.stringMatching(/^Lines changed in each iteration 12 lines added and 4 removed/u),
  ]);
});

test("on a phone nothing scrolls sideways, whatever the words [C130]", async () => {
  const url = await written("phone", `${"unbreakable".repeat(60)} ${XSS}`, 60);
  await using opened = await chrome.open(PHONE);
  await opened.page.goto(url);
  for (const isOpen of [false, true]) {
    await opened.page.evaluate(`document.querySelectorAll("details").forEach((each) => { each.open = ${isOpen}; })`);
    expect(await opened.page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    // Nor does a chart, and its words are large enough.
    const charts = await opened.page.evaluate<readonly (readonly [number, number])[]>(
      `[...document.querySelectorAll("svg.plot")].map((each) =>
        [each.parentElement.scrollWidth - each.parentElement.clientWidth, each.querySelector("text").getBoundingClientRect().height])`,
    );
    expect(charts.filter(([beyond, height]) => beyond > 0 || height < 9)).toEqual([]);
  }
});

test("all of it can be reached and unfolded by keyboard [C130]", async () => {
  await using opened = await chrome.open();
  const { page } = opened;
  await page.goto(await written("keys"));
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.className")).toBe("skip");
  await page.locator("summary", { hasText: "Iteration 2" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("#i2").isVisible()).toBe(true);
});

test("500 iterations are shown within a few seconds [C133]", async () => {
  const url = await written("many", "ordinary words", 500);
  await using opened = await chrome.open();
  await opened.page.goto(url);
  expect(await opened.page.locator(".strip a").count()).toBe(500);
  const took = await opened.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd");
  expect(Number(took)).toBeLessThan(5_000);
  expect(opened.complaints).toEqual([]);
});
