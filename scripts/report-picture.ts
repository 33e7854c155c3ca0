/**
 * Writes `docs/images/report.png`: the first screen of the page that `npm run demo` ends with, as a browser shows it. Beside
 * it goes the digest of what the picture shows, without names of folders and times, because pictures differ with the fonts
 * of a machine.
 *
 *     npm run report:picture                    runs the demo and writes the picture
 *     node scripts/report-picture.ts --check    changes nothing; exits 1 when the page has changed since
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { browser } from "../test/support/browser.ts";

const ROOT = path.join(import.meta.dirname, "..");
const PICTURE = path.join(ROOT, "docs/images/report.png");
const DIGEST = path.join(ROOT, "docs/images/report.sha256");
const SIZE = { width: 640, height: 1140 };

/** The page of a new run of the demo, with its first screen the same in every run. */
function page(): string {
  const script = path.join(ROOT, "examples/demo/run.mjs");
  const out = execFileSync(process.execPath, [script], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const folder = /^The repository: (.*)\/shop$/mu.exec(out)?.[1];
  const report = /^The report, for a browser: (.*)$/mu.exec(out)?.[1];
  if (folder === undefined || report === undefined) throw new Error(`The demo did not say where its page is:\n${out}`);
  const source = readFileSync(report, "utf8");
  rmSync(folder, { recursive: true });
  return source.replaceAll(/shop-[\dT-]+/gu, "shop").replaceAll(/\b\d+(?:\.\d)? s\b/gu, "2 s");
}

/** The part of the page that the picture shows, and how it looks. */
function shown(source: string): string {
  const [, style = ""] = /<style>(.*?)<\/style>/su.exec(source) ?? [];
  const [, first = ""] = /<main>(.*?)<h2 id="agent">/su.exec(source) ?? [];
  return `${style}\n${first}`;
}

async function photograph(source: string): Promise<Buffer> {
  await using chrome = await browser();
  await using opened = await chrome.open({ viewport: SIZE, deviceScaleFactor: 1.5 });
  await opened.page.setContent(source);
  return await opened.page.screenshot();
}

const made = page();
const digest = `${createHash("sha256").update(shown(made)).digest("hex")}\n`;
if (process.argv.includes("--check")) {
  const isCurrent = readFileSync(DIGEST, "utf8") === digest;
  if (!isCurrent) console.error("docs/images/report.png is out of date. Write it with: npm run report:picture");
  process.exitCode = isCurrent ? 0 : 1;
} else {
  writeFileSync(PICTURE, await photograph(made));
  writeFileSync(DIGEST, digest);
}
