import type { HttpVersion } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { type ArrivalFinding, flowSentence, heldSentence, isCertain, shownBy } from "./buffering-checks.ts";
import { couldNotTell, fine, notApplicable, notAsked, problem } from "./findings.ts";
import { unbufferAdvice } from "./front-check.ts";
import { isGzipAsked } from "./seen-answers.ts";
import type { SeenAnswers } from "./seen-answers.ts";

const id = "http-versions";

/** How a target says in a handshake that it speaks no other version, as the client tells it. */
const notOffered = /does not offer HTTP\/2|NO_APPLICATION_PROTOCOL/u;

const isHeld = (shown: ArrivalFinding): boolean => shown.flowed.length === 0 && isCertain(shown);
const isFlowing = (shown: ArrivalFinding): boolean => shown.held.length === 0 && shown.flowed.length > 0;

/** The version that all ordinary requests spoke. */
const mainVersion = ({ first }: SeenAnswers): HttpVersion => first?.httpVersion ?? "1.1";

/** One version holds streams back that the other lets pass. */
function ofDifference(
  seen: SeenAnswers,
  holding: readonly [version: HttpVersion, shown: ArrivalFinding],
  passing: readonly [version: HttpVersion, shown: ArrivalFinding],
): DoctorCheck {
  const [held, flowed] = [`HTTP/${holding[0]}`, `HTTP/${passing[0]}`];
  return problem(id, [
    `streams are held back over ${held} (${heldSentence(holding[1])}) and not over ${flowed}`,
    `the proxy has settings of its own for each version, and clients speak either: make those for ${held} like those for ${flowed}; ${unbufferAdvice(seen)}`,
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
          "both HTTP/1.1 and HTTP/2 are spoken, and how streams arrived does not tell whether they differ",
          "ask again, with a --query that takes a second or more",
        ],
  );
}

/** Whether streams arrive alike over both versions of HTTP, where a target speaks both. */
export function checkHttpVersions(seen: SeenAnswers): DoctorCheck {
  const { certificate, target } = seen.evidence;
  if (new URL(target).protocol === "http:") {
    return notApplicable(id, "http speaks HTTP/1.1");
  }
  const version = mainVersion(seen);
  const [first] = seen.otherSamples;
  if (first === undefined) {
    return certificate.kind === "certificate" && certificate.protocol !== "h2"
      ? fine(id, "HTTP/1.1 alone is offered")
      : notAsked(id);
  }
  const { end, response } = first.exchange;
  if (end.kind === "failed" && response === undefined) {
    return notOffered.test(end.message)
      ? fine(id, `HTTP/${version} alone is offered`)
      : problem(id, [
          `no stream comes over HTTP/${version === "2" ? "1.1" : "2"}: ${end.message}`,
          "clients may speak either: look into the log of the proxy",
        ]);
  }
  const plain = seen.samples.filter(({ exchange, facts }) => !isGzipAsked(exchange) && facts.events > 0);
  return compared(seen, shownBy(plain), shownBy(seen.otherSamples.filter(({ facts }) => facts.events > 0)));
}
