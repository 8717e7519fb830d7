/** The meaning of a status code. Source: RFC 9110, section 15. The specifications mention few status codes. */
export type StatusKind =
  /** 200 to 299. */
  | "success"
  | "redirect"
  /** 401 or 403. */
  | "unauthorized"
  /** 407: a proxy requires credentials. */
  | "proxy-auth"
  /** 404, 405 or 410. */
  | "not-found"
  /** 429. */
  | "rate-limited"
  /** Any other status from 400 to 499. */
  | "client-error"
  /** 501. */
  | "not-implemented"
  /** 502 or 504: a proxy cannot reach the service. */
  | "gateway-error"
  /** 503. */
  | "unavailable"
  /** Any other status of 500 or more. */
  | "server-error"
  /** Below 200. */
  | "informational"
  /** No response head arrived. */
  | "no-response";

/** The kind of a 2xx body, according to its first characters. */
export type ContentKind =
  /** At least one line is a field of an event or a comment. */
  | "events"
  /** Starts like a JSON object or array. */
  | "json"
  /** Zero bytes. */
  | "empty"
  /** HTML, usually an error page or login page of a proxy. */
  | "web-page"
  | "other-content";

/** The kind of a response: by its body for 2xx, otherwise by its status. */
export type AnswerKind = Exclude<StatusKind, "success"> | ContentKind;

const statusKinds: ReadonlyMap<number, StatusKind> = new Map([
  [401, "unauthorized"],
  [403, "unauthorized"],
  [404, "not-found"],
  [405, "not-found"],
  [407, "proxy-auth"],
  [410, "not-found"],
  [429, "rate-limited"],
  [501, "not-implemented"],
  [502, "gateway-error"],
  [503, "unavailable"],
  [504, "gateway-error"],
]);

const rangeKinds: readonly (readonly [from: number, kind: StatusKind])[] = [
  [500, "server-error"],
  [400, "client-error"],
  [300, "redirect"],
  [200, "success"],
  [1, "informational"],
];

/** Classifies a status code. 0 and undefined mean that no response arrived. */
export const classifyStatus = (status = 0): StatusKind =>
  statusKinds.get(status) ?? rangeKinds.find(([from]) => status >= from)?.[1] ?? "no-response";

/** A field of an event or a comment, at the start of any line, in any letter case and possibly indented. */
const fieldLine = /^\uFEFF?[ \t]*(?:event|data|id|retry)?[ \t]*:/imu;
const pageStart = /^\uFEFF?\s*<(?:!doctype|html)\b/iu;
const markupStart = /^\uFEFF?\s*</u;
const jsonStart = /^\uFEFF?\s*[[{]/u;
const htmlType = /^\s*(?:text\/html|application\/xhtml\+xml)\b/iu;

/** Reports whether text starts with a tag. */
export const isMarkup = (beginning: string): boolean => markupStart.test(beginning);

function classifyContent(contentType: string, beginning: string): ContentKind {
  if (beginning === "") {
    return "empty";
  }
  const isHtml = htmlType.test(contentType);
  // A script in a page may contain lines that look like fields.
  if (pageStart.test(beginning) || (isHtml && isMarkup(beginning))) {
    return "web-page";
  }
  if (fieldLine.test(beginning)) {
    return "events";
  }
  if (isMarkup(beginning)) {
    return "web-page";
  }
  // Some proxies change the content type of JSON, so the body decides.
  return jsonStart.test(beginning) ? "json" : isHtml ? "web-page" : "other-content";
}

type HeaderLine = readonly [name: string, value: string];

/**
 * Classifies a response. `status` is undefined or 0 if no response arrived. `beginning` is the start of the body, as returned by
 * `bodyBeginning`, or empty if the body cannot be read. The body takes precedence over the content type, which the specifications do not
 * define.
 */
export function classifyAnswer(
  status: number | undefined,
  headers: readonly HeaderLine[],
  beginning: string,
): AnswerKind {
  const kind = classifyStatus(status);
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  return kind === "success" ? classifyContent(contentType, beginning) : kind;
}

/** Number of characters needed to classify a body. */
export const beginningLength = 4096;

/** Returns the first characters of a body, enough to classify it. */
export function bodyBeginning(chunks: Iterable<{ readonly bytes: Uint8Array }>): string {
  let text = "";
  for (const { bytes } of chunks) {
    text += new TextDecoder().decode(bytes.subarray(0, beginningLength));
    if (text.length >= beginningLength) {
      break;
    }
  }
  return text;
}

/** Reports whether the target is overloaded or rate limiting: 429 or 503. */
export const isBusy = (status: number | undefined): boolean =>
  ["rate-limited", "unavailable"].includes(classifyStatus(status));

/** Reports whether a proxy could not reach the service behind it: 502, 503 or 504. */
export const isServiceDown = (status: number | undefined): boolean =>
  ["gateway-error", "unavailable"].includes(classifyStatus(status));

/**
 * The meaning of a response for an API call. `refused`: the call had no effect. `server-failure`: the server failed or was overloaded, so
 * the call may have had an effect. `not-api`: something other than the API responded. `no-response`: no response head arrived.
 */
export type CallGroup = "success" | "refused" | "server-failure" | "not-api" | "no-response";

const groupsByKind: Readonly<Record<AnswerKind | "success", CallGroup>> = {
  success: "success",
  events: "success",
  json: "success",
  empty: "success",
  "other-content": "success",
  "web-page": "not-api",
  redirect: "not-api",
  informational: "not-api",
  unauthorized: "refused",
  "proxy-auth": "refused",
  "not-found": "refused",
  "client-error": "refused",
  "rate-limited": "server-failure",
  "not-implemented": "server-failure",
  "gateway-error": "server-failure",
  unavailable: "server-failure",
  "server-error": "server-failure",
  "no-response": "no-response",
};

/** Maps a response kind to its group. Pass `success` if only the status is known. */
export const callGroup = (kind: AnswerKind | "success"): CallGroup => groupsByKind[kind];
