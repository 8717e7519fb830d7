import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { gzipSync } from "node:zlib";
import { encodeOtlp, createOtlpRequest } from "@assay/report";
import type { OtlpMetric, OtlpRequest } from "@assay/report";
import type { CommandContext } from "../command-context.ts";
import { tool } from "../version.ts";
import { readOtlpSettings } from "./otlp-settings.ts";
import type { OtlpSettings } from "./otlp-settings.ts";

/** The metrics of a run. */
export interface MetricsToSend {
  readonly runId: string;
  readonly metrics: () => readonly OtlpMetric[];
}

/** Maximum size of a response body. Its content is ignored. */
const maxResponseBytes = 64 * 1024;

async function readResponseText(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > maxResponseBytes) {
      break;
    }
  }
  return text;
}

function encodeBody(request: OtlpRequest, { encoding, isCompressed }: OtlpSettings): Uint8Array {
  const body = encoding === "json" ? Buffer.from(JSON.stringify(request)) : encodeOtlp(request);
  return isCompressed ? gzipSync(body) : body;
}

/** Sends a body once and returns the status of the response. Does not follow redirects. Rejects if there is no response in time. */
function post(settings: OtlpSettings, body: Uint8Array): Promise<number> {
  const { encoding, headers, isCompressed, timeoutMs, tls, url } = settings;
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const clientRequest = send(url, {
      ...tls,
      method: "POST",
      agent: false,
      // Limits the whole exchange, so that a collector that sends single bytes cannot block it.
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...Object.fromEntries(headers),
        "content-type": encoding === "json" ? "application/json" : "application/x-protobuf",
        "content-length": body.length,
        "user-agent": `${tool.name}/${tool.version}`,
        ...(isCompressed ? { "content-encoding": "gzip" } : {}),
      },
    });
    clientRequest.on("error", reject);
    clientRequest.on("response", (response) => {
      readResponseText(response).then(() => resolve(response.statusCode ?? 0), reject);
    });
    clientRequest.end(body);
  });
}

const describeSendError = (error: unknown, { timeoutMs }: OtlpSettings): string => {
  if (error instanceof Error && ["AbortError", "TimeoutError"].includes(error.name)) {
    return `no response within ${timeoutMs} ms`;
  }
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "the connection failed";
};

/** Returns why metrics were not accepted, as a clause, or undefined if they were. */
async function findRejectionReason(settings: OtlpSettings, request: OtlpRequest): Promise<string | undefined> {
  const { host } = settings.url;
  try {
    const status = await post(settings, encodeBody(request, settings));
    return status >= 200 && status < 300 ? undefined : `${host} returned status ${status}`;
  } catch (error) {
    return `${host}: ${describeSendError(error, settings)}`;
  }
}

/**
 * Sends the metrics of a run once, with a deadline, to the endpoint set by the variables of OpenTelemetry. An error is printed on one line
 * and has no other effect. Sends no metrics without an endpoint.
 */
export async function sendMetrics(
  { runId, metrics }: MetricsToSend,
  { env, err }: Pick<CommandContext, "env" | "err">,
): Promise<void> {
  const choice = readOtlpSettings(env);
  if (choice.kind === "none") {
    return;
  }
  const { version } = tool;
  const builtInAttributes = { "service.name": "assay", "service.version": version, "service.instance.id": runId };
  const reason =
    choice.kind === "invalid"
      ? choice.reason
      : await findRejectionReason(
          choice.settings,
          createOtlpRequest(metrics(), { version, resource: { ...builtInAttributes, ...choice.settings.resource } }),
        );
  if (reason !== undefined) {
    err(`note: no metrics were sent: ${reason}\n`);
  }
}
