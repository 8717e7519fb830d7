import type { DoctorCheck } from "@assay/results";
import type { CertificateLook, CertificateProblem } from "./doctor-evidence.ts";
import { couldNotTell, fine, note, notApplicable, problem } from "./findings.ts";
import type { SeenAnswers } from "./seen-answers.ts";

type Certificate = Extract<CertificateLook, { kind: "certificate" }>;

const id = "certificate";
const dayMs = 24 * 60 * 60 * 1000;
/** Automatic renewal would have happened earlier. */
const soonDays = 14;

const dateOf = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : "an unknown day";

const trustAdvice = "set NODE_EXTRA_CA_CERTS to the PEM file of the authority that signed it";

const findings: Readonly<
  Record<CertificateProblem, (certificate: Certificate) => readonly [found: string, advice: string]>
> = {
  expired: ({ validToMs }) => [
    `expired on ${dateOf(validToMs)}`,
    "renew the certificate, and find out why automatic renewal failed",
  ],
  "not-yet-valid": ({ validFromMs }) => [
    `not valid before ${dateOf(validFromMs)}`,
    "check the clock of this machine, then the installed certificate",
  ],
  "self-signed": () => [
    "signed by itself, so no authority vouches for it",
    `${trustAdvice}; here it is the certificate itself`,
  ],
  "unknown-authority": ({ issuer }) => [
    `signed by "${issuer}", which is not known here, or the server leaves out the certificates in between`,
    `${trustAdvice}, or have the server send the whole chain`,
  ],
  "other-name": ({ names }) => [
    `for ${names.join(", ") || "no name at all"}, and not for the host that was asked`,
    "ask for one of these names, or have a certificate made for this one",
  ],
  other: ({ code }) => [
    `refused (${code ?? "unknown"})`,
    "inspect it with `openssl s_client -connect HOST:PORT -showcerts`",
  ],
};

/** Known alerts that end a handshake. */
const alerts: readonly (readonly [alert: RegExp, found: string, advice: string])[] = [
  [
    /NO_APPLICATION_PROTOCOL/u,
    "only HTTP/2 is offered; HTTP/1.1 clients cannot connect",
    "give --http 2; have the proxy offer http/1.1 as well (ALPN), since many clients support nothing else",
  ],
  [
    /does not offer HTTP\/2/u,
    "HTTP/2 is not offered, but was the only version requested",
    "leave out --http 2, or have the proxy offer h2 (ALPN)",
  ],
  [
    /refused the client certificate|that signed the client certificate|the client certificate (?:has expired|was revoked)/u,
    "the client certificate was refused",
    "check that it has not expired, and that the proxy trusts the authority that signed it",
  ],
  [
    /CERTIFICATE_REQUIRED|and none was given; see --client-cert/u,
    "a client certificate is required, and none was given",
    "give one by --client-cert and --client-key; clients need one as well, unless /.api/ and /api/ are exempt from it",
  ],
];

/** Reports a failed TLS negotiation of the first request, independent of the certificate. */
function ofFirstRequest({ first }: SeenAnswers): DoctorCheck | undefined {
  if (first?.end.kind !== "failed" || first.end.code !== "tls") {
    return undefined;
  }
  const { message } = first.end;
  const known = alerts.find(([alert]) => alert.test(message));
  return known === undefined
    ? problem(id, [
        `no request could be sent: ${message}`,
        "check which versions and ciphers of TLS the proxy takes, and which authorities are trusted here (NODE_EXTRA_CA_CERTS)",
      ])
    : problem(id, [`${known[1]} (${message})`, known[2]]);
}

function ofCertificate(certificate: Certificate, seen: SeenAnswers): DoctorCheck {
  if (certificate.problem !== undefined) {
    return problem(id, findings[certificate.problem](certificate));
  }
  const failure = ofFirstRequest(seen);
  if (failure !== undefined) {
    return failure;
  }
  const nowMs = seen.evidence.clockStartedAtMs;
  const { issuer, validToMs } = certificate;
  const days = Math.floor((validToMs - nowMs) / dayMs);
  const found = `valid until ${dateOf(validToMs)} (${days} days), signed by "${issuer}"`;
  return days < soonDays ? note(id, [found, "have it renewed before clients are locked out"]) : fine(id, found);
}

/** Checks that clients trust the certificate, and for how long. */
export function checkCertificate(seen: SeenAnswers): DoctorCheck {
  const { evidence } = seen;
  const { certificate } = evidence;
  switch (certificate.kind) {
    case "certificate":
      return ofCertificate(certificate, seen);
    case "not-asked":
      return certificate.why === "http"
        ? notApplicable(id, "http has none")
        : (ofFirstRequest(seen) ??
            couldNotTell(id, ["a proxy is in between", "put the host into NO_PROXY to see its certificate from here"]));
    case "failed":
      return ofNoHandshake(evidence.exchanges[0]?.end, certificate.code);
  }
}

function ofNoHandshake(
  end: SeenAnswers["evidence"]["exchanges"][number]["end"] | undefined,
  code: string,
): DoctorCheck {
  const isTls = end?.kind === "failed" && !["dns", "refused", "unreachable", "connect-timeout"].includes(end.code);
  return isTls
    ? problem(id, [
        `the TLS handshake failed (${code})`,
        "check that the port serves https; if it serves http, use http://",
      ])
    : couldNotTell(id, ["no answer", "fix what is found above, then ask again"]);
}
