import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { startKeyProxy } from "../../src/agents/key-proxy.ts";
import { mutatedBytes } from "../mutate.ts";
import { hold, target } from "../target.ts";

const KEY = "the-real-key-of-the-model";

/** A proxy, the model behind it, and what that was asked last. */
async function stage() {
  const seen: { key: boolean; path: string; host: string }[] = [];
  const model: Server = createServer({ maxHeaderSize: 64 << 10 }, (request, response) => {
    const all = JSON.stringify(request.rawHeaders);
    seen.push({ key: all.includes(KEY), path: request.url ?? "", host: request.headers.host ?? "" });
    request.resume();
    response.end("{}");
  });
  model.listen(0, "127.0.0.1");
  await once(model, "listening");
  const address = model.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const proxy = await startKeyProxy({
    ...{ key: KEY, upstream: new URL(`http://127.0.0.1:${port}/v1`), headers: ["authorization"] },
    allows: (method, path) => method === "POST" && path === "responses",
    unreachable: () => ({ status: 502, type: "text/plain", body: "no" }),
    ...{ env: {}, authorities: [] },
  });
  return { seen, model, proxy, host: `127.0.0.1:${port}` };
}
let staged: ReturnType<typeof stage> | undefined;

const TOKEN = "TOKEN";
const REQUESTS = [
  "POST /HOST/v1/responses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
  "POST /HOST/v1/responses?a=b HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
  "GET /HOST/v1/responses HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nAuthorization: Bearer TOKEN\r\n\r\n",
  "POST http://evil.example/HOST/v1/responses HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\n\r\n",
  "POST /HOST/v1/../files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\nX-Key: TOKEN\r\nConnection: close, authorization\r\n\r\n",
  "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\nAuthorization: Bearer TOKEN\r\n\r\n",
];
const WORDS = [
  "\r\n",
  "\r",
  "\n",
  "Authorization: Bearer TOKEN\r\n",
  "Connection: authorization\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Content-Length: 0\r\n",
  "Expect: 100-continue\r\n",
  "/../",
  "%2e%2e",
  "responses",
  "POST ",
  " HTTP/1.0\r\n",
  "\0",
  "Host: y\r\n",
  "?",
];

/** What the port answers; it is closed on both sides then. */
function answered(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
    // A request that is not whole is waited for; nobody sends the rest.
    socket.setTimeout(2_000, () => socket.destroy());
  });
}

export const keyProxy = target({
  name: "key-proxy",
  covers: ["agents/key-proxy.ts#startKeyProxy"],
  draw: (random) => mutatedBytes(random, { seeds: REQUESTS, words: WORDS }),
  async check(request) {
    const { seen, proxy, host } = await (staged ??= stage());
    const asked = request.replaceAll("HOST", host).replaceAll(TOKEN, proxy.token);
    const answer = await answered(Number(new URL(proxy.url).port), Buffer.from(asked, "latin1"));
    hold(!answer.includes(KEY), "the key never comes back");
    for (const { key, path, host: to } of seen.splice(0)) {
      hold(asked.includes(proxy.token) && key, "only who has the token asks, with the key");
      hold(/^\/v1\/responses(?:\?|$)/u.test(path) && to === host, `only the model is asked: ${path}`);
    }
  },
  async close() {
    const at = await staged;
    await at?.proxy.close();
    at?.model.closeAllConnections();
    at?.model.close();
  },
});
