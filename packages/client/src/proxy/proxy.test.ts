import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { createClient } from "../client.ts";
import type { Environment } from "../credentials/environment.ts";
import { type Loopback, serve, serveHttp } from "../testing/loopback.ts";
import { chooseProxy, findProxySecrets } from "./proxy.ts";
import { createRunClock } from "../run-clock.ts";

interface Proxy extends Loopback {
  readonly seen: string[];
}

/** A small forward proxy that connects every name to one port. */
async function startProxy(targetPort: number, tunnelStatus = 200): Promise<Proxy> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
    response.end("from the proxy");
  });
  server.on("connect", (request, socket) => {
    seen.push(`CONNECT ${request.url}`);
    socket.write(`HTTP/1.1 ${tunnelStatus} X\r\n\r\n`);
    const onward = connect(targetPort, "127.0.0.1");
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  return Object.assign(await serve(server), { seen });
}

async function search(baseUrl: string, env: Environment) {
  const client = createClient({
    baseUrl,
    clock: createRunClock(),
    userAgent: "assay/test",
    env,
    limits: { connectTimeoutMs: 1000, firstByteTimeoutMs: 1000 },
  });
  const { end, response } = await client.search({ parameters: { q: "x" }, credential: "none" });
  return { end, body: Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString() };
}

describe("a proxy", () => {
  test.each(["HTTP_PROXY", "http_proxy", "SRC_PROXY"])(
    "named by %s is asked for http targets by absolute address",
    async (name) => {
      await using proxy = await startProxy(1);
      const { body } = await search("http://search.invalid/prefix", { [name]: proxy.url });
      expect(body).toBe("from the proxy");
      expect(proxy.seen).toEqual(["GET http://search.invalid/prefix/.api/search/stream?q=x "]);
    },
  );

  test("without a scheme in its URL uses http, and gets its user and password", async () => {
    await using proxy = await startProxy(1);
    await search("http://search.invalid", { HTTP_PROXY: `user:pass@127.0.0.1:${proxy.port}` });
    expect(proxy.seen[0]).toMatch(/Basic dXNlcjpwYXNz$/);
  });

  test.each(["HTTPS_PROXY", "https_proxy", "SRC_PROXY"])(
    "named by %s makes a tunnel for https targets",
    async (name) => {
      // The server in the tunnel does not speak TLS. It is enough that the handshake reaches it.
      await using target = await serveHttp((_request, response) => response.end());
      await using proxy = await startProxy(target.port);
      const { end } = await search("https://search.invalid", { [name]: proxy.url });
      expect(proxy.seen).toEqual(["CONNECT search.invalid:443"]);
      expect(end).toMatchObject({
        code: "tls",
        message: expect.stringContaining("search.invalid:443 through the proxy 127.0.0.1:"),
      });
    },
  );

  test("that refuses a tunnel is named with its answer", async () => {
    await using proxy = await startProxy(1, 403);
    const { end } = await search("https://search.invalid", { HTTPS_PROXY: proxy.url });
    expect(end).toMatchObject({ code: "unreachable", message: expect.stringMatching(/the proxy returned 403/) });
  });

  test("that is missing is named", async () => {
    const { end } = await search("http://search.invalid", { HTTP_PROXY: "http://127.0.0.1:1" });
    expect(end).toMatchObject({ code: "refused", message: expect.stringContaining("through the proxy 127.0.0.1:1") });
  });

  test.each([
    { name: "for hosts in NO_PROXY", env: { NO_PROXY: ".invalid" } },
    { name: "for hosts in no_proxy", env: { no_proxy: "search.invalid" } },
  ])("is not asked $name", async ({ env }) => {
    await using proxy = await startProxy(1);
    const { end } = await search("http://search.invalid", { HTTP_PROXY: proxy.url, ...env });
    expect(proxy.seen).toEqual([]);
    expect(end).toMatchObject({ code: "dns", message: expect.not.stringContaining("proxy") });
  });
});

describe("which proxy is used", () => {
  const target = new URL("https://search.example");
  test.each([
    { name: "none", env: {}, url: target, proxy: undefined },
    { name: "HTTP_PROXY does not apply to https", env: { HTTP_PROXY: "http://p" }, url: target, proxy: undefined },
    {
      name: "loopback is direct",
      env: { HTTPS_PROXY: "http://p" },
      url: new URL("https://localhost:1"),
      proxy: undefined,
    },
    {
      name: "loopback by number is direct",
      env: { HTTP_PROXY: "http://p" },
      url: new URL("http://127.0.0.1:1"),
      proxy: undefined,
    },
    {
      name: "loopback in an IPv6 address is direct",
      env: { HTTP_PROXY: "http://p" },
      url: new URL("http://[::ffff:127.0.0.1]:1"),
      proxy: undefined,
    },
    {
      name: "loopback with a dot at the end is direct",
      env: { HTTP_PROXY: "http://p" },
      url: new URL("http://localhost.:1"),
      proxy: undefined,
    },
    {
      name: "NO_PROXY does not apply to SRC_PROXY",
      env: { SRC_PROXY: "http://p", NO_PROXY: "*" },
      url: target,
      proxy: "http://p/",
    },
    {
      name: "SRC_PROXY applies to loopback too",
      env: { SRC_PROXY: "http://p" },
      url: new URL("http://[::1]:1"),
      proxy: "http://p/",
    },
    {
      name: "SRC_PROXY wins",
      env: { SRC_PROXY: "https://p", HTTPS_PROXY: "http://q" },
      url: target,
      proxy: "https://p/",
    },
    {
      name: "the lower-case name wins",
      env: { https_proxy: "http://p", HTTPS_PROXY: "http://q" },
      url: target,
      proxy: "http://p/",
    },
    {
      name: "an empty variable is not set",
      env: { https_proxy: "", HTTPS_PROXY: "http://q" },
      url: target,
      proxy: "http://q/",
    },
  ])("$name", ({ env, url, proxy }) => {
    expect(chooseProxy(url, env)?.href).toBe(proxy);
  });

  test.each([
    { value: "socks5://user:hunter2@p:1080", why: "SOCKS proxy, which is not supported" },
    { value: "/run/proxy.sock", why: "Unix socket, which is not supported" },
    { value: "~/proxy.sock", why: "Unix socket, which is not supported" },
    { value: "unix:///run/proxy.sock", why: "Unix socket, which is not supported" },
    { value: "ftp://p", why: "neither http nor https" },
    { value: "http://:hunter2", why: "not a URL" },
    { value: "http://user:hunter2%@p:3128", why: "invalid percent-encoding" },
  ])("$value is refused when the client is made, without quoting it", ({ value, why }) => {
    const create = () =>
      createClient({ baseUrl: "http://127.0.0.1", clock: createRunClock(), userAgent: "x", env: { SRC_PROXY: value } });
    expect(create).toThrow(new RegExp(`^bad-proxy: SRC_PROXY .*${why}`));
    expect(create).not.toThrow(/hunter2/);
  });

  test("passwords of proxies are secrets when long enough to search for", () => {
    expect(
      findProxySecrets({
        SRC_PROXY: "http://u:p%40ssword1@p",
        https_proxy: "u:without-a-scheme@p:3128",
        HTTPS_PROXY: "http://u:short@p",
        http_proxy: "nonsense",
        HTTP_PROXY: "http://u:repository@p",
      }),
    ).toEqual([
      { name: "password in SRC_PROXY", value: "p@ssword1" },
      { name: "password in https_proxy", value: "without-a-scheme" },
    ]);
  });

  test("a password that cannot be decoded is a secret as written", () => {
    expect(findProxySecrets({ HTTP_PROXY: "http://u:hundred-100%@p" })).toEqual([
      { name: "password in HTTP_PROXY", value: "hundred-100%" },
    ]);
  });
});
