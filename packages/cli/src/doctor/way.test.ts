import { createSecureServer as createHttp2Server } from "node:http2";
import { createServer as createSecureServer } from "node:https";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { everyNth } from "@assay/tools/proving";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askQuestion } from "../testing/ask-question.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasTool } from "../testing/require-tool.ts";
import { httpTarget, rawTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { examined, serverFor, tokensOf } from "./testing/examined.ts";
import { passing } from "./testing/front-proxy.ts";

const folder = temporaryFolder();
const repo = sharedRepository();

/** A port without a listener. */
async function closedPort(): Promise<string> {
  const url = await httpTarget(() => undefined);
  return url.replace(/:\d+$/u, ":1");
}

describe("an unreachable target", () => {
  test("without a listener: one request, the address, and advice", async () => {
    const { code, line, report } = await examined({ url: await closedPort() });
    expect([line("reachable"), line("buffering"), code, report.requests]).toEqual([
      expect.stringMatching(/^problem: cannot connect to 127\.0\.0\.1:1: the connection was refused/u),
      "could-not-tell: not requested, or no response",
      3,
      1,
    ]);
  });

  test("with an unknown name", async () => {
    const { code, line } = await examined({ url: "http://nowhere.invalid" });
    expect([line("reachable"), code]).toEqual([expect.stringMatching(/^problem: .*could not be resolved/u), 3]);
  });

  test("behind a proxy, which is named", async () => {
    const proxy = await closedPort();
    const { line } = await examined({ url: "http://search.example.com" }, { SRC_PROXY: proxy });
    expect([line("reachable"), line("proxy")]).toEqual([
      expect.stringMatching(/^problem: cannot connect to search\.example\.com:80 through the proxy 127\.0\.0\.1:1: /u),
      "note: SRC_PROXY sends all requests through 127.0.0.1:1",
    ]);
  });

  test("that is not an HTTP server", async () => {
    const { code, line } = await examined({ url: await rawTarget("SSH-2.0-OpenSSH_9.2\r\n") });
    expect([line("reachable"), line("is-the-api"), code]).toEqual([
      expect.stringMatching(/^fine: connected/u),
      expect.stringMatching(/^problem: .*is not HTTP/u),
      3,
    ]);
  });
});

describe("through a proxy on our side", () => {
  test("every check is made, and cleartext tokens are reported", { tags: "proof" }, async () => {
    const server = await serverFor(repo);
    const proxy = await httpTarget(passing(server.url));
    const { SRC_ENDPOINT: _url, ...tokens } = tokensOf(server);
    const { code, line } = await examined({ url: "http://search.example.com" }, { ...tokens, SRC_PROXY: proxy });
    expect([line("encryption"), line("own-token"), line("certificate"), code]).toEqual([
      "note: http: tokens can be read in transit",
      "fine: the access token can search",
      "not-applicable: plain HTTP has no certificate",
      0,
    ]);
  });

  test("no token is sent if http redirects to https", async () => {
    const authorizations: (string | undefined)[] = [];
    const proxy = await httpTarget((request, response) => {
      authorizations.push(request.headers.authorization);
      response.writeHead(301, { location: "https://search.example.com/.api/search/stream" }).end();
    });
    const env = { SRC_PROXY: proxy, ASSAY_TOKEN: "sgp_0123456789012345678901234567890123456789" };
    const { code, line } = await examined({ url: "http://search.example.com" }, env);
    expect([authorizations, line("redirects"), code]).toEqual([
      [undefined],
      expect.stringMatching(/^problem: http redirects to https:\/\/search\.example\.com/u),
      3,
    ]);
  });
});

test("a path that a proxy drops is reported as a redirect out of it", async () => {
  const url = await httpTarget((_request, response) => {
    response.writeHead(302, { location: "/.api/search/stream" }).end();
  });
  const { line } = await examined({ url: `${url}/search` });
  expect(line("redirects")).toMatch(/^problem: .*outside the base path "\/search"/u);
});

test("a login page with status 401 is not the API", async () => {
  const url = await httpTarget((_request, response) => {
    response.writeHead(401, { "content-type": "text/html", "www-authenticate": 'Basic realm="staff"' }).end("<html>");
  });
  const { code, line } = await examined({ url });
  expect([line("is-the-api"), code]).toEqual([expect.stringMatching(/^problem: .* returned status 401/u), 3]);
});

test("an unknown path is reported as a wrong address", async () => {
  const url = await httpTarget((_request, response) => response.writeHead(404).end("nothing here"));
  const { code, line } = await examined({ url });
  expect([line("is-the-api"), code]).toEqual(["problem: no API path exists at this address", 3]);
});

describe("sharing", () => {
  const ask = (url: string, token: string): Promise<boolean> => askQuestion(url, token, "Where is test?");

  test.each([
    { name: "is detected as on", server: { sharing: true }, options: {}, is: /^fine: on: / },
    { name: "is detected as off", server: { sharing: false }, options: {}, is: /^fine: off: / },
    {
      name: "is a problem when it hides what it should show",
      server: { fault: "legacy-shared-hidden" },
      options: { sharing: "on" as const },
      is: /^problem: other users cannot read/,
    },
    {
      name: "is a problem when it shows what it should hide",
      server: { sharing: false, fault: "legacy-unshared-shown" },
      options: { sharing: "off" as const },
      is: /^problem: another user can read/,
    },
  ])("$name", async ({ is, options, server }) => {
    const running = await serverFor(repo, server);
    await ask(running.url, running.token);
    const { line } = await examined(options, tokensOf(running));
    expect(line("sharing")).toMatch(is);
    expect(running.conversationCount()).toBe(1);
  });

  test("is unknown without another user", async () => {
    const running = await serverFor(repo);
    const { ASSAY_OTHER_TOKEN: _other, ...env } = tokensOf(running);
    const { line } = await examined({}, env);
    expect(line("sharing")).toBe("could-not-tell: no second user is configured");
  });
});

/** Key and certificate, made by openssl; `days` may be negative for one that has expired. */
function makeCertificate(name: string, subjectAltName: string, days: number): void {
  const base = join(folder, "tls", name);
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", `/CN=${name}`];
  const files = ["-keyout", `${base}.key`, "-out", `${base}.pem`];
  const run = (args: readonly string[]): void => void execFileSync("openssl", args, { stdio: "ignore" });
  run(["req", "-x509", ...kind, "-addext", `subjectAltName=${subjectAltName}`, ...files]);
  writeFileSync(`${base}.ext`, `subjectAltName=${subjectAltName}\n`);
  const validity = ["-days", String(days), "-extfile", `${base}.ext`];
  run(["x509", "-in", `${base}.pem`, "-signkey", `${base}.key`, ...validity, "-out", `${base}.pem`]);
}

describe.skipIf(!hasTool("openssl"))("a certificate", () => {
  let plain = "";
  beforeAll(async () => {
    mkdirSync(join(folder, "tls"));
    makeCertificate("good", "IP:127.0.0.1", 90);
    makeCertificate("short", "IP:127.0.0.1", 5);
    makeCertificate("expired", "IP:127.0.0.1", -1);
    makeCertificate("other-name", "DNS:other.example", 90);
    plain = await httpTarget((_request, response) =>
      response.writeHead(401).end("Private mode requires authentication.\n"),
    );
  });

  async function secureTarget(name: string, answer: RequestListener): Promise<string> {
    const read = (kind: string): Buffer => readFileSync(join(folder, "tls", `${name}.${kind}`));
    const server = createSecureServer({ key: read("key"), cert: read("pem") }, answer);
    afterAll(() => void server.close());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  const certificates = [
    {
      name: "good",
      trusted: "good",
      is: /^fine: valid until \d{4}-\d\d-\d\d \((?:89|90) days left\), signed by "good"/,
      says: "valid",
    },
    { name: "short", trusted: "short", is: /^note: valid until .* \([45] days left\)/, says: "renew it" },
    { name: "expired", trusted: "expired", is: /^problem: expired on /, says: "renew" },
    { name: "good", trusted: undefined, is: /^problem: self-signed/, says: "NODE_EXTRA_CA_CERTS" },
    {
      name: "other-name",
      trusted: "other-name",
      is: /^problem: issued for other\.example, not for the requested host/,
      says: "names",
    },
  ];
  test.each(everyNth(certificates, 3))(
    "$name, when $trusted is trusted",
    { tags: "more" },
    async ({ is, name, says, trusted }) => {
      const server = await serverFor(repo);
      const url = await secureTarget(name, passing(server.url));
      const env = trusted === undefined ? {} : { NODE_EXTRA_CA_CERTS: join(folder, "tls", `${trusted}.pem`) };
      const { code, line, report } = await examined({}, { ...tokensOf(server, url), ...env });
      expect(line("certificate")).toMatch(is);
      expect(JSON.stringify(report.checks.find(({ id }) => id === "certificate"))).toContain(says);
      expect([line("encryption"), code]).toEqual(["fine: https", is.source.startsWith("^problem") ? 3 : 0]);
    },
  );

  test("is missing if the port serves http", async () => {
    const { code, line } = await examined({ url: plain.replace("http:", "https:") });
    expect([line("certificate"), code]).toEqual([expect.stringMatching(/^problem: the TLS handshake failed/u), 3]);
  });

  test("is good, but the port offers only HTTP/2, which is reported", async () => {
    const read = (kind: string): Buffer => readFileSync(join(folder, "tls", `good.${kind}`));
    const server = createHttp2Server({ key: read("key"), cert: read("pem"), allowHTTP1: false });
    afterAll(() => void server.close());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const { code, line } = await examined({ url }, { NODE_EXTRA_CA_CERTS: join(folder, "tls", "good.pem") });
    expect([line("certificate"), code]).toEqual([expect.stringMatching(/^problem: only HTTP\/2 is offered/u), 3]);
  });
});
