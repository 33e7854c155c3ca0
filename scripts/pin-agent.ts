import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { digestTree } from "../src/os/digest.ts";
import { mustRun, ROOT } from "./command.ts";

/**
 * Writes down what was published of the Codex that the lockfile names, after an update of it: `node scripts/pin-agent.ts`.
 * It asks npm for each package, compares it with the lockfile, and changes `src/agents/codex/published.ts`.
 */

const NAME = "@openai/codex";
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const TARGET = path.join(ROOT, "src/agents/codex/published.ts");

const { packages } = JSON.parse(await readFile(path.join(ROOT, "package-lock.json"), "utf8"));
const { version } = packages[`node_modules/${NAME}`];
const folder = await mkdtemp(path.join(tmpdir(), "pin-"));
try {
  const launcher = await digestOf("");
  const programs = [];
  for (const platform of PLATFORMS) programs.push(`    "${platform}": "${await digestOf(`-${platform}`)}",\n`);
  const values = `  version: "${version}",\n  launcher: "${launcher}",\n  programs: {\n${programs.join("")}  },\n`;
  const text = await readFile(TARGET, "utf8");
  await writeFile(TARGET, text.replace(/(?<=PINS: Pins = \{\n)[^;]*(?=\};)/u, values));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function digestOf(suffix: string): Promise<string | undefined> {
  const tarball = path.join(folder, `openai-codex-${version}${suffix}.tgz`);
  await mustRun(["npm", "pack", "--silent", "--pack-destination", folder, `${NAME}@${version}${suffix}`]);
  const integrity = `sha512-${createHash("sha512")
    .update(await readFile(tarball))
    .digest("base64")}`;
  const wanted = packages[`node_modules/${NAME}${suffix}`].integrity;
  if (integrity !== wanted) throw new Error(`${tarball} has ${integrity}, the lockfile wants ${wanted}`);
  const inside = path.join(folder, `package${suffix}`);
  await mkdir(inside);
  await mustRun(["tar", "-xzf", tarball, "-C", inside, "--strip-components=1"]);
  return digestTree(inside);
}
