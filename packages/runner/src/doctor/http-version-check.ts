import type { HttpVersion } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import {
  type ArrivalSummary,
  describeFlow,
  describeHeldBack,
  isConclusive,
  summarizeArrivals,
} from "./buffering-checks.ts";
import { inconclusive, fine, notApplicable, notChecked, problem } from "./findings.ts";
import { unbufferAdvice } from "./front-check.ts";
import { acceptsGzip } from "./seen-answers.ts";
import type { ArrangedEvidence } from "./seen-answers.ts";

const id = "http-versions";

/** Matches handshake errors of targets that do not offer the other version. */
const notOffered = /does not offer HTTP\/2|NO_APPLICATION_PROTOCOL/u;

const isHeldBack = (shown: ArrivalSummary): boolean => shown.flowed.length === 0 && isConclusive(shown);
const isFlowing = (shown: ArrivalSummary): boolean => shown.held.length === 0 && shown.flowed.length > 0;

/** The HTTP version of all ordinary requests. */
const mainVersion = ({ first }: ArrangedEvidence): HttpVersion => first?.httpVersion ?? "1.1";

/** Reports streams that are held back over only one version. */
function reportDifference(
  seen: ArrangedEvidence,
  holding: readonly [version: HttpVersion, shown: ArrivalSummary],
  passing: readonly [version: HttpVersion, shown: ArrivalSummary],
): DoctorCheck {
  const [held, flowed] = [`HTTP/${holding[0]}`, `HTTP/${passing[0]}`];
  return problem(id, [
    `streams are held back over ${held} (${describeHeldBack(holding[1])}) and not over ${flowed}`,
    `the proxy has separate settings for each version, and clients may use either: change the settings for ${held} to match those for ${flowed}; ${unbufferAdvice(seen)}`,
  ]);
}

function compareVersions(seen: ArrangedEvidence, main: ArrivalSummary, other: ArrivalSummary): DoctorCheck {
  const version = mainVersion(seen);
  const otherVersion = version === "2" ? "1.1" : "2";
  if (isHeldBack(main) && isFlowing(other)) {
    return reportDifference(seen, [version, main], [otherVersion, other]);
  }
  if (isHeldBack(other) && isFlowing(main)) {
    return reportDifference(seen, [otherVersion, other], [version, main]);
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
export function checkHttpVersions(seen: ArrangedEvidence): DoctorCheck {
  const { certificate, target } = seen.evidence;
  if (new URL(target).protocol === "http:") {
    return notApplicable(id, "http uses HTTP/1.1");
  }
  const version = mainVersion(seen);
  const [first] = seen.otherSamples;
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
  const plain = seen.samples.filter(({ exchange, facts }) => !acceptsGzip(exchange) && facts.events > 0);
  return compareVersions(
    seen,
    summarizeArrivals(plain),
    summarizeArrivals(seen.otherSamples.filter(({ facts }) => facts.events > 0)),
  );
}
