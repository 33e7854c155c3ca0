import { once } from "node:events";
import { createServer } from "node:net";

/** Somebody's server: it takes whatever it is sent. */
export interface EvilServer extends AsyncDisposable {
  readonly port: number;
  /** all bytes so far, of all connections */
  readonly bytes: Buffer;
  /** how many connections there were */
  readonly calls: number;
}

export async function evilServer(): Promise<EvilServer> {
  const chunks: Buffer[] = [];
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      socket.end("HTTP/1.0 204 No Content\r\n\r\n");
    });
    socket.on("error", () => {});
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    get bytes() {
      return Buffer.concat(chunks);
    },
    get calls() {
      return calls;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

/** A socket of a program that tells everything to whoever asks, such as the diagnostics of the runner's own worker. */
export async function tellingSocket(file: string, words: string): Promise<AsyncDisposable> {
  const server = createServer((socket) => void socket.on("error", () => {}).end(words));
  await once(server.listen(file), "listening");
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}
