import type { DoctorCheckId } from "@assay/results";
import { describe, expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import type { DoctorEvidence } from "./doctor-evidence.ts";
import { seenEvidence, startedAtMs } from "./testing/seen-evidence.ts";
import type { SeenExchange } from "./testing/seen-evidence.ts";

const settings = { tool: { name: "assay", version: "1.2.3" }, embedded: false } as const;

/** `problem: finding → advice`. */
async function said(
  id: DoctorCheckId,
  exchanges: readonly SeenExchange[],
  others: Partial<DoctorEvidence> = {},
): Promise<string> {
  const { checks } = await diagnose(seenEvidence(exchanges, others), settings);
  const check = checks.find((one) => one.id === id);
  return `${check?.status}: ${check?.found} → ${check !== undefined && "advice" in check ? check.advice : ""}`;
}

const html: SeenExchange["headers"] = [["content-type", "text/html"]];
const reference: SeenExchange = { probe: "reference", url: "https://search.example.com/api-reference" };
const failure = (status: number): SeenExchange => ({ status, headers: html, chunks: [["<html>", 10]] });

type Code = Extract<SeenExchange["end"], { kind: "failed" }>["code"];
const ended = (code: Code, others: SeenExchange = {}): SeenExchange => ({
  end: { kind: "failed", code, message: `search.example.com:443: ${code}` },
  ...others,
});
const unanswered = (code: Code, others: SeenExchange = {}): SeenExchange =>
  ended(code, { isUnanswered: true, ...others });

describe("among all requests", () => {
  test.each<{ name: string; seen: readonly SeenExchange[]; is: RegExp }>([
    { name: "none fails", seen: [{}, {}], is: /^fine: none of 2 requests/ },
    {
      name: "one gets status 503, the answer of nginx to too many requests",
      seen: [{}, {}, failure(503)],
      is: /^problem: 1 of 3 requests failed: 1 with status 503 → .*limit_req/,
    },
    {
      name: "some get other statuses, and some nothing",
      seen: [{}, failure(502), failure(500), failure(502), unanswered("reset")],
      is: /^problem: 4 of 5 requests failed: 1 with status 500, 2 with status 502, 1 without a complete response: the connection was lost → check the proxy log/,
    },
    {
      name: "a list is cut off",
      seen: [{}, ended("truncated", { probe: "list", interface: "legacy", chunks: [["[", 20]] })],
      is: /^problem: 1 of 2 requests failed: 1 without a complete response/,
    },
    {
      name: "one stream is cut off before its first event",
      seen: [{}, ended("reset", { chunks: [] })],
      is: /^problem: 1 of 2 requests failed/,
    },
    { name: "one stream is cut off later, which has its own check", seen: [ended("reset")], is: /^fine/ },
    {
      name: "all are refused",
      seen: [{}, { status: 401 }, { status: 403 }, { status: 400 }, { status: 404 }, { status: 501 }],
      is: /^fine: none of 6 requests/,
    },
    {
      name: "one is aborted because the time is up",
      seen: [{}, unanswered("total-timeout", { endedAtMs: 9999 })],
      is: /^fine/,
    },
    {
      name: "one takes long",
      seen: [{}, unanswered("first-byte-timeout", { endedAtMs: 10_000 })],
      is: /^note: 1 of 2 requests received no response for 10 s or more/,
    },
    {
      name: "a long search takes long",
      seen: [{}, unanswered("first-byte-timeout", { endedAtMs: 20_000, probe: "sample" })],
      is: /^fine/,
    },
    { name: "one is aborted by the user", seen: [{}, unanswered("aborted")], is: /^fine: none of 1 requests/ },
    { name: "one is larger than the read limit", seen: [{}, ended("body-limit", { chunks: [] })], is: /^fine/ },
    {
      name: "only the OpenAPI document fails",
      seen: [{}, { ...failure(503), ...reference }],
      is: /^note: 1 of 2 requests failed: 1 with status 503/,
    },
    {
      name: "the OpenAPI document fails once and not again",
      seen: [{}, { ...failure(503), ...reference }, reference],
      is: /^problem: 1 of 3 requests failed: 1 with status 503/,
    },
    {
      name: "one fails and one is limited",
      seen: [failure(503), { status: 429 }],
      is: /^problem: 1 of 2 requests failed: 1 with status 503; 1 got status 429/,
    },
    { name: "one is limited", seen: [{}, { status: 429 }], is: /^note: 1 of 2 requests got status 429/ },
    { name: "none is answered", seen: [unanswered("refused")], is: /^could-not-tell/ },
  ])("$name", async ({ is, seen }) => {
    expect(await said("rate-limit", seen)).toMatch(is);
  });
});

describe("longer searches", () => {
  const sample = (seen: SeenExchange): SeenExchange => ({ ...seen, probe: "sample" });

  test.each<{ name: string; samples: readonly SeenExchange[]; is: RegExp }>([
    {
      name: "that time out in front",
      samples: [failure(504), failure(504)],
      is: /^problem: 2 of 2 longer searches received no stream: status 504 after 0\.0 s → .*proxy_read_timeout/,
    },
    {
      name: "of which one is dropped",
      samples: [{}, unanswered("reset", { endedAtMs: 1000 })],
      is: /^problem: 1 of 2 longer searches received no stream: no response: .*reset after 1\.0 s → .*raise its timeouts/,
    },
    {
      name: "of which one is dropped at once",
      samples: [{}, unanswered("reset")],
      is: /^problem: 1 of 2 .* after 0\.0 s → check the proxy log for upstream servers/,
    },
    { name: "that fail", samples: [failure(500)], is: /^problem: 1 of 1 .*status 500 .* → check the proxy log/ },
    {
      name: "that are refused",
      samples: [{ status: 403 }],
      is: /^problem: 1 of 1 .*status 403 .* → a proxy filters requests by query/,
    },
    {
      name: "that get a page",
      samples: [{ headers: html, chunks: [["<!doctype html><html>", 10]] }],
      is: /^problem: 1 of 1 .*a web page with status 200 /,
    },
    { name: "that get an empty response", samples: [{ chunks: [] }], is: /^problem: 1 of 1 .*an empty response/ },
    { name: "that are too many", samples: [{ status: 429 }], is: /^could-not-tell: too many requests/ },
    {
      name: "without any answer before the timeout",
      samples: [unanswered("first-byte-timeout", { endedAtMs: 20_000 })],
      is: /^could-not-tell: nothing arrived for 20 s/,
    },
  ])("$name", async ({ is, samples }) => {
    expect(await said("buffering", [{}, ...samples.map((seen) => sample(seen))])).toMatch(is);
  });
});

describe("a page about a failure is not a login", () => {
  const http = "http://search.example.com/.api/search/stream";
  const all = (seen: SeenExchange): readonly SeenExchange[] => [
    { ...seen, credential: "none" },
    seen,
    { ...seen, probe: "list", interface: "legacy" },
  ];
  test.each<{ name: string; seen: readonly SeenExchange[]; is: RegExp }>([
    {
      name: "nobody is behind the proxy",
      seen: all(failure(502)),
      is: /^problem: \/\.api\/search\/stream returned status 502 → the proxy responds, but the instance behind it does not/,
    },
    { name: "the instance is ill", seen: all(failure(500)), is: /^could-not-tell: .* returned status 500/ },
    {
      name: "one interface fails and another is there",
      seen: [{}, { ...failure(503), probe: "list", interface: "legacy" }],
      is: /^fine: the API responds/,
    },
    { name: "too many requests", seen: all(failure(429)), is: /^could-not-tell/ },
    {
      name: "http is spoken to a port of https",
      seen: all({ ...failure(400), url: http }),
      is: /^problem: .* returned status 400 → the port may accept only https/,
    },
    { name: "a client certificate is required", seen: all(failure(400)), is: /^problem: .* → .*a client certificate/ },
    {
      name: "and one that asks for a login is one",
      seen: all({ headers: html, chunks: [["<!doctype html><html>", 10]] }),
      is: /^problem: .* returned a web page with status 200 .* from its login/,
    },
  ])("$name", async ({ is, seen }) => {
    expect(await said("is-the-api", seen)).toMatch(is);
  });
});

describe("a list that is found fault with", () => {
  const list: SeenExchange = { status: 400, probe: "list", interface: "legacy" };

  test("lacks a header if the rest of the API works", async () => {
    expect(await said("legacy-interface", [{}, list])).toMatch(
      /^problem: .*status 400.* → check that the proxy forwards X-Requested-With/,
    );
  });

  test.each<{ name: string; seen: readonly SeenExchange[]; id: DoctorCheckId }>([
    { name: "of the current interface", seen: [{}, { ...list, interface: "current" }], id: "current-interface" },
    { name: "where everything is", seen: [{ status: 400 }, list], id: "legacy-interface" },
  ])("is something else: $name", async ({ id, seen }) => {
    expect(await said(id, seen)).toMatch(
      /^problem: status 400 → something other than the API responded; see the connection checks above/,
    );
  });
});

describe("a first request that cannot agree on TLS", () => {
  const dayMs = 86_400_000;
  const certificate = {
    kind: "certificate",
    names: ["search.example.com"],
    issuer: "Example CA",
    validFromMs: startedAtMs - dayMs,
    validToMs: startedAtMs + 90 * dayMs,
  } as const;
  const failing = (message: string): readonly SeenExchange[] => [
    { isUnanswered: true, end: { kind: "failed", code: "tls", message } },
  ];
  const noHttp1 = "search.example.com:443: the TLS handshake failed (ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL)";

  test.each([
    { name: "because of HTTP/2", message: noHttp1, is: /^problem: only HTTP\/2 is offered; HTTP\/1\.1 clients cannot/ },
    {
      name: "because of a client certificate",
      message: "failed (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)",
      is: /^problem: a client certificate is required/,
    },
    {
      name: "because of a client certificate that is refused",
      message: "it refused the client certificate (ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE)",
      is: /^problem: the client certificate was refused/,
    },
    {
      name: "for another reason",
      message: "failed (EPROTO)",
      is: /^problem: no request could be sent: failed \(EPROTO\)/,
    },
  ])("$name is a problem of a good certificate", async ({ is, message }) => {
    expect(await said("certificate", failing(message), { certificate })).toMatch(is);
  });

  test("is one through a proxy as well", async () => {
    const found = await said("certificate", failing(noHttp1), {
      certificate: { kind: "not-checked", reason: "proxy" },
    });
    expect(found).toMatch(/^problem: only HTTP\/2/);
  });

  test("is none if a connection was lost", async () => {
    expect(await said("certificate", [unanswered("reset")], { certificate })).toMatch(/^fine/);
  });
});
