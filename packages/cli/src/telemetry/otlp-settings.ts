import { readFileSync } from "node:fs";
import { type Environment, checkHeader } from "@assay/client";
import { isHarnessError } from "@assay/contract";
import type { HeaderField } from "@assay/evidence";

/** Destination and format of metrics. */
export interface OtlpSettings {
  readonly url: URL;
  /** `binary` is `http/protobuf`, the default of the specification. */
  readonly encoding: "binary" | "json";
  readonly isCompressed: boolean;
  /** Values are secret. */
  readonly headers: readonly HeaderField[];
  readonly timeoutMs: number;
  /** Additional attributes of the resource. They override the built-in ones. */
  readonly resource: Readonly<Record<string, string>>;
  /** PEM text: trusted authorities, client certificate and key. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/** Settings for sending metrics, none, or why the variables are invalid, as a clause. */
export type OtlpChoice =
  | { readonly kind: "none" }
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "settings"; readonly settings: OtlpSettings };

/** An unusable setting. Its message never quotes a value. */
class InvalidSettingError extends Error {}

/** Returns the variable for metrics, otherwise the variable for all signals. An empty variable is treated as unset. */
function findSetting(env: Environment, name: string): { readonly name: string; readonly value: string } | undefined {
  const names = [`OTEL_EXPORTER_OTLP_METRICS_${name}`, `OTEL_EXPORTER_OTLP_${name}`];
  const variable = names.find((candidate) => (env[candidate] ?? "").trim() !== "");
  return variable === undefined ? undefined : { name: variable, value: (env[variable] ?? "").trim() };
}

/** Parses pairs in the format of W3C Baggage: `name=value`, separated by commas, with percent-encoded values. */
function parsePairs(text: string, variable: string): readonly (readonly [name: string, value: string])[] {
  const parts = text.split(",").filter((part) => part.trim() !== "");
  return parts.map((part) => {
    const equalsIndex = part.indexOf("=");
    if (equalsIndex < 1) {
      throw new InvalidSettingError(
        `${variable} contains a part without a name and \`=\`; write it like name=value,other=value`,
      );
    }
    try {
      return [part.slice(0, equalsIndex).trim(), decodeURIComponent(part.slice(equalsIndex + 1).trim())] as const;
    } catch {
      throw new InvalidSettingError(`${variable} contains an invalid % escape; write % as %25`);
    }
  });
}

function readHeaders(env: Environment): readonly HeaderField[] {
  const setting = findSetting(env, "HEADERS");
  const pairs = setting === undefined ? [] : parsePairs(setting.value, setting.name);
  try {
    return pairs.map((pair) => checkHeader(pair, setting?.name ?? ""));
  } catch (error) {
    throw isHarnessError(error) ? new InvalidSettingError(error.sentence) : error;
  }
}

function parseUrl({ name, value }: { readonly name: string; readonly value: string }): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
    throw new InvalidSettingError(`${name} is not an http or https address; write it like http://localhost:4318`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidSettingError(`${name} contains a user name or password; use OTEL_EXPORTER_OTLP_HEADERS instead`);
  }
  if (!name.includes("METRICS")) {
    url.pathname = `${url.pathname.replace(/\/+$/u, "")}/v1/metrics`;
  }
  return url;
}

const encodings: Readonly<Record<string, OtlpSettings["encoding"]>> = {
  "http/protobuf": "binary",
  "http/json": "json",
};

function readEncoding(env: Environment): OtlpSettings["encoding"] {
  const { name, value } = findSetting(env, "PROTOCOL") ?? { name: "", value: "http/protobuf" };
  const encoding = encodings[value];
  if (encoding === undefined) {
    const protocol = value === "grpc" ? "grpc" : "an unknown protocol";
    throw new InvalidSettingError(`${name} is ${protocol}, and only http/protobuf and http/json are supported`);
  }
  return encoding;
}

function usesGzip(env: Environment): boolean {
  const { name, value } = findSetting(env, "COMPRESSION") ?? { name: "", value: "none" };
  if (value !== "none" && value !== "gzip") {
    throw new InvalidSettingError(`${name} is neither gzip nor none`);
  }
  return value === "gzip";
}

/** Default of the specification. */
const defaultTimeoutMs = 10_000;
/** Maximum delay at the end of a run. */
const maxTimeoutMs = 60_000;

function readTimeoutMs(env: Environment): number {
  const setting = findSetting(env, "TIMEOUT");
  if (setting !== undefined && !/^\d{1,9}$/u.test(setting.value)) {
    throw new InvalidSettingError(`${setting.name} is not a whole number of milliseconds`);
  }
  return Math.min(maxTimeoutMs, Number(setting?.value ?? defaultTimeoutMs));
}

function readFileSetting(env: Environment, name: string): string | undefined {
  const setting = findSetting(env, name);
  try {
    return setting === undefined ? undefined : readFileSync(setting.value, "utf8");
  } catch {
    throw new InvalidSettingError(`${setting?.name} is a file that cannot be read`);
  }
}

function readTlsFiles(env: Environment): OtlpSettings["tls"] {
  const [ca, cert, key] = ["CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"].map((name) => readFileSetting(env, name));
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

function readResourceAttributes(env: Environment): Readonly<Record<string, string>> {
  const { OTEL_RESOURCE_ATTRIBUTES: list = "", OTEL_SERVICE_NAME: name = "" } = env;
  const attributes = Object.fromEntries(parsePairs(list, "OTEL_RESOURCE_ATTRIBUTES"));
  return name.trim() === "" ? attributes : { ...attributes, "service.name": name.trim() };
}

/** Reports whether the variables turn metrics off. */
function areMetricsOff({
  OTEL_SDK_DISABLED: disabled = "",
  OTEL_METRICS_EXPORTER: exporter = "otlp",
}: Environment): boolean {
  const isEnabled = exporter.split(",").some((name) => ["otlp", ""].includes(name.trim()));
  return disabled.trim().toLowerCase() === "true" || !isEnabled;
}

/**
 * Returns the settings for metrics from the standard variables of OpenTelemetry. Metrics are sent only if one of them sets an endpoint.
 * Source: OpenTelemetry specification, OTLP exporter and SDK environment variables.
 */
export function readOtlpSettings(env: Environment): OtlpChoice {
  const endpoint = findSetting(env, "ENDPOINT");
  if (endpoint === undefined || areMetricsOff(env)) {
    return { kind: "none" };
  }
  try {
    return {
      kind: "settings",
      settings: {
        url: parseUrl(endpoint),
        encoding: readEncoding(env),
        isCompressed: usesGzip(env),
        headers: readHeaders(env),
        timeoutMs: readTimeoutMs(env),
        resource: readResourceAttributes(env),
        tls: readTlsFiles(env),
      },
    };
  } catch (error) {
    if (error instanceof InvalidSettingError) {
      return { kind: "invalid", reason: error.message };
    }
    throw error;
  }
}

/** Returns the headers for a collector, empty if they are unreadable. */
export function readOtlpHeaders(env: Environment): readonly HeaderField[] {
  const choice = readOtlpSettings(env);
  return choice.kind === "settings" ? choice.settings.headers : [];
}
