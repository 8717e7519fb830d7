import type { HttpVersion } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import {
  type ArrivalSummary,
  describeFlow,
  describeHeldBack,
  isConclusive,
  summarizeArrivals,
} from "./buffering-checks.ts";
import { inconclusive, ok, notApplicable, notChecked, problem } from "./check-results.ts";
import { createUnbufferAdvice } from "./front-check.ts";
import { acceptsGzip } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

const id = "http-versions";

/** Matches handshake errors of targets that do not offer the other version. */
const notOfferedPattern = /does not offer HTTP\/2|NO_APPLICATION_PROTOCOL/u;

const isHeldBack = (arrivals: ArrivalSummary): boolean => arrivals.flows.length === 0 && isConclusive(arrivals);
const isFlowing = (arrivals: ArrivalSummary): boolean => arrivals.bursts.length === 0 && arrivals.flows.length > 0;

/** Returns the HTTP version of all ordinary requests. */
const findMainVersion = ({ firstExchange }: ArrangedEvidence): HttpVersion => firstExchange?.httpVersion ?? "1.1";

/** Reports streams that are held back over only one version. */
function reportDifference(
  arranged: ArrangedEvidence,
  heldBackVersion: readonly [version: HttpVersion, shown: ArrivalSummary],
  flowingVersion: readonly [version: HttpVersion, shown: ArrivalSummary],
): DoctorCheck {
  const [holdingVersion, passingVersion] = [`HTTP/${heldBackVersion[0]}`, `HTTP/${flowingVersion[0]}`];
  return problem(id, [
    `streams are held back over ${holdingVersion} (${describeHeldBack(heldBackVersion[1])}) and not over ${passingVersion}`,
    `the proxy has separate settings for each version, and clients may use either: change the settings for ${holdingVersion} to match those for ${passingVersion}; ${createUnbufferAdvice(arranged)}`,
  ]);
}

function compareVersions(
  arranged: ArrangedEvidence,
  mainArrivals: ArrivalSummary,
  otherArrivals: ArrivalSummary,
): DoctorCheck {
  const version = findMainVersion(arranged);
  const otherVersion = version === "2" ? "1.1" : "2";
  if (isHeldBack(mainArrivals) && isFlowing(otherArrivals)) {
    return reportDifference(arranged, [version, mainArrivals], [otherVersion, otherArrivals]);
  }
  if (isHeldBack(otherArrivals) && isFlowing(mainArrivals)) {
    return reportDifference(arranged, [otherVersion, otherArrivals], [version, mainArrivals]);
  }
  if (isFlowing(mainArrivals) && isFlowing(otherArrivals)) {
    return ok(id, `HTTP/1.1 and HTTP/2; over HTTP/${otherVersion} ${describeFlow(otherArrivals)}`);
  }
  return inconclusive(
    id,
    isHeldBack(mainArrivals) && isHeldBack(otherArrivals)
      ? ["streams are held back over both HTTP/1.1 and HTTP/2", "fix that first, then run doctor again"]
      : [
          "HTTP/1.1 and HTTP/2 are both offered, but the arrival of the streams does not show whether they differ",
          "run doctor again, with a --query that takes a second or more",
        ],
  );
}

/** Checks that streams arrive equally well over both HTTP versions if the target offers both. */
export function checkHttpVersions(arranged: ArrangedEvidence): DoctorCheck {
  const { certificate, target } = arranged.evidence;
  if (new URL(target).protocol === "http:") {
    return notApplicable(id, "http uses HTTP/1.1");
  }
  const version = findMainVersion(arranged);
  const [first] = arranged.otherSamples;
  if (first === undefined) {
    return certificate.kind === "certificate" && certificate.protocol !== "h2"
      ? ok(id, "only HTTP/1.1 is offered")
      : notChecked(id);
  }
  const { end, response } = first.exchange;
  if (end.kind === "failed" && response === undefined) {
    return notOfferedPattern.test(end.message)
      ? ok(id, `only HTTP/${version} is offered`)
      : problem(id, [
          `no stream arrives over HTTP/${version === "2" ? "1.1" : "2"}: ${end.message}`,
          "clients may use either: check the log of the proxy",
        ]);
  }
  const plainSamples = arranged.samples.filter(({ exchange, facts }) => !acceptsGzip(exchange) && facts.events > 0);
  return compareVersions(
    arranged,
    summarizeArrivals(plainSamples),
    summarizeArrivals(arranged.otherSamples.filter(({ facts }) => facts.events > 0)),
  );
}
