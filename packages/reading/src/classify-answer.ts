/** What the status of a response means. Source: RFC 9110, section 15; the specifications show few status codes. */
export type StatusKind =
  /** From 200 to 299. */
  | "success"
  | "redirect"
  /** 401 or 403. */
  | "unauthorized"
  /** 407: a proxy on the way wants credentials. */
  | "proxy-sign-in"
  /** 404, 405 or 410. */
  | "missing"
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
  /** Any other status from 500. */
  | "server-error"
  /** Below 200. */
  | "interim"
  /** No head of a response arrived. */
  | "nothing";

/** What the body of a success is, by its beginning. */
export type ContentKind =
  /** At least one line is a field of an event or a comment. */
  | "events"
  /** Begins as a JSON object or array. */
  | "json"
  /** No byte. */
  | "empty"
  /** Markup, or text of the type HTML: the page of a proxy or of a login. */
  | "web-page"
  | "other-content";

/** What a response is: by its body if it is a success, else by its status. */
export type AnswerKind = Exclude<StatusKind, "success"> | ContentKind;

const kindsOfStatus: ReadonlyMap<number, StatusKind> = new Map([
  [401, "unauthorized"],
  [403, "unauthorized"],
  [404, "missing"],
  [405, "missing"],
  [407, "proxy-sign-in"],
  [410, "missing"],
  [429, "rate-limited"],
  [501, "not-implemented"],
  [502, "gateway-error"],
  [503, "unavailable"],
  [504, "gateway-error"],
]);

const kindsOfRange: readonly (readonly [from: number, kind: StatusKind])[] = [
  [500, "server-error"],
  [400, "client-error"],
  [300, "redirect"],
  [200, "success"],
  [1, "interim"],
];

/** The kind of a status; `nothing` for 0 and for undefined. */
export const classifyStatus = (status = 0): StatusKind =>
  kindsOfStatus.get(status) ?? kindsOfRange.find(([from]) => status >= from)?.[1] ?? "nothing";

/** The field line of an event, or a comment, at the beginning of any line and in any spelling. */
const fieldLine = /^\uFEFF?[ \t]*(?:event|data|id|retry)?[ \t]*:/imu;
const pageStart = /^\uFEFF?\s*<(?:!doctype|html)\b/iu;
const markupStart = /^\uFEFF?\s*</u;
const jsonStart = /^\uFEFF?\s*[[{]/u;
const htmlType = /^\s*(?:text\/html|application\/xhtml\+xml)\b/iu;

/** Whether text begins with a tag. */
export const isMarkup = (beginning: string): boolean => markupStart.test(beginning);

function classifyContent(contentType: string, beginning: string): ContentKind {
  if (beginning === "") {
    return "empty";
  }
  const isHtml = htmlType.test(contentType);
  // A script in a page may have lines that look like fields.
  if (pageStart.test(beginning) || (isHtml && isMarkup(beginning))) {
    return "web-page";
  }
  if (fieldLine.test(beginning)) {
    return "events";
  }
  if (isMarkup(beginning)) {
    return "web-page";
  }
  // Some proxies change the type of JSON, so its form counts more.
  return jsonStart.test(beginning) ? "json" : isHtml ? "web-page" : "other-content";
}

type HeaderLine = readonly [name: string, value: string];

/**
 * What a response is. `status`: undefined or 0 if none arrived. `beginning`: the first characters of the body, as
 * `beginningOf` gives them; empty if the body cannot be read. The bytes count more than the content type, which the
 * specifications leave open.
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

/** Characters that suffice to classify a body. */
export const beginningLength = 4096;

/** The first characters of a body, enough to classify it. */
export function beginningOf(chunks: Iterable<{ readonly bytes: Uint8Array }>): string {
  let text = "";
  for (const { bytes } of chunks) {
    text += new TextDecoder().decode(bytes.subarray(0, beginningLength));
    if (text.length >= beginningLength) {
      break;
    }
  }
  return text;
}

/** Whether the target has too much to do: 429 or 503. */
export const isBusy = (status: number | undefined): boolean =>
  ["rate-limited", "unavailable"].includes(classifyStatus(status));

/** Whether a proxy answered because the service behind it did not: 502, 503 or 504. */
export const isServiceDown = (status: number | undefined): boolean =>
  ["gateway-error", "unavailable"].includes(classifyStatus(status));

/**
 * What a response means for a call of an API. `refused`: the call did nothing. `distress`: the status shows nothing about
 * the request. `elsewhere`: the API did not answer.
 */
export type CallGroup = "success" | "refused" | "distress" | "elsewhere" | "nothing";

const callGroups: Readonly<Record<AnswerKind | "success", CallGroup>> = {
  success: "success",
  events: "success",
  json: "success",
  empty: "success",
  "other-content": "success",
  "web-page": "elsewhere",
  redirect: "elsewhere",
  interim: "elsewhere",
  unauthorized: "refused",
  "proxy-sign-in": "refused",
  missing: "refused",
  "client-error": "refused",
  "rate-limited": "distress",
  "not-implemented": "distress",
  "gateway-error": "distress",
  unavailable: "distress",
  "server-error": "distress",
  nothing: "nothing",
};

/** What a kind of response means for a call; of `success` the body is not known. */
export const callGroup = (kind: AnswerKind | "success"): CallGroup => callGroups[kind];
