import type { LoadArm } from "@assay/results";
import type { Options } from "k6/options";
import { parsedJson } from "./parsed-json.ts";
import { PlanError } from "./plan-error.ts";

/** Headers of every request to one target. */
export type Headers = Readonly<Record<string, string>>;

/** The environment that a script of k6 sees. */
export type Environment = Readonly<Record<string, string | undefined>>;

const extraHeaders = (json: string): Headers => {
  const value = parsedJson(json);
  const entries = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const isFit = entries.length > 0 || json.trim() === "{}";
  if (!isFit || !entries.every((entry): entry is [string, string] => typeof entry[1] === "string")) {
    throw new PlanError(
      'ASSAY_EXTRA_HEADERS has to be JSON of the form {"name": "value"}; its value is not shown here.',
    );
  }
  return Object.fromEntries(entries);
};

const tokenOf = (env: Environment, arm: LoadArm): string => env[arm === "a" ? "ASSAY_TOKEN" : "ASSAY_TOKEN_B"] ?? "";

/**
 * Headers for a target, from `ASSAY_TOKEN` (`ASSAY_TOKEN_B` for the second one) and `ASSAY_EXTRA_HEADERS`; without a token none is
 * sent. Source: search-stream, section 3; conversation-api, section 5.
 */
export function headersFor(env: Environment, arm: LoadArm): Headers {
  const token = tokenOf(env, arm);
  return {
    ...(env["ASSAY_EXTRA_HEADERS"] === undefined ? {} : extraHeaders(env["ASSAY_EXTRA_HEADERS"])),
    ...(token === "" ? {} : { Authorization: `token ${token}` }),
  };
}

/** A key in PEM; one that is its line of base64 alone gets its frame. */
const framedKey = (key: string): string =>
  key.includes("-----BEGIN") ? key : `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`;

/** The certificate for targets that ask for one, from `ASSAY_CLIENT_CERT_PEM` and `ASSAY_CLIENT_KEY_PEM`; an option of k6. */
export function clientCertificate(env: Environment): Pick<Options, "tlsAuth"> {
  const { ASSAY_CLIENT_CERT_PEM: cert = "", ASSAY_CLIENT_KEY_PEM: key = "" } = env;
  return cert === "" ? {} : { tlsAuth: [{ cert, key: framedKey(key) }] };
}
