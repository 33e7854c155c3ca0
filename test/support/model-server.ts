import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import {
  answer,
  type Answer,
  type AnswerUsage,
  type Item,
  message,
  status,
  type StatusAnswer,
} from "./model-answers.ts";
import { type ModelRequest, readModelRequest } from "./model-request.ts";

export * from "./model-answers.ts";
export type { ModelRequest } from "./model-request.ts";

/** What a script may give: a whole answer, or the one item that it consists of. */
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
  const reply = async (request: ModelRequest) => {
    const index = requests.push(request) - 1;
    return typeof script === "function" ? await script(request, index) : (script[index] ?? exhausted(index));
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      if (request.method !== "POST") return void response.writeHead(404).end();
      await send(response, await reply(readModelRequest(request.headers, await text(request))));
    } catch (error) {
      // A script that throws would otherwise only be seen as a turn that hangs.
      respond(response, status(400, { error: { message: `The model's script failed: ${String(error)}` } }));
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}/v1`, port, requests, close, [Symbol.asyncDispose]: close };
}

function exhausted(index: number): Answer {
  return status(400, { error: { message: `The model's script has no answer number ${index + 1}.` } });
}

function isAnswer(reply: Reply): reply is Answer {
  return "kind" in reply;
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const given = isAnswer(reply) ? reply : answer([reply]);
  switch (given.kind) {
    case "status":
      return respond(response, given);
    case "items":
      begin(response);
      sendItems(response, given.items);
      event(response, { type: "response.completed", response: { id: "resp", usage: usageOnWire(given.usage) } });
      return void response.end();
    case "event":
      begin(response);
      sendItems(response, given.items);
      event(response, given.event);
      return void response.end();
    case "fault":
      return fail(response, given.fault);
  }
}

function respond(response: ServerResponse, { status, body, headers }: StatusAnswer): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function fail(response: ServerResponse, fault: Extract<Answer, { kind: "fault" }>["fault"]): Promise<void> {
  if (fault === "mute") return;
  begin(response);
  switch (fault) {
    case "silent":
      return;
    case "end_early":
      return void response.end();
    case "malformed":
      return void response.end("data: {not json\n\n");
    case "cut":
      await new Promise<void>((resolve) => event(response, deltaOf("half a sent"), resolve));
      return void response.destroy();
  }
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  event(response, { type: "response.created", response: { id: "resp" } });
}

function sendItems(response: ServerResponse, items: readonly Item[]): void {
  for (const [index, item] of items.entries()) {
    event(response, { type: "response.output_item.done", output_index: index, item });
  }
}

function deltaOf(delta: string): Item {
  return { type: "response.output_text.delta", output_index: 0, content_index: 0, item: message(delta), delta };
}

function event(response: ServerResponse, data: Item, sent?: () => void): void {
  response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`, () => sent?.());
}

function usageOnWire({ input, cached, output, reasoning }: AnswerUsage): Readonly<Record<string, unknown>> {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
