import { interfaceNames, operationNames } from "@assay/contract";
import { isRecord, type JsonRecord } from "@assay/reading";
import { type Footer, type Manifest, stopCauses, unsentCauses } from "./bundle-files.ts";
import { maxBodyBytes } from "./bundle-limits.ts";
import {
  type BodyRecord,
  type ExchangeRecord,
  type HeaderField,
  credentialKinds,
  failureCodes,
  httpVersions,
  tlsFiles,
} from "../exchange.ts";

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const digestPattern = /^[0-9a-f]{64}$/;
const namePattern = /^[\x21-\x7e]{1,200}$/;

const isText = (value: unknown): value is string => typeof value === "string";
const isName = (value: unknown): boolean => isText(value) && namePattern.test(value);
const isDigest = (value: unknown): boolean => isText(value) && digestPattern.test(value);
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isMicros = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isOptional = (value: unknown, isValid: (value: unknown) => boolean): boolean =>
  value === undefined || isValid(value);
const isOneOf = (value: unknown, list: readonly string[]): boolean => isText(value) && list.includes(value);

const isHeaderField = (value: unknown): value is HeaderField =>
  Array.isArray(value) && value.length === 2 && value.every(isText);
const isHeaders = (value: unknown): boolean => Array.isArray(value) && value.every(isHeaderField);

const isChunkEntry = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && isCount(value[0]) && value[0] > 0 && isMicros(value[1]);

function isBody(value: unknown): value is BodyRecord {
  if (!isRecord(value) || !isDigest(value["sha256"]) || !isCount(value["bytes"]) || value["bytes"] > maxBodyBytes) {
    return false;
  }
  const chunks: unknown = value["chunks"];
  if (!Array.isArray(chunks) || !chunks.every(isChunkEntry) || !isOptional(value["mergedChunks"], isCount)) {
    return false;
  }
  return chunks.reduce((sum, [bytes]) => sum + bytes, 0) === value["bytes"];
}

const isRequest = (value: unknown): boolean =>
  isRecord(value) &&
  isName(value["method"]) &&
  isText(value["url"]) &&
  isHeaders(value["headers"]) &&
  isOptional(value["body"], isText);

const isResponse = (value: unknown): boolean =>
  isRecord(value) && isCount(value["status"]) && isHeaders(value["headers"]) && isBody(value["body"]);

const isEnd = (value: unknown): boolean =>
  isRecord(value) &&
  ((value["kind"] === "complete" && isOptional(value["closedBy"], (by) => by === "client")) ||
    (value["kind"] === "failed" && isOneOf(value["code"], failureCodes) && isText(value["message"])));

const isStalls = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((stall) => Array.isArray(stall) && stall.length === 2 && isMicros(stall[0]) && isMicros(stall[1]));

const isTimes = (value: unknown): boolean =>
  isRecord(value) &&
  isMicros(value["sentAtMicros"]) &&
  isOptional(value["connectedAtMicros"], isMicros) &&
  isOptional(value["headersAtMicros"], isMicros) &&
  isOptional(value["stalls"], isStalls) &&
  isMicros(value["endedAtMicros"]);

/** Reports whether interface and operation match. */
function isOperation({ interface: name, operation }: JsonRecord): boolean {
  if (name === "stream" || name === "reference") {
    return operation === (name === "stream" ? "search" : "describe");
  }
  return (
    isOneOf(name, interfaceNames) &&
    isOneOf(operation, operationNames) &&
    operation !== "search" &&
    operation !== "describe"
  );
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const isTlsFiles = (value: unknown): boolean => Array.isArray(value) && value.every((file) => isOneOf(file, tlsFiles));

/** Reports whether the members needed to repeat the request are valid. */
const isRepetition = ({ httpVersion, tlsFiles: files, givenHeaders }: JsonRecord): boolean =>
  isOptional(httpVersion, (version) => isOneOf(version, httpVersions)) &&
  isOptional(files, isTlsFiles) &&
  isOptional(givenHeaders, isTexts);

/** Reports whether a parsed line is an exchange: digests are safe as file names, and chunk lengths add up. */
export const isExchangeRecord = (value: unknown): value is ExchangeRecord =>
  isRecord(value) &&
  isName(value["id"]) &&
  isName(value["probe"]) &&
  isOptional(value["retryOf"], isName) &&
  isOptional(value["session"], isName) &&
  isOperation(value) &&
  isOneOf(value["credential"], credentialKinds) &&
  isRequest(value["request"]) &&
  isRepetition(value) &&
  isOptional(value["response"], isResponse) &&
  isEnd(value["end"]) &&
  isTimes(value["times"]);

/** Reports whether a record claims a complete response but has no head. */
export const lacksResponse = ({ end, response }: ExchangeRecord): boolean =>
  end.kind === "complete" && response === undefined;

const isTarget = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value["url"]) &&
  isOneOf(value["access"], ["private", "public", "undeclared"]) &&
  isOptional(value["sharing"], (sharing) => isOneOf(sharing, ["on", "off", "undeclared"])) &&
  isOptional(value["asksNothing"], isText) &&
  typeof value["embedded"] === "boolean";

const isKnownFailureFile = ({ source, text, isShipped }: JsonRecord): boolean =>
  isText(source) && isText(text) && isOptional(isShipped, (value) => typeof value === "boolean");

/** Reports whether a value is the known-failure files of a run. */
export const isKnownFailures = (value: unknown): boolean =>
  Array.isArray(value) && value.every((file) => isRecord(file) && isKnownFailureFile(file));

const isRunDescription = (value: JsonRecord): boolean =>
  isName(value["runId"]) &&
  isText(value["startedAt"]) &&
  isText(value["profile"]) &&
  typeof value["seed"] === "number" &&
  typeof value["strict"] === "boolean";

const isTool = (value: unknown): boolean => isRecord(value) && value["name"] === "assay" && isText(value["version"]);

const isDigests = (value: unknown): boolean =>
  isRecord(value) && isDigest(value["catalogue"]) && isDigest(value["openapi"]);

/** Reports whether a parsed manifest has the shape of schema version 1. */
export const isManifest = (value: unknown): value is Manifest =>
  isRecord(value) &&
  value["schemaVersion"] === 1 &&
  isRunDescription(value) &&
  isTool(value["tool"]) &&
  isTarget(value["target"]) &&
  isTexts(value["rules"]) &&
  isOptional(value["notes"], isTexts) &&
  isOptional(value["proof"], (proof) => typeof proof === "boolean") &&
  isOptional(value["knownFailures"], isKnownFailures) &&
  isDigests(value["digests"]);

const isUnsent = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (probe) =>
      isRecord(probe) &&
      isOneOf(probe["interface"], ["stream", "legacy", "current"]) &&
      isName(probe["probe"]) &&
      isOneOf(probe["cause"], unsentCauses) &&
      isText(probe["reason"]),
  );

export const isFooter = (value: unknown): value is Footer =>
  isRecord(value) &&
  isCount(value["exchanges"]) &&
  isCount(value["bodies"]) &&
  isDigest(value["exchangesSha256"]) &&
  isOptional(value["manifestSha256"], isDigest) &&
  isOneOf(value["ended"], ["complete", "stopped", "interrupted"]) &&
  isOptional(value["cause"], (cause) => isOneOf(cause, stopCauses)) &&
  isOptional(value["reason"], isText) &&
  isOptional(value["left"], isText) &&
  isOptional(value["unsent"], isUnsent);
