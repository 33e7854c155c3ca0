import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import type { Pins } from "../../src/agents/codex/published.ts";
import { digestTree } from "../../src/os/digest.ts";
import { tempFolder } from "./temp-folder.ts";

/** A package of the registry; several of one name are its versions. */
export interface PublishedPackage {
  /** `package.json`, with name and version */
  readonly manifest: { readonly name: string; readonly version: string } & Readonly<Record<string, unknown>>;
  /** path → content; what begins with `#!` is executable */
  readonly files: Readonly<Record<string, string>>;
}

export interface NpmRegistry extends AsyncDisposable {
  /** as in `npm_config_registry` */
  readonly url: string;
  /** paths that were asked for, oldest first */
  readonly requests: readonly string[];
}

interface Tarball {
  readonly manifest: PublishedPackage["manifest"];
  readonly bytes: Buffer;
}

/** Starts a registry on 127.0.0.1 that npm can install from; a package that hangs never arrives. */
export async function startNpmRegistry(
  packages: readonly PublishedPackage[],
  { hangs = false } = {},
): Promise<NpmRegistry> {
  const tarballs = await Promise.all(packages.map(pack));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(request.url ?? "/");
    requests.push(asked);
    if (hangs) return;
    const tarball = tarballs.find(({ manifest }) => asked === `/${fileOf(manifest)}`);
    if (tarball !== undefined) return void response.end(tarball.bytes);
    const versions = tarballs.filter(({ manifest }) => asked === `/${manifest.name}`);
    if (versions.length === 0) return void response.writeHead(404).end('{"error":"Not found"}');
    response.end(JSON.stringify(packument(versions, `http://${request.headers.host}`)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`,
    requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function fileOf({ name, version }: PublishedPackage["manifest"]): string {
  return `${name}/-/${name.replace(/^.*\//u, "")}-${version}.tgz`;
}

function packument(versions: readonly Tarball[], base: string) {
  const [name = ""] = versions.map(({ manifest }) => manifest.name);
  const described = versions.map(({ manifest, bytes }) => {
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    return [manifest.version, { ...manifest, dist: { tarball: `${base}/${fileOf(manifest)}`, integrity } }] as const;
  });
  return { name, "dist-tags": { latest: versions.at(-1)?.manifest.version }, versions: Object.fromEntries(described) };
}

async function pack(published: PublishedPackage): Promise<Tarball> {
  await using folder = await tempFolder();
  await writePackage(published, path.join(folder.path, "package"));
  await promisify(execFile)("tar", ["-czf", "package.tgz", "package"], { cwd: folder.path });
  return { manifest: published.manifest, bytes: await readFile(path.join(folder.path, "package.tgz")) };
}

/** Writes a package's files as npm does. */
export async function writePackage({ manifest, files }: PublishedPackage, into: string): Promise<void> {
  const all = { ...files, "package.json": JSON.stringify(manifest) };
  for (const [name, content] of Object.entries(all)) {
    const file = path.join(into, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    if (content.startsWith("#!")) await chmod(file, 0o755);
  }
}

/** What `publishedCodex` is known by. */
export async function pinsOf(packages: readonly PublishedPackage[], version: string): Promise<Pins> {
  await using folder = await tempFolder();
  const [launcher = "", program = ""] = await Promise.all(
    packages.map(async (published, at) => {
      const into = path.join(folder.path, String(at));
      await writePackage(published, into);
      return (await digestTree(into)) ?? "";
    }),
  );
  return { version, launcher, programs: { [`${process.platform}-${process.arch}`]: program } };
}

const TRIPLES: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/**
 * Codex as npm has it: a launcher, and the program for this platform in a version of its own that the launcher's package
 * takes as an optional dependency. The program only says its version, which is `says`.
 */
export function publishedCodex(version: string, says = version): readonly PublishedPackage[] {
  const platform = `${process.platform}-${process.arch}`;
  const program = `vendor/${TRIPLES[platform] ?? platform}/bin/codex`;
  return [
    {
      manifest: {
        name: "@openai/codex",
        version,
        bin: { codex: "bin/codex.js" },
        optionalDependencies: { [`@openai/codex-${platform}`]: `npm:@openai/codex@${version}-${platform}` },
        scripts: { install: "node -e 'process.exit(1)'" },
      },
      files: { "bin/codex.js": "#!/usr/bin/env node\nthrow new Error('the launcher is not for us');\n" },
    },
    {
      manifest: {
        name: "@openai/codex",
        version: `${version}-${platform}`,
        os: [process.platform],
        cpu: [process.arch],
      },
      files: { [program]: `#!/bin/sh\necho 'codex-cli ${says}'\n` },
    },
  ];
}
