import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { proxyFetch, proxyFor } from "../../src/github/fetch.ts";

const PROXY = "http://proxy.example:3128";

test.for([
  { url: "https://api.github.com/x", env: { https_proxy: PROXY }, expected: PROXY },
  { url: "https://api.github.com/x", env: { HTTPS_PROXY: PROXY }, expected: PROXY },
  { url: "https://api.github.com/x", env: { https_proxy: "proxy.example:3128" }, expected: PROXY },
  { url: "http://ghes.example/x", env: { http_proxy: PROXY }, expected: PROXY },
  { url: "https://api.github.com/x", env: { http_proxy: PROXY }, expected: undefined },
  { url: "https://api.github.com/x", env: {}, expected: undefined },
  { url: "https://api.github.com/x", env: { https_proxy: PROXY, no_proxy: "*" }, expected: undefined },
  { url: "https://api.github.com/x", env: { https_proxy: PROXY, NO_PROXY: "a.org, github.com" }, expected: undefined },
  { url: "https://api.github.com/x", env: { https_proxy: PROXY, no_proxy: ".github.com" }, expected: undefined },
  { url: "https://api.github.com/x", env: { https_proxy: PROXY, no_proxy: "github.com:443" }, expected: undefined },
  { url: "https://api.github.com/x", env: { https_proxy: PROXY, no_proxy: "github.com:8443" }, expected: PROXY },
  { url: "https://notgithub.com/x", env: { https_proxy: PROXY, no_proxy: "github.com" }, expected: PROXY },
  { url: "http://127.0.0.1:80/x", env: { http_proxy: PROXY }, expected: undefined },
  { url: "http://localhost/x", env: { http_proxy: PROXY }, expected: undefined },
])("the proxy for $url with $env is $expected", ({ url, env, expected }) => {
  expect(proxyFor(new URL(url), env)).toBe(expected);
});

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("a request goes through the proxy that the environment names", async () => {
  const target = createServer((request, response) => response.end(request.headers["x-a"]));
  const port = await listening(target);
  const asked: string[] = [];
  const proxy = createServer().on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    const onward = connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    onward.pipe(socket).pipe(onward);
  });
  const send = proxyFetch({ http_proxy: `http://127.0.0.1:${await listening(proxy)}` });
  try {
    const response = await send("http://ghes.example:8080/x", { headers: { "x-a": "through" } });
    expect(await response.text()).toBe("through");
    expect(asked).toEqual(["ghes.example:8080"]);
  } finally {
    target.close();
    target.closeAllConnections();
    proxy.close();
    proxy.closeAllConnections();
  }
});
