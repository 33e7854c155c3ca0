import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { directFetch } from "../../src/github/fetch.ts";

interface Site extends AsyncDisposable {
  readonly origin: string;
  /** what it was asked, each as method, path and credentials */
  readonly asked: string[];
}

async function site(answer: RequestListener): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push([request.method, request.url, request.headers.authorization].filter(Boolean).join(" "));
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a request is sent as it is, and its answer is told", async () => {
  await using server = await site((request, response) => {
    const { "x-a": own, "content-length": length } = request.headers;
    response.writeHead(201, "Made", { "X-B": ["1", "2"], "content-type": "text/plain" });
    response.write(`${String(own)} ${String(length)} `);
    request.pipe(response);
  });
  const answer = await directFetch(`${server.origin}/x?y=1`, { method: "POST", headers: { "x-a": "a" }, body: "böd" });
  expect(answer).toMatchObject({ status: 201, statusText: "Made", url: `${server.origin}/x?y=1` });
  expect(answer.headers.get("x-b")).toBe("1, 2");
  expect(answer.headers.get("x-c") ?? null).toBeNull();
  expect(Object.fromEntries(answer.headers)).toMatchObject({ "content-type": "text/plain" });
  expect(await answer.text()).toBe("a 4 böd");
  expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe("a 4 böd");
  expect(server.asked).toEqual(["POST /x?y=1"]);
});

test("what a server has packed is unpacked", async () => {
  await using server = await site((request, response) => {
    expect(request.headers["accept-encoding"]).toBe("gzip");
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
  });
  expect(await (await directFetch(server.origin, {})).text()).toBe("packed");
});

test.for([
  { status: 301, method: "GET", asked: "GET /b bearer t" },
  { status: 302, method: "GET", asked: "GET /b bearer t" },
  { status: 301, method: "POST", asked: "POST /b bearer t" },
  { status: 302, method: "PATCH", asked: "PATCH /b bearer t" },
  { status: 301, method: "DELETE", asked: "DELETE /b bearer t" },
  { status: 303, method: "POST", asked: "GET /b bearer t" },
  { status: 307, method: "POST", asked: "POST /b bearer t" },
  { status: 308, method: "POST", asked: "POST /b bearer t" },
])("a redirection is followed: $method, $status", async ({ status, method, asked }) => {
  await using server = await site((request, response) => {
    if (request.url === "/a") response.writeHead(status, { location: "/b" }).end();
    else request.pipe(response);
  });
  const body = method.startsWith("P") ? { body: "body" } : {};
  const answer = await directFetch(`${server.origin}/a`, { method, headers: { authorization: "bearer t" }, ...body });
  expect(answer).toMatchObject({ status: 200, url: `${server.origin}/b` });
  expect(await answer.text()).toBe(asked.startsWith("P") ? "body" : "");
  expect(server.asked[1]).toBe(asked);
});

test("another origin is never told the credentials", async () => {
  await using other = await site((request, response) => response.end(request.headers["x-a"]));
  await using server = await site((_request, response) => response.writeHead(302, { location: other.origin }).end());
  const answer = await directFetch(server.origin, { headers: { Authorization: "bearer t", "x-a": "a" } });
  expect(await answer.text()).toBe("a");
  expect(server.asked).toEqual(["GET / bearer t"]);
  expect(other.asked).toEqual(["GET /"]);
});

test("a redirection is not followed where it is not wanted, nor for ever", async () => {
  await using server = await site((_request, response) => response.writeHead(302, { location: "/" }).end());
  expect(await directFetch(server.origin, { redirect: "manual" })).toMatchObject({ status: 302 });
  await expect(directFetch(server.origin, { redirect: "error" })).rejects.toThrow("not followed");
  await expect(directFetch(server.origin, {})).rejects.toThrow("redirects too often");
  expect(server.asked).toHaveLength(8);
});

test.for([
  { when: "before the answer", answer: () => {} },
  { when: "in the middle of the answer", answer: (_request, response) => response.writeHead(200).write("so far") },
] satisfies { when: string; answer: RequestListener }[])("a signal ends a request: $when", async ({ answer }) => {
  await using server = await site(answer);
  const asked = directFetch(server.origin, { signal: AbortSignal.timeout(100) });
  await expect(asked).rejects.toMatchObject({ name: "TimeoutError" });
});

test.for([
  { what: "nobody listens", answer: undefined },
  { what: "the connection is cut", answer: (request) => request.socket.destroy() },
  {
    what: "the answer is cut",
    answer: (request, response) => {
      response.writeHead(200, { "content-length": "10" }).write("half");
      setImmediate(() => request.socket.destroy());
    },
  },
] satisfies { what: string; answer: RequestListener | undefined }[])(
  "a request that cannot be answered fails: $what",
  async ({ answer }) => {
    const server = await site(answer ?? (() => {}));
    if (answer === undefined) await server[Symbol.asyncDispose]();
    try {
      await expect(directFetch(server.origin, {})).rejects.toMatchObject({
        code: answer === undefined ? "ECONNREFUSED" : "ECONNRESET",
      });
    } finally {
      if (answer !== undefined) await server[Symbol.asyncDispose]();
    }
  },
);

test("a server that does not speak TLS is not an https server", async () => {
  await using server = await site((_request, response) => response.end());
  await expect(directFetch(server.origin.replace("http:", "https:"), {})).rejects.toHaveProperty("code");
  expect(server.asked).toEqual([]);
});
