import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { answer, type Answer, type AnswerUsage, type Item, status } from "./model-answers.ts";
import { type ModelRequest, readModelRequest } from "./model-request.ts";

export * from "./model-answers.ts";
export type { ModelRequest } from "./model-request.ts";

/** What a script may give: a whole answer, or the one item it consists of. */
export type Reply = Answer | Item;

/** The script: one reply for each request in turn, or a function that is asked each time. */
export type Script = readonly Reply[] | ((request: ModelRequest, index: number) => Reply | Promise<Reply>);

export interface ModelServer extends AsyncDisposable {
  /** the base URL for a provider of Codex */
  readonly url: string;
  readonly port: number;
  /** every request so far, oldest first */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/**
 * Starts a model on 127.0.0.1 that says what the script says. A script that is at its end refuses the request, so that
 * the turn fails with a message that says so.
 */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method !== "POST") return void response.writeHead(404).end();
      const received = readModelRequest(request.headers, await text(request));
      const index = requests.push(received) - 1;
      const reply = typeof script === "function" ? await script(received, index) : (script[index] ?? exhausted(index));
      await send(response, "kind" in reply && typeof reply.kind === "string" ? asAnswer(reply) : answer([asItem(reply)]));
    })().catch((error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = addressOf(server.address());
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}/v1`, port, requests, close, [Symbol.asyncDispose]: close };
}
