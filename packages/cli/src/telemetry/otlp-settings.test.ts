import { describe, expect, test } from "vitest";
import { readOtlpSettings } from "./otlp-settings.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318/" };

describe("metrics are sent", () => {
  test.each<{ name: string; env: Readonly<Record<string, string>>; is: object }>([
    {
      name: "below a base address, as the specification has it",
      env: endpoint,
      is: {
        url: new URL("http://localhost:4318/v1/metrics"),
        encoding: "binary",
        isCompressed: false,
        headers: [],
        timeoutMs: 10_000,
        resource: {},
        tls: {},
      },
    },
    {
      name: "below a base address with a path",
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: "https://h/otlp" },
      is: { url: new URL("https://h/otlp/v1/metrics") },
    },
    {
      name: "to the address for metrics unchanged",
      env: { ...endpoint, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://other:1/m" },
      is: { url: new URL("http://other:1/m") },
    },
    {
      name: "by the variables for metrics before those for all signals",
      env: {
        ...endpoint,
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_HEADERS: "a=1",
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: "X-Key = s%20e%3Dcret ,y=2",
        OTEL_EXPORTER_OTLP_TIMEOUT: "1",
        OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "250",
        OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      },
      is: {
        encoding: "json",
        headers: [
          ["x-key", "s e=cret"],
          ["y", "2"],
        ],
        timeoutMs: 250,
        isCompressed: true,
      },
    },
    {
      name: "with what is said of the resource, of which the name wins",
      env: { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: "service.name=a,team=x%2Cy", OTEL_SERVICE_NAME: "b" },
      is: { resource: { "service.name": "b", team: "x,y" } },
    },
    { name: "where variables are empty", env: { ...endpoint, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "" }, is: {} },
  ])("$name", ({ env, is }) => {
    expect(readOtlpSettings(env)).toMatchObject({ kind: "settings", settings: is });
  });
});

test.each([
  { name: "without a variable", env: { OTEL_SERVICE_NAME: "x" } },
  { name: "with an empty one", env: { OTEL_EXPORTER_OTLP_ENDPOINT: " " } },
  { name: "where it is disabled", env: { ...endpoint, OTEL_SDK_DISABLED: "TRUE" } },
  { name: "where there is no exporter", env: { ...endpoint, OTEL_METRICS_EXPORTER: "none" } },
  { name: "where there is another one", env: { ...endpoint, OTEL_METRICS_EXPORTER: "prometheus" } },
])("nothing is sent $name", ({ env }) => {
  expect(readOtlpSettings(env)).toEqual({ kind: "none" });
});

test.each([
  {
    set: { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    why: /^OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and only http\/protobuf/u,
  },
  { set: { OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" }, why: /ENDPOINT is not an http or https address; write/u },
  { set: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://u:hunter2@h" }, why: /contains a user name or password/u },
  { set: { OTEL_EXPORTER_OTLP_HEADERS: "hunter2" }, why: /contains a part without a name/u },
  { set: { OTEL_EXPORTER_OTLP_HEADERS: "a=hunter2%" }, why: /contains an invalid % escape/u },
  { set: { OTEL_EXPORTER_OTLP_HEADERS: "a=hunter2%0Ab" }, why: /control or non-Latin characters/u },
  { set: { OTEL_EXPORTER_OTLP_TIMEOUT: "10s" }, why: /is not a whole number of milliseconds/u },
  { set: { OTEL_EXPORTER_OTLP_COMPRESSION: "zstd" }, why: /is neither gzip nor none/u },
  { set: { OTEL_EXPORTER_OTLP_CERTIFICATE: "/nowhere.pem" }, why: /CERTIFICATE is a file that cannot be read/u },
])("$set is refused in one sentence without quoting a secret", ({ set, why }) => {
  const choice = readOtlpSettings({ ...endpoint, ...set });
  expect(choice).toEqual({ kind: "invalid", reason: expect.stringMatching(why) });
  expect(JSON.stringify(choice)).not.toMatch(/hunter2/u);
});
