import { HarnessError } from "@assay/contract";
import type { HeaderField, Secret } from "@assay/evidence";
import { minSecretLength, visibleText } from "@assay/evidence";
import type { Environment } from "./environment.ts";
import { isProtocolText } from "../protocol-text.ts";

const variablePrefix = "SRC_HEADER_";
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that frame a message. A duplicate or wrong one would change how the target parses it. */
const framingHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Validates a header and converts its name to lower case. Messages contain `source` but never the value. */
export function checkHeader([name, value]: HeaderField, source: string): HeaderField {
  const lowerName = name.trim().toLowerCase();
  if (!namePattern.test(lowerName)) {
    throw new HarnessError("bad-header", `${source} has an invalid header name: "${visibleText(name, 80)}"`);
  }
  if (framingHeaders.has(lowerName)) {
    throw new HarnessError(
      "bad-header",
      `${source} sets the header ${lowerName}, which is set by the connection; remove it`,
    );
  }
  if (!valuePattern.test(value)) {
    throw new HarnessError(
      "bad-header",
      `${source} has a value for the header ${lowerName} with control or non-Latin characters`,
    );
  }
  return [lowerName, value.trim()];
}

/** Parses the lines of `SRC_HEADERS`: `name:value`, separated by line feeds, or by a literal `\n` as left by shells in double quotes. */
function parseHeaderLines(text: string): readonly HeaderField[] {
  const lines = text.split(/\n|\\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const colonIndex = line.indexOf(":");
    if (colonIndex === -1) {
      throw new HarnessError("bad-header", "SRC_HEADERS has a line without a colon; write each as name:value");
    }
    return checkHeader([line.slice(0, colonIndex), line.slice(colonIndex + 1)], "SRC_HEADERS");
  });
}

/**
 * Returns the headers for every request to the target, from `SRC_HEADERS` (lines of `name:value`) and `SRC_HEADER_<NAME>`, which takes
 * precedence. Names become lower case. Empty values are omitted. Throws `bad-header`.
 */
export function readExtraHeaders(env: Environment): readonly HeaderField[] {
  const variableHeaders = Object.entries(env)
    .filter(
      ([name, value]) => name.startsWith(variablePrefix) && name.length > variablePrefix.length && value !== undefined,
    )
    .map(([name, value]) => checkHeader([name.slice(variablePrefix.length), value ?? ""], name));
  const fields = new Map([...parseHeaderLines(env["SRC_HEADERS"] ?? ""), ...variableHeaders]);
  return Array.from(fields).filter(([, value]) => value !== "");
}

const secretNamePattern = new RegExp(
  String.raw`(?:^|[^a-z0-9])(?:${[
    "[a-z0-9]*(?:token|secret|passw(?:or)?d|passphrase|cookie|credentials?|signature|session(?:id)?|api_?key|apikey)",
    "[a-z0-9]*(?:access|secret|private|auth)key",
    "auth|authentication|authorization|authn|authz|keys?|pass|pwd|sig|hmac|jwt|assertion|bearer|sid|otp|csrf|xsrf|ticket",
  ].join("|")})(?:$|[^a-z0-9])`,
);

/** Reports whether a value has a long part that mixes letters and digits, like a generated key. */
const looksGenerated = (value: string): boolean =>
  (value.match(/[A-Za-z0-9_+/=-]{16,}/g) ?? []).some(
    (part) => (part.match(/\d/g) ?? []).length >= 4 && (part.match(/[A-Za-z]/g) ?? []).length >= 4,
  );

/**
 * Returns the values of extra headers to redact everywhere, without the authorization scheme: headers with a secret-like name, and values
 * that look generated. A tenant number or a view name is neither: redacting it everywhere would change what the target sent. Omits protocol
 * words and values that are too short for the redactor. Every extra header is always redacted in its own field.
 */
export const findHeaderSecrets = (headers: readonly HeaderField[]): readonly Secret[] =>
  headers
    .map(([name, value]) => ({ header: name, value: value.replace(/^(?:token|bearer|basic)\s+/i, "") }))
    .filter(({ header, value }) => secretNamePattern.test(header.toLowerCase()) || looksGenerated(value))
    .filter(({ value }) => value.length >= minSecretLength && !isProtocolText(value))
    .map(({ header, value }) => ({ name: `header ${header}`, value }));
