import type { ExchangeEnd, FailureCode } from "@assay/evidence";
import { visibleText } from "@assay/evidence";

/** The state of an exchange when it failed. */
export interface FailureContext {
  /** Host and port of the target, and the proxy if there is one, for display. */
  readonly targetLabel: string;
  readonly isConnected: boolean;
  /** True if the head of the response was complete. */
  readonly hasHead: boolean;
  readonly bodyBytes: number;
  /** True if a client certificate was configured. */
  readonly hasClientCertificate: boolean;
  /** True if only HTTP/2 was offered. */
  readonly offersOnlyHttp2: boolean;
}

type Explanation = readonly [code: FailureCode, clause: string];

const unknownHost: Explanation = ["dns", "its name could not be resolved"];
const noRoute: Explanation = ["unreachable", "there is no route to it"];
const untrustedAuthority: Explanation = [
  "tls",
  "its certificate is signed by an authority that is not trusted; see NODE_EXTRA_CA_CERTS",
];

/** Codes of Node and undici whose meaning does not depend on the progress of the exchange. */
const explanationByCode: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: unknownHost,
  EAI_AGAIN: ["dns", "its name could not be resolved for now"],
  EAI_FAIL: unknownHost,
  EAI_NODATA: unknownHost,
  EAI_NONAME: unknownHost,
  ECONNREFUSED: ["refused", "the connection was refused"],
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EHOSTDOWN: noRoute,
  ENETDOWN: noRoute,
  EADDRNOTAVAIL: noRoute,
  EACCES: ["unreachable", "this machine does not allow the connection"],
  EPERM: ["unreachable", "this machine does not allow the connection"],
  EMFILE: ["unreachable", "this process has too many open files"],
  CERT_HAS_EXPIRED: ["tls", "its certificate has expired"],
  CERT_NOT_YET_VALID: ["tls", "its certificate is not valid yet"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["tls", "its certificate is self-signed; see NODE_EXTRA_CA_CERTS"],
  SELF_SIGNED_CERT_IN_CHAIN: untrustedAuthority,
  UNABLE_TO_GET_ISSUER_CERT: untrustedAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrustedAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrustedAuthority,
  CERT_REVOKED: ["tls", "its certificate was revoked"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["tls", "its certificate is for another name"],
  UND_ERR_PRX_TLS: ["tls", "the certificate of the proxy is not valid for it"],
  EPROTO: ["tls", "the TLS handshake failed"],
  ERR_SSL_WRONG_VERSION_NUMBER: ["tls", "it answers without TLS"],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ["tls", "it answers without TLS"],
  UND_ERR_CONNECT_TIMEOUT: ["connect-timeout", "no connection in time"],
  UND_ERR_HEADERS_TIMEOUT: ["first-byte-timeout", "no complete response head within the first-byte deadline"],
  UND_ERR_BODY_TIMEOUT: ["total-timeout", "the body stopped until the total deadline"],
  UND_ERR_HEADERS_OVERFLOW: ["headers-overflow", "the head of the response is larger than the limit"],
};

const cutOff: Explanation = ["truncated", "the connection closed in the middle of the response"];
const notHttp: Explanation = ["protocol", "the response is not HTTP/1.1"];

/** Returns a possible cause, as a clause, of a connection that ended before any data. */
const describePossibleRefusal = ({ hasClientCertificate }: FailureContext): string =>
  hasClientCertificate ? "; it may have refused the client certificate" : "";

function explainReset(context: FailureContext): Explanation {
  const timeClause = context.hasHead
    ? "in the middle of the response"
    : `before a response${describePossibleRefusal(context)}`;
  return ["reset", `the connection was reset ${timeClause}`];
}

/** Codes whose meaning depends on the progress of the exchange. */
const explainByProgress: Readonly<Record<string, (context: FailureContext, message: string) => Explanation>> = {
  ECONNRESET: explainReset,
  EPIPE: explainReset,
  ECONNABORTED: explainReset,
  ETIMEDOUT: ({ isConnected }) =>
    isConnected ? ["reset", "the connection broke down"] : ["connect-timeout", "the connection attempt timed out"],
  // The parser uses this code for every error after a Content-Length, including a second, different Content-Length.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ({ hasHead }) => (hasHead ? cutOff : notHttp),
  UND_ERR_SOCKET: explainSocketMessage,
};

/** undici uses one code for several errors. Only the message distinguishes them. */
function explainSocketMessage(context: FailureContext, message: string): Explanation {
  if (message.startsWith("bad ")) {
    return notHttp;
  }
  return context.hasHead
    ? cutOff
    : ["reset", `the connection closed before a complete response head${describePossibleRefusal(context)}`];
}

/** TLS alerts about client certificates, by the end of their code. */
const certificateAlerts: readonly (readonly [alert: RegExp, clause: string])[] = [
  [/_ALERT_UNKNOWN_CA$/, "it does not trust the authority that signed the client certificate"],
  [/_ALERT_CERTIFICATE_EXPIRED$/, "the client certificate has expired for it"],
  [/_ALERT_CERTIFICATE_REVOKED$/, "the client certificate was revoked"],
  [
    /_ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|DECRYPT_ERROR)$/,
    "it refused the client certificate",
  ],
];

