import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { scanForSecrets } from "@assay/evidence";
import type { LoadResult, RunResult } from "@assay/results";
import { beforeEach, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { httpTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const secret = "glowing-Zebra-42/peanut";

/** What a collector was sent. */
interface Received {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

let received: Received[] = [];
beforeEach(() => {
  received = [];
});

/** A small collector that answers with a status, or never. */
const collector = (answer: RequestListener): Promise<string> =>
  httpTarget((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      received.push({ url: request.url, headers: request.headers, body: Buffer.concat(pieces) });
      answer(request, response);
    });
  });

const taking: RequestListener = (_request, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end("{}");

const run = (out: string, env: Readonly<Record<string, string>>, ...more: readonly string[]) =>
  callAssay(["run", "--repo", repository, "--rule", "two-fields", "--seed", "1", "--quiet", "--out", out, ...more], {
    cwd,
    env,
  });

interface Point {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[];
  readonly asInt?: string;
  readonly count?: string;
}

/** Values of the points of a metric by one of their attributes. */
function valuesIn(body: Buffer, metric: string, attribute: string): Readonly<Record<string, string>> {
  const [{ scopeMetrics }] = JSON.parse(body.toString()).resourceMetrics;
  const { gauge, sum, histogram } = scopeMetrics[0].metrics.find(({ name }: { name: string }) => name === metric);
  const points: readonly Point[] = (gauge ?? sum ?? histogram).dataPoints;
  return Object.fromEntries(
    points.map(({ attributes, asInt, count }) => [
      Object.values(attributes.find(({ key }) => key === attribute)?.value ?? {})[0] ?? "",
      asInt ?? count ?? "",
    ]),
  );
}

const json = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };

describe("a run", () => {
  test("sends its figures to a collector, and keeps its headers to itself", async () => {
    const url = await collector(taking);
    const { code, err } = await run("told", {
      ...json,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${encodeURIComponent(secret)}`,
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=staging",
    });
    expect([code, err, received.length]).toEqual([0, "", 1]);
    const [{ body, headers, url: path } = { body: Buffer.alloc(0), headers: {}, url: "" }] = received;
    expect([path, headers["content-type"], headers["x-api-key"]]).toEqual(["/v1/metrics", "application/json", secret]);
    const result: RunResult = JSON.parse(readFileSync(join(cwd, "told/verdicts.json"), "utf8"));
    const { attributes } = JSON.parse(body.toString()).resourceMetrics[0].resource;
    expect(attributes).toEqual(
      expect.arrayContaining([
        { key: "service.name", value: { stringValue: "assay" } },
        { key: "service.instance.id", value: { stringValue: result.run.id } },
        { key: "deployment.environment", value: { stringValue: "staging" } },
      ]),
    );
    expect(valuesIn(body, "assay.run.exit_code", "assay.outcome")).toEqual({ passed: "0" });
    expect(valuesIn(body, "assay.run.rules", "assay.standing")).toMatchObject({ passed: String(result.counts.passed) });
    const sent = Object.values(valuesIn(body, "assay.exchanges", "assay.interface"));
    expect(sent.reduce((all, count) => all + Number(count), 0)).toBe(result.exchanges.length);
    const matched = result.exchanges.filter(({ firstMatchMicros }) => firstMatchMicros !== undefined).length;
    const [count] = Object.values(valuesIn(body, "assay.search.time_to_first_match", "assay.target"));
    expect(count).toBe(String(matched));
    expect(await scanForSecrets(join(cwd, "told"), [{ name: "header", value: secret }])).toEqual([]);
  });

  test("sends them in the binary form by default, and compressed if configured", async () => {
    const url = await collector(taking);
    const env = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${url}/m`, OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" };
    const { code, err } = await run("binary", env);
    expect([code, err]).toEqual([0, ""]);
    const [{ body, headers, url: path } = { body: Buffer.alloc(0), headers: {}, url: "" }] = received;
    expect([path, headers["content-type"], headers["content-encoding"]]).toEqual([
      "/m",
      "application/x-protobuf",
      "gzip",
    ]);
    expect(gunzipSync(body).toString("latin1")).toContain("assay.search.time_to_first_match");
  });

  test("that fails tells so, with its own exit code", async () => {
    const url = await collector(taking);
    const { code } = await run("failed", { ...json, OTEL_EXPORTER_OTLP_ENDPOINT: url }, "--fault", "comment");
    expect([code, valuesIn(received[0]?.body ?? Buffer.alloc(0), "assay.run.exit_code", "assay.outcome")]).toEqual([
      1,
      { failed: "1" },
    ]);
  });

  test.each<{ name: string; answer: RequestListener; env?: Readonly<Record<string, string>>; says: RegExp }>([
    {
      name: "refuses",
      answer: (_request, response) => response.writeHead(401).end(secret),
      says: /^note: no metrics were sent: 127\.0\.0\.1:\d+ returned status 401\n$/u,
    },
    {
      name: "sends elsewhere",
      answer: (_request, response) => response.writeHead(302, { location: "http://other.invalid/" }).end(),
      says: /status 302\n$/u,
    },
    {
      name: "never answers",
      answer: () => undefined,
      env: { OTEL_EXPORTER_OTLP_TIMEOUT: "200" },
      says: /: no response within 200 ms\n$/u,
    },
    {
      name: "hangs up",
      answer: (request) => request.socket.destroy(),
      says: /: ECONNRESET\n$/u,
    },
    {
      name: "has another protocol",
      answer: taking,
      env: { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      says: /OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and only http\/protobuf and http\/json are supported\n$/u,
    },
  ])("whose collector $name ends as it would without", async ({ name, answer, env = {}, says }) => {
    const url = await collector(answer);
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${encodeURIComponent(secret)}` };
    const { code, out, err } = await run(name, { ...json, ...headers, OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env });
    expect([code, err]).toEqual([0, expect.stringMatching(says)]);
    expect(out + err).not.toContain(secret);
  });

  test("sends nothing if no variable names a collector, or if everything is disabled", async () => {
    const url = await collector(taking);
    await run("none", { OTEL_SERVICE_NAME: "x" });
    await run("disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: "true" });
    expect(received).toEqual([]);
  });
});

test.skipIf(!hasK6())("a load run sends its figures", async () => {
  const url = await collector(taking);
  const load = ["load", "search-first-match", "--duration", "3s", "--warmup", "0s", "--rate", "3", "--no-canary"];
  const env = { ...json, OTEL_EXPORTER_OTLP_ENDPOINT: url, PATH: process.env["PATH"] ?? "" };
  const { code, err } = await callAssay([...load, "--quiet", "--out", "load"], { cwd, env });
  const result: LoadResult = JSON.parse(readFileSync(join(cwd, "load/load.json"), "utf8"));
  expect([code, err, received.length]).toEqual([result.exitCode, "", 1]);
  const { body } = received[0] ?? { body: Buffer.alloc(0) };
  expect(valuesIn(body, "assay.load.exit_code", "assay.outcome")).toEqual({ [result.outcome]: String(code) });
  const { ok = 0 } = result.outcomes["stream"] ?? {};
  expect(valuesIn(body, "assay.load.requests", "assay.outcome")).toMatchObject({ ok: String(ok) });
  const count = result.histograms.find(({ metric, phase }) => metric === "first-match" && phase === "measure")?.count;
  expect(valuesIn(body, "assay.load.latency", "assay.metric")).toMatchObject({ "first-match": String(count) });
});
