import { recordDraft } from "@assay/evidence";
import { concludeDoctor, doctorChecks } from "@assay/results";
import type { DoctorCheck, DoctorCheckId, DoctorEnding, DoctorReport, InterruptSignal } from "@assay/results";
import { findServedApi } from "../judge/served-api.ts";
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
import { arrangeEvidence, classifyExchange } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";
import { checkSharing } from "./sharing-check.ts";
import { checkCaching, checkContentType, checkStreamEnd, checkStreamFormat } from "./stream-checks.ts";
import { checkApi, checkEncryption, checkProxy, checkReachable, checkRedirects } from "./connectivity-checks.ts";

type Check = (arranged: ArrangedEvidence, servedApi: ServedApi) => DoctorCheck;

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
  "legacy-interface": (arranged) => checkConversations(arranged, "legacy"),
  "current-interface": (arranged) => checkConversations(arranged, "current"),
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

/** The parts of a report that are not derived from evidence. */
export interface DiagnoseSettings extends Pick<DoctorReport, "tool" | "embedded"> {
  /** The signal that interrupted the requests. Default: SIGINT. */
  readonly signal?: InterruptSignal;
}

/** Returns `stream` if a search was served, otherwise whether a conversation request was. Refusals do not count as served. */
function findAnsweredApi({ evidence, streams }: ArrangedEvidence): DoctorEnding["respondingInterface"] {
  if (streams.length > 0) {
    return "stream";
  }
  const apiExchanges = evidence.exchanges.filter(({ probe }) => probe !== doctorProbes.reference);
  return apiExchanges.some((exchange) => classifyExchange(exchange) === "served") ? "conversations" : "nothing";
}

/** Runs every check on the evidence. Does not use the clock or the network, so the same evidence yields the same report. */
export async function diagnose(evidence: DoctorEvidence, settings: DiagnoseSettings): Promise<DoctorReport> {
  const arranged = arrangeEvidence(evidence);
  const servedApi = await findServedApi(
    evidence.exchanges.filter(({ probe }) => probe === doctorProbes.reference).map((exchange) => recordDraft(exchange)),
  );
  const results = Object.keys(doctorChecks)
    .filter((id) => isCheckId(id))
    .map((id) => checks[id](arranged, servedApi));
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
    checks: results,
    ...concludeDoctor({
      checks: results,
      respondingInterface: findAnsweredApi(arranged),
      ...(stopped === undefined ? {} : { stopReason: stopped === "interrupted" ? signal : stopped }),
    }),
  };
}
