import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { type KeyProxyOptions, startKeyProxy, withoutToken } from "../../src/agents/key-proxy.ts";
import { tempFolder } from "../support/temp-folder.ts";

const KEY = "sk-the-real-one";

/** Something to wait for. */
function moment(): { readonly come: Promise<void>; readonly now: () => void } {
  let now = (): void => {};
  const come = new Promise<void>((resolve) => (now = resolve));
  return { come, now };
}

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

async function listening(server: Server): Promise<{ port: number } & AsyncDisposable> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close").catch(() => {});
    },
  };
}

/** A service, and a proxy before it. */
async function behind(answer: RequestListener | null, overrides: Partial<KeyProxyOptions> = {}) {
  await using stack = new AsyncDisposableStack();
  const seen: Seen[] = [];
  const plain = async (asked: IncomingMessage, response: ServerResponse) => {
    const body = await text(asked);
    seen.push({ method: asked.method ?? "", url: asked.url ?? "", headers: asked.headers, body });
    response.writeHead(201, "Made", { "x-answer": "yes", connection: "x-drop", "x-drop": "1" }).end("well");
  };
  const service = stack.use(
    await listening(createServer(answer ?? ((asked, response) => void plain(asked, response)))),
  );
  const proxy = await startKeyProxy({
    key: KEY,
    upstream: new URL(`http://127.0.0.1:${service.port}/base/v1/`),
    headers: ["authorization"],
    allows: (method, path) => method === "POST" && path === "responses",
    unreachable: (path, why) => ({ status: 299, type: "text/plain", body: `${path}: ${why}` }),
    env: {},
    authorities: ["NODE_EXTRA_CA_CERTS", "NOWHERE"],
    ...overrides,
  });
  stack.defer(() => proxy.close());
  const given = (headers: Record<string, string> = {}) => ({ authorization: `Bearer ${proxy.token}`, ...headers });
  const post = (at = "/responses", headers = given()) =>
    fetch(`${proxy.url}${at}`, { method: "POST", body: "asked", headers });
  const owned = stack.move();
  return { seen, proxy, post, given, service, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Says something on a connection of its own, and hears all that comes. */
async function say(url: string, words: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(words));
  return text(socket);
}

describe("a proxy that has the agent's key [T2]", () => {
  test("passes request and answer on, with the key in place of the token", async () => {
    await using it = await behind(null);
    const answer = await it.post(
      "/responses?a=b",
      it.given({ "x-own": "1", "proxy-authorization": "x", te: "trailers" }),
    );
    expect([answer.status, answer.statusText, await answer.text()]).toEqual([201, "Made", "well"]);
    expect(answer.headers.get("x-answer")).toBe("yes");
    expect(answer.headers.get("x-drop")).toBeNull();
    expect(it.seen).toMatchObject([{ method: "POST", url: "/base/v1/responses?a=b", body: "asked" }]);
    expect(it.seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      host: `127.0.0.1:${it.service.port}`,
      "x-own": "1",
    });
    expect(it.seen[0]?.headers).not.toHaveProperty("te");
    expect(it.seen[0]?.headers).not.toHaveProperty("proxy-authorization");
  });

  test.each([
    ["no token", {}],
    ["a wrong one", { authorization: `Bearer ${"0".repeat(64)}` }],
    ["the token in another header", { "x-api-key": "TOKEN" }],
    ["the token without its word", { authorization: "TOKEN" }],
  ])("refuses %s with 401", async (_name, headers) => {
    await using it = await behind(null);
    const filled = Object.entries<string>(headers).map(([name, value]) => [
      name,
      value.replace("TOKEN", it.proxy.token),
    ]);
    const answer = await it.post("/responses", Object.fromEntries(filled));
    expect(answer.status).toBe(401);
    expect(it.seen).toEqual([]);
  });

  test("the token of another turn opens nothing, and none does after its turn", async () => {
    await using first = await behind(null);
    await using second = await behind(null);
    expect((await second.post("/responses", first.given())).status).toBe(401);
    await first.proxy.close();
    await first.proxy.close();
    await expect(first.post()).rejects.toThrow(/fetch failed/u);
    expect(first.seen).toEqual([]);
  });

  test.each([
    ["GET", "PREFIX/responses"],
    ["DELETE", "PREFIX/files/1"],
    ["POST", "PREFIX/responses/../files"],
    ["POST", "PREFIX/responses%2f..%2ffiles"],
    ["POST", "PREFIX//responses"],
    ["POST", "/v1/responses"],
    ["POST", "http://elsewhere.example/responses"],
    ["POST", "*"],
  ])("lets %s %s not through", async (method, target) => {
    await using it = await behind(null);
    const at = target.replace("PREFIX", new URL(it.proxy.url).pathname);
    const { authorization } = it.given();
    const answer = await say(
      it.proxy.url,
      `${method} ${at} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /u);
    expect(it.seen).toEqual([]);
  });

  test("an upgrade is answered with 426, and CONNECT with nothing", async () => {
    await using it = await behind(null);
    const head = `Host: x\r\nAuthorization: ${it.given().authorization}\r\n`;
    const upgrade = `GET / HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await say(it.proxy.url, upgrade)).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/u);
    expect(await say(it.proxy.url, `CONNECT 127.0.0.1:80 HTTP/1.1\r\n${head}\r\n`)).toBe("");
    expect(await say(it.proxy.url, `GET / HTTP/1.1\r\nX: ${"x".repeat(100_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /u);
  });

  test("an answer arrives piece by piece, and one that breaks off there breaks off here", async () => {
    const go = moment();
    await using it = await behind((_asked, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
      void go.come.then(() => response.destroy());
    });
    const answer = await it.post();
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: 1\n\n");
    go.now();
    await expect(reader?.read()).rejects.toThrow(/terminated/u);
  });

  test("the end of the turn ends a service that never answers", async () => {
    const gone = moment();
    const asked = moment();
    await using it = await behind((request) => {
      request.socket.once("close", () => gone.now());
      asked.now();
    });
    const answer = it.post().catch(String);
    await asked.come;
    await it.proxy.close();
    await gone.come;
    expect(await answer).toMatch(/fetch failed/u);
  });

  test("an agent that has gone ends its request", async () => {
    const gone = moment();
    const asked = moment();
    await using it = await behind((request) => {
      request.socket.once("close", () => gone.now());
      asked.now();
    });
    const mine = request(`${it.proxy.url}/responses`, { method: "POST", headers: it.given() });
    mine.on("error", () => {}).end();
    await asked.come;
    mine.destroy();
    await expect(gone.come).resolves.toBeUndefined();
  });

  test("a service that is not there is told in the agent's own way, without the key", async () => {
    await using it = await behind(null, { upstream: new URL("http://127.0.0.1:9/v1") });
    const answer = await it.post();
    expect([answer.status, await answer.text()]).toEqual([
      299,
      expect.stringMatching(/^responses: 127\.0\.0\.1:9: .*ECONNREFUSED/u),
    ]);
  });
});

describe("the way to the service", () => {
  test("goes through the proxy that the environment names, and trusts the machine's own authorities", async () => {
    await using folder = await tempFolder();
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => path.join(folder.path, name));
    execFileSync(
      "openssl",
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=model.example -addext subjectAltName=DNS:model.example -keyout ${key} -out ${cert}`.split(
        " ",
      ),
      { stdio: "ignore" },
    );
    const pem = { key: readFileSync(key ?? ""), cert: readFileSync(cert ?? "") };
    await using service = await listening(
      createSecureServer(pem, (asked, response) => response.end(asked.headers.authorization)),
    );
    const tunnels: (readonly [string | undefined, string | undefined])[] = [];
    await using proxy = await listening(
      createServer().on("connect", (asked, socket) => {
        tunnels.push([asked.url, asked.headers["proxy-authorization"]]);
        const onward = connect(service.port, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
        onward
          .on("error", () => {})
          .pipe(socket.on("error", () => {}))
          .pipe(onward);
      }),
    );
    const upstream = new URL("https://model.example/v1");
    const env = { HTTPS_PROXY: `http://me:secret@127.0.0.1:${proxy.port}` };
    {
      await using it = await behind(null, { upstream, env: { ...env, NODE_EXTRA_CA_CERTS: cert } });
      const answer = await it.post();
      expect([answer.status, await answer.text()]).toEqual([200, `Bearer ${KEY}`]);
      expect(await (await it.post()).text()).toBe(`Bearer ${KEY}`);
      expect(tunnels).toEqual([["model.example:443", `Basic ${btoa("me:secret")}`]]);
    }
    await using it = await behind(null, { upstream, env });
    expect(await (await it.post()).text()).toMatch(/self-signed certificate/u);
  });

  test.each([
    ["that refuses", (port: number) => `http://127.0.0.1:${port}`, /the proxy 127\.0\.0\.1:\d+ answers 405/u],
    ["of an unknown kind", () => "socks5://127.0.0.1:9", /socks5/u],
  ])("a proxy %s is told", async (_name, at, said) => {
    await using refusing = await listening(
      createServer().on("connect", (_asked, socket) => socket.end("HTTP/1.1 405 No\r\n\r\n")),
    );
    const env = { ALL_PROXY: at(refusing.port) };
    await using it = await behind(null, { upstream: new URL("https://model.example/v1"), env });
    expect(await (await it.post()).text()).toMatch(said);
  });

  test("a proxy that never answers does not outlive the turn", async () => {
    const asked = moment();
    const gone = moment();
    await using silent = await listening(
      createServer().on("connect", (_asked, socket) => {
        socket
          .on("error", () => {})
          .once("end", () => {
            gone.now();
            socket.end();
          });
        socket.resume();
        asked.now();
      }),
    );
    const env = { HTTPS_PROXY: `http://127.0.0.1:${silent.port}` };
    await using it = await behind(null, { upstream: new URL("https://model.example/v1"), env });
    const answer = it.post().catch(String);
    await asked.come;
    await it.proxy.close();
    await gone.come;
    expect(await answer).toMatch(/fetch failed/u);
  });
});

describe("the token in what an agent prints [T2]", () => {
  test.each([
    [["a tok", "en b"], "a *** b"],
    [["token"], "***"],
    [["t", "o", "k", "e", "n", "!"], "***!"],
    [["tokto", "ken"], "tok***"],
    [["an end: tok"], "an end: tok"],
  ])("%j becomes %s", async (pieces, expected) => {
    const bytes: Buffer[] = [];
    const stream = async function* () {
      for (const piece of pieces) yield Buffer.from(piece);
    };
    for await (const piece of withoutToken(stream(), "token")) bytes.push(piece);
    expect(Buffer.concat(bytes).toString()).toBe(expected);
  });

  test("a line that has ended does not wait for the next", async () => {
    const never = moment();
    const stream = async function* () {
      yield Buffer.from("a line of t\n");
      await never.come;
    };
    const { value } = await withoutToken(stream(), "token").next();
    expect(String(value)).toBe("a line of t\n");
  });
});
