import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { connect, rootCertificates } from "node:tls";
import type { PeerCertificate, TLSSocket } from "node:tls";
import type { ClientCertificate } from "@assay/client";
import { isLoopback, findProxySetting } from "@assay/client/proxy";
import { defined } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { AddressResult, CertificateResult, CertificateProblem, ProxySetting } from "./doctor-evidence.ts";

/** Environment variables, as in `process.env`. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Timeout of name resolution and of a handshake. */
const probeTimeoutMs = 5000;

/** Reports whether a URL refers to this machine, so its traffic does not leave it. */
export const isLoopbackUrl = (url: URL): boolean => isLoopback(url.hostname);

function describeProxy(value: string): string {
  const text = value.includes("://") ? value : `http://${value}`;
  return URL.canParse(text) ? visibleText(new URL(text).host, 100) : "an invalid address";
}

/** Finds the variable that sets a proxy for a target. The client uses the same setting. */
export function findProxy(target: URL, env: Environment): ProxySetting | undefined {
  const setting = findProxySetting(target, env);
  return setting && { variable: setting.name, address: describeProxy(setting.value), isExempt: setting.isExempt };
}

/** Returns the code of an error, or its name. */
const errorCode = (error: unknown): string => {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
};

const waitForTimeout = (ms: number): Promise<"timed-out"> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, "timed-out").unref();
  });

/** Resolves the host of a target. Never fails. */
export async function resolveAddress(target: URL): Promise<AddressResult> {
  const host = target.hostname.replace(/^\[|\]$/gu, "");
  if (isIP(host) !== 0) {
    return { kind: "not-checked" };
  }
  try {
    const addresses = await Promise.race([lookup(host, { all: true }), waitForTimeout(probeTimeoutMs)]);
    return addresses === "timed-out"
      ? { kind: "failed", code: "ETIMEOUT" }
      : { kind: "addresses", addresses: addresses.map(({ address }) => address) };
  } catch (error) {
    return { kind: "failed", code: errorCode(error) };
  }
}

const problemByCode: Readonly<Record<string, CertificateProblem>> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "not-yet-valid",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "unknown-authority",
  UNABLE_TO_GET_ISSUER_CERT: "unknown-authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "unknown-authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unknown-authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "other-name",
};

/** Sanitizes a string from a certificate, which is untrusted. */
const visibleField = (text: unknown): string => visibleText(typeof text === "string" ? text : "unknown", 100);

const maxNames = 10;

const readSubjectNames = ({ subject, subjectaltname }: PeerCertificate): readonly string[] =>
  (subjectaltname ?? String(subject.CN ?? ""))
    .split(", ")
    .slice(0, maxNames)
    .map((name) => visibleField(name.replace(/^(?:DNS|IP Address):/u, "")));

function readPeerCertificate(socket: TLSSocket): CertificateResult {
  const certificate = socket.getPeerCertificate();
  // At runtime this is a string code, although its type is Error.
  const error: unknown = socket.authorizationError;
  const code = typeof error === "string" ? error : error instanceof Error ? errorCode(error) : undefined;
  const { alpnProtocol } = socket;
  return {
    kind: "certificate",
    names: readSubjectNames(certificate),
    issuer: visibleField(certificate.issuer.O ?? certificate.issuer.CN),
    validFromMs: Date.parse(certificate.valid_from),
    validToMs: Date.parse(certificate.valid_to),
    ...(socket.authorized || code === undefined ? {} : { problem: problemByCode[code] ?? "other", code }),
    ...(typeof alpnProtocol === "string" ? { protocol: visibleField(alpnProtocol) } : {}),
  };
}

/** Reads the certificates to trust in addition to Node.js's own. The client has already rejected unreadable files. */
function extraCertificates(env: Environment): readonly string[] {
  const files = [env["NODE_EXTRA_CA_CERTS"] ?? "", env["SSL_CERT_FILE"] ?? ""].filter((file) => file !== "");
  return files.map((file) => readFileSync(file, "utf8"));
}

/** Options of a handshake. */
interface HandshakeOptions {
  readonly env: Environment;
  readonly clientCertificate?: ClientCertificate;
}

/** Performs a handshake without verification, so that an untrusted certificate can be read. Disconnects without sending data. */
function performHandshake(target: URL, { env, clientCertificate }: HandshakeOptions): Promise<CertificateResult> {
  const host = target.hostname.replace(/^\[|\]$/gu, "");
  const extraAuthorities = extraCertificates(env);
  const { certificates: cert, key } = clientCertificate ?? {};
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(target.port === "" ? "443" : target.port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(extraAuthorities.length === 0 ? {} : { ca: [...rootCertificates, ...extraAuthorities] }),
      ...defined({ cert, key }),
      ALPNProtocols: ["h2", "http/1.1"],
      rejectUnauthorized: false,
      timeout: probeTimeoutMs,
    });
    const finish = (result: CertificateResult): void => {
      clearTimeout(timer);
      resolve(result);
      socket.destroy();
    };
    // The socket's own timeout does not fire if the peer sends an occasional byte.
    const timer = setTimeout(() => finish({ kind: "failed", code: "ETIMEDOUT" }), probeTimeoutMs);
    socket.once("secureConnect", () => finish(readPeerCertificate(socket)));
    socket.on("error", (error) => finish({ kind: "failed", code: errorCode(error) }));
    socket.once("close", () => finish({ kind: "failed", code: "ECONNRESET" }));
  });
}

/** Reads the certificate of a target unless it uses http or requests go through a proxy. Never fails because of the target. */
export function readCertificate(
  target: URL,
  options: HandshakeOptions,
  proxy: ProxySetting | undefined,
): Promise<CertificateResult> {
  if (target.protocol !== "https:") {
    return Promise.resolve({ kind: "not-checked", reason: "http" });
  }
  if (proxy !== undefined && !proxy.isExempt) {
    return Promise.resolve({ kind: "not-checked", reason: "proxy" });
  }
  return performHandshake(target, options);
}
