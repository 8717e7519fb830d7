import type { DoctorCheck } from "@assay/results";
import type { CertificateLook, CertificateProblem } from "./doctor-evidence.ts";
import { couldNotTell, fine, note, notApplicable, problem } from "./findings.ts";
import type { SeenAnswers } from "./seen-answers.ts";

type Certificate = Extract<CertificateLook, { kind: "certificate" }>;

const id = "certificate";
const dayMs = 24 * 60 * 60 * 1000;
/** Renewal that works on its own has happened by then. */
const soonDays = 14;

const dateOf = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : "an unknown day";

const trustAdvice = "set NODE_EXTRA_CA_CERTS to the PEM file of the authority that signed it";

const findings: Readonly<
  Record<CertificateProblem, (certificate: Certificate) => readonly [found: string, advice: string]>
> = {
  expired: ({ validToMs }) => [
    `expired on ${dateOf(validToMs)}`,
    "renew the certificate, and look why renewal did not happen by itself",
  ],
  "not-yet-valid": ({ validFromMs }) => [
    `not valid before ${dateOf(validFromMs)}`,
    "check the clock of this machine, else the certificate that was installed",
  ],
  "self-signed": () => [
    "signed by itself, so nobody vouches for it",
    `${trustAdvice}; here that is the certificate itself`,
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
    "look at it with `openssl s_client -connect HOST:PORT -showcerts`",
  ],
};

/** What the alert that ended a handshake says, where it is known. */
const alerts: readonly (readonly [alert: RegExp, found: string, advice: string])[] = [
  [
    /NO_APPLICATION_PROTOCOL/u,
    "only HTTP/2 is offered; HTTP/1.1 clients cannot speak with it",
    "give --http 2; have the proxy offer http/1.1 as well (ALPN), since many clients speak nothing else",
  ],
  [
    /does not offer HTTP\/2/u,
    "HTTP/2 is not offered, and was all that was to be spoken",
    "leave out --http 2, or have the proxy offer h2 (ALPN)",
  ],
  [
    /refused the client certificate|that signed the client certificate|the client certificate (?:has expired|was revoked)/u,
    "the client certificate was refused",
    "check that it has not expired, and that the proxy trusts the authority that signed it",
  ],
  [
    /CERTIFICATE_REQUIRED|and none was given; see --client-cert/u,
    "a client certificate is wanted, and none was given",
    "give one by --client-cert and --client-key; clients need one as well, unless /.api/ and /api/ are exempt from it",
  ],
];

/** What the first request met where it could not agree on TLS, whatever the certificate is like. */
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

/** Whether the certificate is one that clients trust, and for how long. */
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
        `no handshake of TLS came about (${code})`,
        "check that the port speaks https; if it speaks http, ask for http://",
      ])
    : couldNotTell(id, ["nobody answered", "fix what is found above, then ask again"]);
}
