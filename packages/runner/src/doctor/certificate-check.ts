import type { DoctorCheck } from "@assay/results";
import type { CertificateResult, CertificateProblem } from "./doctor-evidence.ts";
import { inconclusive, ok, note, notApplicable, problem } from "./check-results.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

type Certificate = Extract<CertificateResult, { kind: "certificate" }>;

const id = "certificate";
const dayMs = 24 * 60 * 60 * 1000;
/** Days before expiry at which to warn. Automatic renewal normally runs earlier. */
const minRemainingDays = 14;

const formatDate = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : "an unknown date";

const trustAdvice = "set NODE_EXTRA_CA_CERTS to the PEM file of the authority that signed it";

const problemTexts: Readonly<
  Record<CertificateProblem, (certificate: Certificate) => readonly [found: string, advice: string]>
> = {
  expired: ({ validToMs }) => [
    `expired on ${formatDate(validToMs)}`,
    "renew the certificate, and find out why automatic renewal failed",
  ],
  "not-yet-valid": ({ validFromMs }) => [
    `not valid before ${formatDate(validFromMs)}`,
    "check the clock of this machine, then the installed certificate",
  ],
  "self-signed": () => [
    "self-signed, so no certificate authority vouches for it",
    `${trustAdvice}; for a self-signed certificate, that is the certificate itself`,
  ],
  "unknown-authority": ({ issuer }) => [
    `signed by "${issuer}", which this machine does not trust; the server may also be omitting intermediate certificates`,
    `${trustAdvice}, or have the server send the whole chain`,
  ],
  "other-name": ({ names }) => [
    names.length === 0 ? "issued for no host name" : `issued for ${names.join(", ")}, not for the requested host`,
    "use one of these names, or get a certificate for this host",
  ],
  other: ({ code }) => [
    `refused (${code ?? "unknown"})`,
    "inspect it with `openssl s_client -connect HOST:PORT -showcerts`",
  ],
};

/**
 * TLS alerts that end a handshake, with findings and advice. The patterns match messages of `@assay/client` and
 * OpenSSL.
 */
const handshakeAlerts: readonly (readonly [alert: RegExp, found: string, advice: string])[] = [
  [
    /NO_APPLICATION_PROTOCOL/u,
    "only HTTP/2 is offered; HTTP/1.1 clients cannot connect",
    "set --http 2; have the proxy offer http/1.1 as well (ALPN), because many clients support only that",
  ],
  [
    /does not offer HTTP\/2/u,
    "HTTP/2 is not offered, but --http 2 allows nothing else",
    "remove --http 2, or have the proxy offer h2 (ALPN)",
  ],
  [
    /refused the client certificate|that signed the client certificate|the client certificate (?:has expired|was revoked)/u,
    "the client certificate was refused",
    "check that it has not expired, and that the proxy trusts the authority that signed it",
  ],
  [
    /CERTIFICATE_REQUIRED|and none was given; see --client-cert/u,
    "a client certificate is required, but none was sent",
    "pass one with --client-cert and --client-key; other clients need one too, unless /.api/ and /api/ are exempt",
  ],
];

/** Reports a TLS failure of the first request for a reason other than the certificate. */
function reportFailedHandshake({ firstExchange }: ArrangedEvidence): DoctorCheck | undefined {
  if (firstExchange?.end.kind !== "failed" || firstExchange.end.code !== "tls") {
    return undefined;
  }
  const { message } = firstExchange.end;
  const knownAlert = handshakeAlerts.find(([alert]) => alert.test(message));
  return knownAlert === undefined
    ? problem(id, [
        `no request could be sent: ${message}`,
        "check which TLS versions and ciphers the proxy accepts, and which certificate authorities are trusted here (NODE_EXTRA_CA_CERTS)",
      ])
    : problem(id, [`${knownAlert[1]} (${message})`, knownAlert[2]]);
}

function reportCertificate(certificate: Certificate, arranged: ArrangedEvidence): DoctorCheck {
  if (certificate.problem !== undefined) {
    return problem(id, problemTexts[certificate.problem](certificate));
  }
  const failure = reportFailedHandshake(arranged);
  if (failure !== undefined) {
    return failure;
  }
  const nowMs = arranged.evidence.clockStartedAtMs;
  const { issuer, validToMs } = certificate;
  const days = Math.floor((validToMs - nowMs) / dayMs);
  const message = `valid until ${formatDate(validToMs)} (${days} days left), signed by "${issuer}"`;
  return days < minRemainingDays
    ? note(id, [message, "renew it soon; clients will fail once it expires"])
    : ok(id, message);
}

/** Checks that clients trust the certificate and that it does not expire soon. */
export function checkCertificate(arranged: ArrangedEvidence): DoctorCheck {
  const { evidence } = arranged;
  const { certificate } = evidence;
  switch (certificate.kind) {
    case "certificate":
      return reportCertificate(certificate, arranged);
    case "not-checked":
      return certificate.reason === "http"
        ? notApplicable(id, "plain HTTP has no certificate")
        : (reportFailedHandshake(arranged) ??
            inconclusive(id, [
              "requests go through a proxy",
              "add the host to NO_PROXY to check its certificate from here",
            ]));
    case "failed":
      return reportNoCertificate(evidence.exchanges[0]?.end, certificate.code);
  }
}

function reportNoCertificate(
  end: ArrangedEvidence["evidence"]["exchanges"][number]["end"] | undefined,
  code: string,
): DoctorCheck {
  const isHandshakeFailure =
    end?.kind === "failed" && !["dns", "refused", "unreachable", "connect-timeout"].includes(end.code);
  return isHandshakeFailure
    ? problem(id, [
        `the TLS handshake failed (${code})`,
        "check that the port serves https; if it serves http, use http://",
      ])
    : inconclusive(id, ["no response", "fix the problems above, then run doctor again"]);
}
