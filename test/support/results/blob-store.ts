import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { startAzurite } from "./azurite.ts";
import { SHARED_AZURITE } from "./shared-azurite.ts";

/** Azurite's account, which its documentation publishes. */
const ACCOUNT = "devstoreaccount1";
const KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const VERSION = "2021-12-02";

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

/** Opens a store of its own in the Azurite of the run; starts one if none runs. */
export async function startBlobStore(): Promise<BlobStore> {
  await using stack = new AsyncDisposableStack();
  const shared = process.env[SHARED_AZURITE];
  const door = stack.use(await openDoor(shared === undefined ? stack.use(await startAzurite()).port : Number(shared)));
  const url = `http://127.0.0.1:${door.port}/${ACCOUNT}`;
  const container = `results-${randomUUID()}`;
  const created = await fetch(`${url}/${container}?restype=container&${accountSignature("c")}`, { method: "PUT" });
  if (!created.ok) throw new Error(`Azurite made no container: ${created.status} ${await created.text()}`);
  const address = (name: string, permissions: string): string => {
    const place = `${container}/${name}`;
    return `${url}/${place.split("/").map(encodeURIComponent).join("/")}?${blobSignature(place, permissions)}`;
  };
  const owned = stack.move();
  const stop = (): Promise<void> => owned.disposeAsync();
  return {
    uploadUrl: (name) => address(name, "cw"),
    downloadUrl: (name) => address(name, "r"),
    async read(name) {
      const answer = await fetch(address(name, "r"));
      if (!answer.ok) throw new Error(`${name} cannot be read: ${answer.status} ${await answer.text()}`);
      return Buffer.from(await answer.arrayBuffer());
    },
    async write(name, bytes) {
      const headers = { "x-ms-blob-type": "BlockBlob", "x-ms-blob-content-type": "application/zip" };
      const answer = await fetch(address(name, "cw"), { method: "PUT", headers, body: Buffer.from(bytes) });
      if (!answer.ok) throw new Error(`${name} cannot be written: ${answer.status} ${await answer.text()}`);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A port that leads to another one, until it is closed; so a store can go although others are in the same Azurite. */
async function openDoor(target: number): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (here) => {
    const there = connect({ port: target, host: "127.0.0.1", noDelay: true });
    for (const [socket, other] of [
      [here, there],
      [there, here],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on("error", () => other.destroy());
      socket.once("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The query that lets its bearer do something with one blob for an hour (a service SAS). */
function blobSignature(place: string, permissions: string): string {
  const until = inAnHour();
  const resource = `/blob/${ACCOUNT}/${place}`;
  // start, identifier, address, protocol, snapshot, encryption scope and the answer's headers are left open
  const signed = [permissions, "", until, resource, "", "", "", VERSION, "b", "", "", "", "", "", "", ""].join("\n");
  const query = { sv: VERSION, se: until, sr: "b", sp: permissions, sig: signature(signed) };
  return new URLSearchParams(query).toString();
}

/** The query that lets its bearer do something with the account's containers for an hour (an account SAS). */
function accountSignature(permissions: string): string {
  const until = inAnHour();
  const signed = [ACCOUNT, permissions, "b", "c", "", until, "", "", VERSION, "", ""].join("\n");
  const query = { sv: VERSION, ss: "b", srt: "c", sp: permissions, se: until, sig: signature(signed) };
  return new URLSearchParams(query).toString();
}

function signature(text: string): string {
  return createHmac("sha256", Buffer.from(KEY, "base64")).update(text, "utf8").digest("base64");
}

/** In the store's spelling, without milliseconds. */
function inAnHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/u, "Z");
}
