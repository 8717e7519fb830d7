import { recordDraft } from "@assay/evidence";
import { concludeDoctor, doctorChecks } from "@assay/results";
import type { DoctorCheck, DoctorCheckId, DoctorEnding, DoctorReport, InterruptSignal } from "@assay/results";
import { servedApi } from "../judge/served-api.ts";
import type { ServedApi } from "../judge/served-api.ts";
import { checkInvalidToken, checkOwnToken, checkScopes, checkWithoutToken } from "./access-checks.ts";
import { checkBuffering, checkCompression } from "./buffering-checks.ts";
import { checkCertificate } from "./certificate-check.ts";
import { checkClock } from "./clock-check.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import type { DoctorEvidence } from "./doctor-evidence.ts";
import { checkFront } from "./front-check.ts";
import { checkHttpVersions } from "./http-version-check.ts";
import { checkApiReference, checkConversations, checkStreamInterface } from "./interface-checks.ts";
import { checkRateLimit } from "./rate-limit-check.ts";
import { seenAnswers, seenAs } from "./seen-answers.ts";
import type { SeenAnswers } from "./seen-answers.ts";
import { checkSharing } from "./sharing-check.ts";
import { checkCaching, checkContentType, checkStreamEnd, checkStreamFormat } from "./stream-checks.ts";
import { checkApi, checkEncryption, checkProxy, checkReachable, checkRedirects } from "./connectivity-checks.ts";

type Check = (seen: SeenAnswers, served: ServedApi) => DoctorCheck;

const checks: Readonly<Record<DoctorCheckId, Check>> = {
  reachable: checkReachable,
  proxy: checkProxy,
  encryption: checkEncryption,
  certificate: checkCertificate,
  redirects: checkRedirects,
  "is-the-api": checkApi,
  front: checkFront,
  clock: checkClock,
  "own-token": checkOwnToken,
  "without-token": checkWithoutToken,
  "invalid-token": checkInvalidToken,
  scopes: checkScopes,
  sharing: checkSharing,
  "stream-interface": checkStreamInterface,
  "legacy-interface": (seen) => checkConversations(seen, "legacy"),
  "current-interface": (seen) => checkConversations(seen, "current"),
  "api-reference": checkApiReference,
  "rate-limit": checkRateLimit,
  "stream-end": checkStreamEnd,
  buffering: checkBuffering,
  compression: checkCompression,
  "http-versions": checkHttpVersions,
  "stream-format": checkStreamFormat,
  "content-type": checkContentType,
  "cache-control": checkCaching,
};

const isCheckId = (name: string): name is DoctorCheckId => Object.hasOwn(checks, name);

/** The parts of a report that are not evidence. */
export interface DiagnoseSettings extends Pick<DoctorReport, "tool" | "embedded"> {
  /** The signal that interrupted the requests [SIGINT]. */
  readonly signal?: InterruptSignal;
}

/** What gave at least one real answer. A refusal does not count. */
function answeredBy({ evidence, streams }: SeenAnswers): DoctorEnding["answered"] {
  if (streams.length > 0) {
    return "stream";
  }
  const asked = evidence.exchanges.filter(({ probe }) => probe !== doctorProbes.reference);
  return asked.some((exchange) => seenAs(exchange) === "served") ? "conversations" : "nothing";
}

/** Runs every check on the evidence. The same evidence gives the same report: no clock and no network is used. */
export async function diagnose(evidence: DoctorEvidence, settings: DiagnoseSettings): Promise<DoctorReport> {
  const seen = seenAnswers(evidence);
  const served = await servedApi(
    evidence.exchanges.filter(({ probe }) => probe === doctorProbes.reference).map((exchange) => recordDraft(exchange)),
  );
  const made = Object.keys(doctorChecks)
    .filter((id) => isCheckId(id))
    .map((id) => checks[id](seen, served));
  const { stopped } = evidence;
  const { embedded, signal = "SIGINT", tool } = settings;
  return {
    schemaVersion: 1,
    tool,
    target: evidence.target,
    embedded,
    startedAt: new Date(evidence.clockStartedAtMs).toISOString(),
    query: evidence.query,
    requests: evidence.exchanges.length,
    checks: made,
    ...concludeDoctor({
      checks: made,
      answered: answeredBy(seen),
      ...(stopped === undefined ? {} : { stopped: stopped === "interrupted" ? signal : stopped }),
    }),
  };
}
