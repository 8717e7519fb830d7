import type { HttpVersion } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import {
  type ArrivalSummary,
  describeFlow,
  describeHeldBack,
  isConclusive,
  summarizeArrivals,
} from "./buffering-checks.ts";
import { inconclusive, fine, notApplicable, notChecked, problem } from "./check-results.ts";
import { unbufferAdvice } from "./front-check.ts";
import { acceptsGzip } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

const id = "http-versions";

/** Matches handshake errors of targets that do not offer the other version. */
const notOffered = /does not offer HTTP\/2|NO_APPLICATION_PROTOCOL/u;

const isHeldBack = (arrivals: ArrivalSummary): boolean => arrivals.flowed.length === 0 && isConclusive(arrivals);
const isFlowing = (arrivals: ArrivalSummary): boolean => arrivals.bursts.length === 0 && arrivals.flowed.length > 0;

/** The HTTP version of all ordinary requests. */
const mainVersion = ({ first }: ArrangedEvidence): HttpVersion => first?.httpVersion ?? "1.1";

/** Reports streams that are held back over only one version. */
function reportDifference(
  responses: ArrangedEvidence,
  holding: readonly [version: HttpVersion, shown: ArrivalSummary],
  passing: readonly [version: HttpVersion, shown: ArrivalSummary],
): DoctorCheck {
  const [holdingVersion, passingVersion] = [`HTTP/${holding[0]}`, `HTTP/${passing[0]}`];
  return problem(id, [
    `streams are held back over ${holdingVersion} (${describeHeldBack(holding[1])}) and not over ${passingVersion}`,
    `the proxy has separate settings for each version, and clients may use either: change the settings for ${holdingVersion} to match those for ${passingVersion}; ${unbufferAdvice(responses)}`,
  ]);
}

function compareVersions(responses: ArrangedEvidence, main: ArrivalSummary, other: ArrivalSummary): DoctorCheck {
  const version = mainVersion(responses);
  const otherVersion = version === "2" ? "1.1" : "2";
  if (isHeldBack(main) && isFlowing(other)) {
    return reportDifference(responses, [version, main], [otherVersion, other]);
  }
  if (isHeldBack(other) && isFlowing(main)) {
    return reportDifference(responses, [otherVersion, other], [version, main]);
  }
  if (isFlowing(main) && isFlowing(other)) {
    return fine(id, `HTTP/1.1 and HTTP/2; over HTTP/${otherVersion} ${describeFlow(other)}`);
  }
  return inconclusive(
    id,
    isHeldBack(main) && isHeldBack(other)
      ? ["streams are held back over both HTTP/1.1 and HTTP/2", "fix that first, then run doctor again"]
      : [
          "HTTP/1.1 and HTTP/2 are both offered, but the arrival of the streams does not show whether they differ",
          "run doctor again, with a --query that takes a second or more",
        ],
  );
}

/** Checks that streams arrive equally well over both HTTP versions if the target offers both. */
export function checkHttpVersions(responses: ArrangedEvidence): DoctorCheck {
  const { certificate, target } = responses.evidence;
  if (new URL(target).protocol === "http:") {
    return notApplicable(id, "http uses HTTP/1.1");
  }
  const version = mainVersion(responses);
  const [first] = responses.otherSamples;
  if (first === undefined) {
    return certificate.kind === "certificate" && certificate.protocol !== "h2"
      ? fine(id, "only HTTP/1.1 is offered")
      : notChecked(id);
  }
  const { end, response } = first.exchange;
  if (end.kind === "failed" && response === undefined) {
    return notOffered.test(end.message)
      ? fine(id, `only HTTP/${version} is offered`)
      : problem(id, [
          `no stream arrives over HTTP/${version === "2" ? "1.1" : "2"}: ${end.message}`,
          "clients may use either: check the log of the proxy",
        ]);
  }
  const plain = responses.samples.filter(({ exchange, facts }) => !acceptsGzip(exchange) && facts.events > 0);
  return compareVersions(
    responses,
    summarizeArrivals(plain),
    summarizeArrivals(responses.otherSamples.filter(({ facts }) => facts.events > 0)),
  );
}
