import type { HttpVersion } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { type ArrivalFinding, flowSentence, heldSentence, isCertain, shownBy } from "./buffering-checks.ts";
import { couldNotTell, fine, notApplicable, notAsked, problem } from "./findings.ts";
import { unbufferAdvice } from "./front-check.ts";
import { isGzipAsked } from "./seen-answers.ts";
import type { SeenAnswers } from "./seen-answers.ts";

const id = "http-versions";

/** Error messages of a handshake with a target that does not offer the other version. */
const notOffered = /does not offer HTTP\/2|NO_APPLICATION_PROTOCOL/u;

const isHeld = (shown: ArrivalFinding): boolean => shown.flowed.length === 0 && isCertain(shown);
const isFlowing = (shown: ArrivalFinding): boolean => shown.held.length === 0 && shown.flowed.length > 0;

/** The HTTP version of all ordinary requests. */
const mainVersion = ({ first }: SeenAnswers): HttpVersion => first?.httpVersion ?? "1.1";

/** Reports that streams are held back over only one version. */
function ofDifference(
  seen: SeenAnswers,
  holding: readonly [version: HttpVersion, shown: ArrivalFinding],
  passing: readonly [version: HttpVersion, shown: ArrivalFinding],
): DoctorCheck {
  const [held, flowed] = [`HTTP/${holding[0]}`, `HTTP/${passing[0]}`];
  return problem(id, [
    `streams are held back over ${held} (${heldSentence(holding[1])}) and not over ${flowed}`,
    `the proxy has separate settings for each version, and clients use either: change those for ${held} to match those for ${flowed}; ${unbufferAdvice(seen)}`,
  ]);
}

function compared(seen: SeenAnswers, main: ArrivalFinding, other: ArrivalFinding): DoctorCheck {
  const version = mainVersion(seen);
  const otherVersion = version === "2" ? "1.1" : "2";
  if (isHeld(main) && isFlowing(other)) {
    return ofDifference(seen, [version, main], [otherVersion, other]);
  }
  if (isHeld(other) && isFlowing(main)) {
    return ofDifference(seen, [otherVersion, other], [version, main]);
  }
  if (isFlowing(main) && isFlowing(other)) {
    return fine(id, `HTTP/1.1 and HTTP/2; over HTTP/${otherVersion} ${flowSentence(other)}`);
  }
  return couldNotTell(
    id,
    isHeld(main) && isHeld(other)
      ? ["streams are held back over both HTTP/1.1 and HTTP/2", "fix that first, then ask again"]
      : [
          "HTTP/1.1 and HTTP/2 are both offered, and the arrival of the streams does not show whether they differ",
          "ask again, with a --query that takes a second or more",
        ],
  );
}

/** Checks that streams arrive alike over both HTTP versions, if the target offers both. */
export function checkHttpVersions(seen: SeenAnswers): DoctorCheck {
  const { certificate, target } = seen.evidence;
  if (new URL(target).protocol === "http:") {
    return notApplicable(id, "http uses HTTP/1.1");
  }
  const version = mainVersion(seen);
  const [first] = seen.otherSamples;
  if (first === undefined) {
    return certificate.kind === "certificate" && certificate.protocol !== "h2"
      ? fine(id, "only HTTP/1.1 is offered")
      : notAsked(id);
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
  const plain = seen.samples.filter(({ exchange, facts }) => !isGzipAsked(exchange) && facts.events > 0);
  return compared(seen, shownBy(plain), shownBy(seen.otherSamples.filter(({ facts }) => facts.events > 0)));
}
