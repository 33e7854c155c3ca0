import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable } from "node:stream";
import {
  BlobSASPermissions,
  BlobServiceClient,
  type BlockBlobClient,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";

/** Azurite's account, which its documentation publishes. */
const ACCOUNT = "devstoreaccount1";
const KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const CONTAINER = "results";
const PROGRAM = path.join(import.meta.dirname, "../../../node_modules/azurite/dist/src/blob/main.js");

/** A blob store with one container. */
export interface BlobStore extends AsyncDisposable {
  /** An address that may be written to without further credentials. */
  uploadUrl(name: string): string;
  /** An address that may be read without further credentials. */
  downloadUrl(name: string): string;
  read(name: string): Promise<Buffer>;
  /** Puts other bytes in a blob's place, which no client of GitHub's can. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Ends the store as an outage would: nobody answers at its addresses any more. */
  stop(): Promise<void>;
}

/** Starts Azurite, Microsoft's own stand-in for its blob store, with everything in memory. Takes about a second. */
export async function startAzurite(): Promise<BlobStore> {
  const child = spawn(
    process.execPath,
    [
      ...[PROGRAM, "--blobHost", "127.0.0.1", "--blobPort", "0", "--silent"],
      ...["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry"],
    ],
    { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env["PATH"] } },
  );
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  const url = await listeningUrl(child.stdout);
  const credential = new StorageSharedKeyCredential(ACCOUNT, KEY);
  const container = new BlobServiceClient(`${url}/${ACCOUNT}`, credential).getContainerClient(CONTAINER);
  await container.create();
  const blob = (name: string): BlockBlobClient => container.getBlockBlobClient(name);
  const sign = (name: string, permissions: string): string => {
    const expiresOn = new Date(Date.now() + 3_600_000);
    const query = generateBlobSASQueryParameters(
      { containerName: CONTAINER, blobName: name, permissions: BlobSASPermissions.parse(permissions), expiresOn },
      credential,
    );
    return `${blob(name).url}?${query.toString()}`;
  };
  return {
    uploadUrl: (name) => sign(name, "cw"),
    downloadUrl: (name) => sign(name, "r"),
    read: (name) => blob(name).downloadToBuffer(),
    async write(name, bytes) {
      await blob(name).uploadData(bytes, { blobHTTPHeaders: { blobContentType: "application/zip" } });
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Where it listens: a port of its own choosing, which it tells in a line. */
async function listeningUrl(stdout: Readable): Promise<string> {
  let said = "";
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    const url = /successfully listens on (http:\S+)/u.exec(said)?.[1];
    if (url !== undefined) {
      stdout.resume();
      return url;
    }
  }
  throw new Error(`Azurite did not start: ${said}`);
}