/** Explains an alert about the certificate presented, or about the missing one. */
function explainAlert(code: string, { hasClientCertificate }: FailureContext): Explanation | undefined {
  const knownAlert = certificateAlerts.find(([alert]) => alert.test(code));
  return knownAlert === undefined
    ? undefined
    : [
        "tls",
        hasClientCertificate
          ? knownAlert[1]
          : "it asks for a client certificate, and none was given; see --client-cert",
      ];
}

/** Reports whether the peer ended the connection with a TLS alert. */
export const isTlsAlert = (error: Error): boolean => /^ERR_SSL_.*_ALERT_/.test(errorCode(error));

function explainTlsCode(code: string): Explanation | undefined {
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) {
    return ["tls", "the TLS handshake failed"];
  }
  return undefined;
}

/** undici 7 omits the code of parser errors. The message contains the parser's text. */
export const isParserError = (error: Error): boolean => error.name === "HTTPParserError";

const explainParserMessage = (message: string, { hasHead }: FailureContext): Explanation =>
  hasHead && message.includes("Invalid EOF state") ? cutOff : notHttp;

/** Reports whether a socket was closed because of an unsolicited response. */
export const isUnsolicitedResponse = (error: Error): boolean => error.message.startsWith("bad ");

/** Explains errors of connections that offered only HTTP/2. */
function explainHttp2(code: string, { hasHead, offersOnlyHttp2 }: FailureContext): Explanation | undefined {
  if (!offersOnlyHttp2) {
    return undefined;
  }
  if (code === "NO_HTTP2" || code.endsWith("_ALERT_NO_APPLICATION_PROTOCOL")) {
    return ["tls", "it does not offer HTTP/2, which is required; remove --http 2"];
  }
  if (code === "STREAM_CLOSED" || code === "ERR_HTTP2_STREAM_ERROR") {
    return hasHead ? cutOff : ["reset", "the stream was closed before a response"];
  }
  return code.startsWith("ERR_HTTP2_") ? ["protocol", "the response is not valid HTTP/2"] : undefined;
}

function explainError(error: Error, code: string, context: FailureContext): Explanation {
  const { message } = error;
  const proxyStatus = /^Proxy response \((\d+)\)|^Proxy Authentication Required \((407)\)/.exec(message);
  if (proxyStatus !== null) {
    return ["unreachable", `the proxy returned ${proxyStatus[1] ?? proxyStatus[2]} instead of connecting`];
  }
  if (isParserError(error)) {
    return explainParserMessage(message, context);
  }
  const explanation =
    explainHttp2(code, context) ?? explanationByCode[code] ?? explainByProgress[code]?.(context, message);
  return (
    explanation ??
    explainAlert(code, context) ??
    explainTlsCode(code) ?? [context.isConnected ? "reset" : "unreachable", "the connection failed"]
  );
}

/** Returns the code of an error of Node or undici, or an empty string. */
export const errorCode = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : "";

/** Codes of exchanges without a connection. */
const connectionCodes: ReadonlySet<FailureCode> = new Set(["dns", "refused", "unreachable", "connect-timeout", "tls"]);

/** Returns the end of a failed exchange: one sentence with the target, the cause and the progress. */
export function createFailedEnd(
  code: FailureCode,
  clause: string,
  { targetLabel, hasHead, bodyBytes }: FailureContext,
): ExchangeEnd {
  const progress = hasHead ? ` after ${bodyBytes} bytes of the body` : "";
  const subject = connectionCodes.has(code) ? `cannot connect to ${targetLabel}` : targetLabel;
  return { kind: "failed", code, message: visibleText(`${subject}: ${clause}${progress}`, 500) };
}

/** Converts an error of a socket, of name resolution, TLS or the HTTP parser to the end of an exchange. */
export function toExchangeEnd(error: Error, context: FailureContext): ExchangeEnd {
  const systemCode = errorCode(error);
  const [code, clause] = explainError(error, systemCode, context);
  return createFailedEnd(code, systemCode === "" ? clause : `${clause} (${systemCode})`, context);
}
