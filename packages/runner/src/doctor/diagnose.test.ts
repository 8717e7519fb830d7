import { doctorChecks } from "@assay/results";
import type { DoctorCheckId, DoctorReport } from "@assay/results";
import { describe, expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import type { CertificateResult, DoctorEvidence } from "./doctor-evidence.ts";
import { event, plainStream, seenEvidence, startedAtMs } from "./testing/seen-evidence.ts";
import type { SeenExchange } from "./testing/seen-evidence.ts";

const settings = { tool: { name: "assay", version: "1.2.3" }, embedded: false } as const;

const report = (exchanges: readonly SeenExchange[], others: Partial<DoctorEvidence> = {}): Promise<DoctorReport> =>
  diagnose(seenEvidence(exchanges, others), settings);

const lineOf = ({ checks }: DoctorReport, id: DoctorCheckId): string => {
  const check = checks.find((one) => one.id === id);
  return `${check?.status}: ${check?.found}`;
};

test("without evidence each check appears once, and only those about this machine are fine", async () => {
  const { checks, exitCode } = await report([]);
  expect(checks.map(({ id }) => id)).toEqual(Object.keys(doctorChecks));
  expect(checks.filter(({ status }) => status === "fine").map(({ id }) => id)).toEqual(["proxy", "encryption"]);
  expect(exitCode).toBe(3);
});

test("the same evidence gives the same bytes", async () => {
  const [one, other] = [await report([{}]), await report([{}])];
  expect(JSON.stringify(one)).toBe(JSON.stringify(other));
});

describe("the clock", () => {
  const dated = (dates: readonly string[], headers: SeenExchange["headers"] = []): readonly SeenExchange[] =>
    dates.map((date) => ({ headers: [["date", `Mon, 04 May 2026 ${date} GMT`], ...headers] }));
  const right = Array.from({ length: 6 }, () => "12:00:00");

  test.each([
    { name: "that is right", seen: dated(right), is: /^fine: accurate to within 1 s, by 6 responses$/ },
    { name: "that is 31 s late", seen: dated(right.map(() => "11:59:28")), is: /^note: .* at least 31 s behind ours$/ },
    { name: "that is at most 30 s late", seen: dated(right.map(() => "11:59:29")), is: /^fine/ },
    {
      name: "that is an hour ahead",
      seen: dated(right.map(() => "13:00:00")),
      is: /^problem: .* at least 60 min ahead of ours$/,
    },
    { name: "that only two answers show to be wrong", seen: dated(["13:00:00", "13:00:00"]), is: /^note: / },
    {
      name: "of one machine among many",
      seen: dated([...right, "14:00:00"]),
      is: /^note: 1 of 7 responses disagree with the others about the time/,
    },
    {
      name: "of a cached response",
      seen: dated(
        right.map(() => "09:00:00"),
        [["age", "10800"]],
      ),
      is: /^could-not-tell/,
    },
    { name: "that is missing", seen: [{}], is: /^could-not-tell: no response has a date$/ },
    { name: "that is not a time", seen: [{ headers: [["date", "soon"]] as const }], is: /^could-not-tell/ },
  ])("$name", async ({ is, seen }) => {
    expect(lineOf(await report(seen), "clock")).toMatch(is);
  });

  test("of a slow answer counts as right if it may be", async () => {
    const seen = { sentAtMs: 0, headersAtMs: 60_000, headers: [["date", "Mon, 04 May 2026 12:00:20 GMT"]] as const };
    expect(lineOf(await report([seen, seen, seen]), "clock")).toMatch(/^fine/);
  });
});

describe("a certificate", () => {
  const dayMs = 86_400_000;
  const good: CertificateResult = {
    kind: "certificate",
    names: ["search.example.com"],
    issuer: "Example CA",
    validFromMs: startedAtMs - dayMs,
    validToMs: startedAtMs + 14 * dayMs,
  };
  test.each<{ name: string; certificate: CertificateResult; is: RegExp }>([
    {
      name: "good for 14 days",
      certificate: good,
      is: /^fine: valid until 2026-05-18 \(14 days left\), signed by "Example CA"$/,
    },
    { name: "good for less", certificate: { ...good, validToMs: good.validToMs - 1 }, is: /^note: .*\(13 days left\)/ },
    {
      name: "not valid yet",
      certificate: { ...good, problem: "not-yet-valid" },
      is: /^problem: not valid before 2026-05-03$/,
    },
    {
      name: "of an unknown authority",
      certificate: { ...good, problem: "unknown-authority" },
      is: /^problem: signed by "Example CA"/,
    },
    {
      name: "refused for another reason",
      certificate: { ...good, problem: "other", code: "CERT_REVOKED" },
      is: /^problem: refused \(CERT_REVOKED\)$/,
    },
    { name: "whose dates cannot be read", certificate: { ...good, validToMs: Number.NaN }, is: /an unknown date/ },
    {
      name: "behind a proxy",
      certificate: { kind: "not-checked", reason: "proxy" },
      is: /^could-not-tell: requests go through a proxy$/,
    },
  ])("$name", async ({ certificate, is }) => {
    expect(lineOf(await report([{}], { certificate }), "certificate")).toMatch(is);
  });
});

test("addresses without a listener are reported for a name that resolves to them", async () => {
  const addresses = { kind: "addresses", addresses: ["192.0.2.7", "2001:db8::7"] } as const;
  const end = { kind: "failed", code: "connect-timeout", message: "search.example.com:443: no connection" } as const;
  const evidence = seenEvidence([{ end }], { addresses });
  const exchanges = evidence.exchanges.map(({ response: _response, ...exchange }) => exchange);
  expect(lineOf(await diagnose({ ...evidence, exchanges }, settings), "reachable")).toBe(
    "problem: search.example.com:443: no connection (tried 192.0.2.7, 2001:db8::7)",
  );
});

describe("a stream", () => {
  const timeout = { kind: "failed", code: "total-timeout", message: "too long" } as const;
  const begun = event("progress", { done: false, durationMs: 1 });
  const page = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n</html>\r\n";

  test.each<{ name: string; body: string; is: string }>([
    {
      name: "with a gateway page is reported with its title",
      body: begun + page + plainStream,
      is: 'problem: 1 of 1 streams have a web page ("502 Bad Gateway") among their events',
    },
    {
      name: "with a page that has only a heading is reported with that",
      body: `${begun}<!DOCTYPE html>\n<h1>Gateway Timeout</h1>\n\n${plainStream}`,
      is: 'problem: 1 of 1 streams have a web page ("Gateway Timeout") among their events',
    },
    {
      name: "with a page without text has a page",
      body: `${plainStream}<html></html>`,
      is: "problem: 1 of 1 streams have a web page among their events",
    },
    {
      name: "with a comment and a page in a text has a comment",
      body: `: ping\n\n${event("matches", [{ line: "\n<html>" }])}${plainStream}`,
      is: 'problem: 1 of 1 streams have comment lines, such as ": ping"',
    },
    {
      name: "with a page in a text has nothing else",
      body: event("matches", [{ line: "<html><title>x</title>" }]) + plainStream,
      is: "fine: none in 1 streams",
    },
  ])("$name", async ({ body, is }) => {
    expect(lineOf(await report([{ chunks: [[body, 20]] }]), "stream-format")).toBe(is);
  });

  test.each<{ name: string; seen: SeenExchange; is: RegExp }>([
    {
      name: "that pauses inside an event was cut off",
      seen: { chunks: [[`${begun}event: mat`, 20]], end: timeout, endedAtMs: 5020 },
      is: /^problem: 1 of 1 .* silent for 5\.0 s inside an event/,
    },
    {
      name: "that pauses between events may be searching",
      seen: { chunks: [[begun, 20]], end: timeout, endedAtMs: 15_000 },
      is: /^could-not-tell: 1 of 1 streams had not ended/,
    },
    {
      name: "that drips has not ended",
      seen: { chunks: [[`${begun}event: mat`, 14_000]], end: timeout, endedAtMs: 15_000 },
      is: /^could-not-tell/,
    },
    {
      name: "that is cut off between events is cut off",
      seen: { chunks: [[begun, 20]], end: { kind: "failed", code: "truncated", message: "cut" }, endedAtMs: 60_000 },
      is: /^problem: .*cut off after 60\.0 s/,
    },
    {
      name: "that is cut off after `done` lacks the end of its response",
      seen: { end: { kind: "failed", code: "truncated", message: "cut" } },
      is: /^problem: 1 of 1 streams arrived completely, .*closed after `done` without the end of the HTTP response$/,
    },
    {
      name: "in chunks that is cut off after `done` lacks the final one",
      seen: {
        end: { kind: "failed", code: "reset", message: "cut" },
        headers: [["Transfer-Encoding", "chunked"]],
      },
      is: /^problem: 1 of 1 .*closed after `done` without the final chunk of the HTTP response$/,
    },
    {
      name: "that is cut off in the middle of `done` is cut off",
      seen: {
        chunks: [[plainStream.slice(0, -1), 20]],
        end: { kind: "failed", code: "truncated", message: "cut" },
      },
      is: /^problem: .*cut off after/,
    },
    {
      name: "that we had to close a second after `done` was left open",
      seen: { end: { kind: "complete", closedBy: "client" }, endedAtMs: 1010 },
      is: /^note: 1 of 1 streams were left open after `done`, until we closed the connection$/,
    },
    {
      name: "that we closed sooner is whole",
      seen: { end: { kind: "complete", closedBy: "client" }, endedAtMs: 1009 },
      is: /^fine/,
    },
    {
      name: "that our deadline ended after `done` was left open",
      seen: { end: timeout, endedAtMs: 15_000 },
      is: /^note: .*left open/,
    },
    {
      name: "that ends after `done` is whole, however late",
      seen: { endedAtMs: 15_000 },
      is: /^fine/,
    },
    {
      name: "that ends with the page of a gateway was ended by it",
      seen: { chunks: [[begun + page, 20]] },
      is: /^problem: 1 of 1 .*a gateway wrote a web page \("502 Bad Gateway"\) instead of the rest$/,
    },
    {
      name: "larger than the read limit was not cut off",
      seen: { chunks: [[begun, 20]], end: { kind: "failed", code: "body-limit", message: "large" } },
      is: /^could-not-tell/,
    },
  ])("$name", async ({ is, seen }) => {
    expect(lineOf(await report([seen]), "stream-end")).toMatch(is);
  });
});

describe("samples", () => {
  /** A stream that was made over two seconds and arrived over some milliseconds. */
  const sample = (overMs: number, accepts: "identity" | "gzip" = "identity"): SeenExchange => ({
    probe: "sample",
    accepts,
    headers: accepts === "gzip" ? [["content-encoding", "gzip"]] : [],
    chunks: [
      [event("progress", { done: false, durationMs: 10 }), 2100 - overMs],
      [event("progress", { done: true, durationMs: 2010 }) + event("done", {}), 2100],
    ],
    headersAtMs: 2100 - overMs,
    endedAtMs: 2101,
  });
  const held = sample(1);
  const flowing = sample(2000);
  const lumps: SeenExchange = {
    ...held,
    chunks: [
      [event("progress", { done: false, durationMs: 10 }), 1600],
      [event("progress", { done: true, durationMs: 2010 }) + event("done", {}), 2100],
    ],
  };

  /** The effect of a proxy that forwards the first part and collects the rest. */
  const begun: SeenExchange = {
    ...held,
    chunks: [
      [event("filters", []), 100],
      [event("progress", { done: false, durationMs: 10 }), 2100],
      [event("progress", { done: true, durationMs: 2010 }) + event("done", {}), 2100],
    ],
    headersAtMs: 100,
  };

  const endless: SeenExchange = {
    ...held,
    chunks: [[event("progress", { done: false, durationMs: 10 }), 100]],
    end: { kind: "failed", code: "total-timeout", message: "too long" },
    endedAtMs: 20_000,
  };

  test.each<{ name: string; samples: readonly SeenExchange[]; is: RegExp }>([
    { name: "that are all held back", samples: [held, held], is: /^problem: held back: 2 of 2/ },
    { name: "of which one is held back", samples: [held, flowing], is: /^note: some are held back \(1 of 2/ },
    {
      name: "of which one arrives in lumps",
      samples: [lumps],
      is: /^note: 1 of 1 streams arrived in lumps: a part was up to 1500 ms late/,
    },
    {
      name: "of which all arrive in lumps",
      samples: [lumps, lumps, lumps],
      is: /^note: 3 of 3 streams arrived in lumps/,
    },
    {
      name: "of which only the beginning arrives before the end, each time",
      samples: [begun, begun, begun],
      is: /^problem: held back after their beginning: 3 of 3 streams arrived in lumps: a part was up to 2000 ms late/,
    },
    {
      name: "of which only the beginning arrives before the end, twice",
      samples: [begun, begun],
      is: /^note: 2 of 2 streams arrived in lumps/,
    },
    {
      name: "that had not ended when reading stopped",
      samples: [endless, endless],
      is: /^could-not-tell: no stream had ended when we stopped reading/,
    },
    { name: "that all flow", samples: [flowing, flowing], is: /^fine: 2 of 2/ },
    {
      name: "of which those that are compressed are held back",
      samples: [flowing, sample(1, "gzip")],
      is: /^fine: 1 of 1/,
    },
  ])("$name", async ({ is, samples }) => {
    expect(lineOf(await report([{}, ...samples]), "buffering")).toMatch(is);
  });

  test.each<{ name: string; samples: readonly SeenExchange[]; is: RegExp }>([
    {
      name: "and the compressed ones alone are held back",
      samples: [flowing, sample(1, "gzip")],
      is: /^problem: "gzip" holds/,
    },
    {
      name: "and one of the compressed ones",
      samples: [sample(1, "gzip"), sample(2000, "gzip")],
      is: /^note: "gzip" may hold/,
    },
    { name: "and nothing is compressed", samples: [{ ...flowing, accepts: "gzip" }], is: /^fine: none/ },
  ])("$name: compression", async ({ is, samples }) => {
    expect(lineOf(await report([{}, ...samples]), "compression")).toMatch(is);
  });

  const other = (seen: SeenExchange): SeenExchange => ({ ...seen, probe: "otherSample" });
  const refused = (message: string): SeenExchange =>
    other({ isUnanswered: true, end: { kind: "failed", code: "tls", message } });
  const offering = (protocol: string): CertificateResult => ({
    kind: "certificate",
    names: ["search.example.com"],
    issuer: "Example CA",
    validFromMs: startedAtMs,
    validToMs: startedAtMs + 1e10,
    protocol,
  });

  test.each<{ name: string; samples: readonly SeenExchange[]; others?: Partial<DoctorEvidence>; is: RegExp }>([
    {
      name: "that are held back over HTTP/1.1 alone",
      samples: [held, held, other(flowing), other(flowing)],
      is: /^problem: streams are held back over HTTP\/1\.1 \(2 of 2: .*\) and not over HTTP\/2$/,
    },
    {
      name: "that are held back over HTTP/2 alone",
      samples: [flowing, flowing, other(held), other(held)],
      is: /^problem: streams are held back over HTTP\/2 \(2 of 2: .*\) and not over HTTP\/1\.1$/,
    },
    {
      name: "that are held back over both",
      samples: [held, held, other(held), other(held)],
      is: /^could-not-tell: streams are held back over both/,
    },
    {
      name: "that flow over both",
      samples: [flowing, other(flowing)],
      is: /^fine: HTTP\/1\.1 and HTTP\/2; over HTTP\/2 1 of 1/,
    },
    {
      name: "of which one in two is held back",
      samples: [flowing, flowing, other(held), other(flowing)],
      is: /^could-not-tell: HTTP\/1\.1 and HTTP\/2 are both offered/,
    },
    {
      name: "that do not come over HTTP/2",
      samples: [flowing, refused("h:443: the connection was reset")],
      is: /^problem: no stream arrives over HTTP\/2: h:443: the connection was reset$/,
    },
    {
      name: "of a target that does not offer HTTP/2 behind a proxy",
      samples: [flowing, refused("h:443: it does not offer HTTP/2, which is required")],
      is: /^fine: only HTTP\/1\.1 is offered$/,
    },
    {
      name: "of a target that does not offer HTTP/2",
      samples: [flowing],
      others: { certificate: offering("http/1.1") },
      is: /^fine: only HTTP\/1\.1 is offered$/,
    },
    {
      name: "of a target that offers it and was not asked for it",
      samples: [flowing],
      others: { certificate: offering("h2") },
      is: /^could-not-tell/,
    },
    {
      name: "of a target with http",
      samples: [flowing],
      others: { target: "http://search.example.com" },
      is: /^not-applicable: http uses HTTP\/1\.1$/,
    },
  ])("$name: versions of HTTP", async ({ is, samples, others = {} }) => {
    expect(lineOf(await report([{}, ...samples], others), "http-versions")).toMatch(is);
  });
});

test("a cache that answers instead of the instance is a problem", async () => {
  expect(lineOf(await report([{ headers: [["age", "12"]] }]), "cache-control")).toBe(
    "problem: a cache responded instead of the instance",
  );
});

test("text from a target is shown with visible control characters", async () => {
  const text = JSON.stringify(
    await report([
      {
        headers: [
          ["server", "nginx\u001b[2J\u202e"],
          ["content-type", "text/\u001b]8;;x"],
        ],
      },
    ]),
  );
  expect(["\u001b", "\\u001b", "\u202e"].filter((hidden) => text.includes(hidden))).toEqual([]);
});
