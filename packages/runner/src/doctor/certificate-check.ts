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

function ofCertificate(certificate: Certificate, nowMs: number): DoctorCheck {
  if (certificate.problem !== undefined) {
    return problem(id, findings[certificate.problem](certificate));
  }
  const { issuer, validToMs } = certificate;
  const days = Math.floor((validToMs - nowMs) / dayMs);
  const found = `valid until ${dateOf(validToMs)} (${days} days), signed by "${issuer}"`;
  return days < soonDays ? note(id, [found, "have it renewed before clients are locked out"]) : fine(id, found);
}

/** Whether the certificate is one that clients trust, and for how long. */
export function checkCertificate({ evidence }: SeenAnswers): DoctorCheck {
  const { certificate, clockStartedAtMs } = evidence;
  switch (certificate.kind) {
    case "certificate":
      return ofCertificate(certificate, clockStartedAtMs);
    case "not-asked":
      return certificate.why === "http"
        ? notApplicable(id, "http has none")
        : couldNotTell(id, ["a proxy is in between", "put the host into NO_PROXY to see its certificate from here"]);
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
    : couldNotTell(id, ["nobody answered", "mend what is found above, then ask again"]);
}
