import type { LoadSide } from "@assay/contract";
import type { Options } from "k6/options";
import { parsedJson } from "./parsed-json.ts";
import { PlanError } from "./plan-error.ts";

export type Headers = Readonly<Record<string, string>>;

export type Environment = Readonly<Record<string, string | undefined>>;

const parseExtraHeaders = (json: string): Headers => {
  const value = parsedJson(json);
  const entries = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const isObject = entries.length > 0 || json.trim() === "{}";
  if (!isObject || !entries.every((entry): entry is [string, string] => typeof entry[1] === "string")) {
    throw new PlanError('ASSAY_EXTRA_HEADERS must be JSON of the form {"name": "value"}; its value is not shown here.');
  }
  return Object.fromEntries(entries);
};

const readToken = (env: Environment, side: LoadSide): string =>
  env[side === "base" ? "ASSAY_TOKEN" : "ASSAY_AGAINST_TOKEN"] ?? "";

/**
 * Returns the headers for a target, from `ASSAY_TOKEN` (`ASSAY_AGAINST_TOKEN` for the head) and `ASSAY_EXTRA_HEADERS`.
 * Without a token there is no `Authorization`. Source: search-stream, section 3; conversation-api, section 5.
 */
export function headersFor(env: Environment, side: LoadSide): Headers {
  const token = readToken(env, side);
  return {
    ...(env["ASSAY_EXTRA_HEADERS"] === undefined ? {} : parseExtraHeaders(env["ASSAY_EXTRA_HEADERS"])),
    ...(token === "" ? {} : { Authorization: `token ${token}` }),
  };
}

/** Adds the PEM frame to a key that is only base64. */
const toPemKey = (key: string): string =>
  key.includes("-----BEGIN") ? key : `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`;

/** Returns k6's option for the client certificate in `ASSAY_CLIENT_CERT_PEM` and `ASSAY_CLIENT_KEY_PEM`. */
export function clientCertificate(env: Environment): Pick<Options, "tlsAuth"> {
  const { ASSAY_CLIENT_CERT_PEM: cert = "", ASSAY_CLIENT_KEY_PEM: key = "" } = env;
  return cert === "" ? {} : { tlsAuth: [{ cert, key: toPemKey(key) }] };
}
