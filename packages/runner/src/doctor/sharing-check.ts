import type { DoctorCheck } from "@assay/results";
import { listEntries, findOwnReadToken } from "./conversation-list.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import { inconclusive, fine, problem } from "./check-results.ts";
import { classifyExchange } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

const id = "sharing";

function checkNotMade({ evidence }: ArrangedEvidence): DoctorCheck {
  if (!evidence.givenCredentials.includes("other-token")) {
    return inconclusive(id, [
      "no second user is configured",
      "set ASSAY_OTHER_TOKEN to an access token of another user, to check whether a read token gives them access",
    ]);
  }
  return findOwnReadToken(evidence.exchanges, evidence.mainCredential) === undefined
    ? inconclusive(id, [
        "the token's user has no conversation with a read token to try",
        "ask one question in the web interface, then run doctor again; doctor asks no questions",
      ])
    : inconclusive(id, [
        "the request as the other user received no response",
        "see the lines about interfaces and limits, then try again",
      ]);
}

/**
 * Reports whether another user can read a conversation by its read token. It is a conversation of the main user and is only listed.
 * Source: conversation-api, sections 4.1 and 5.
 */
export function checkSharing(responses: ArrangedEvidence): DoctorCheck {
  const shared = responses.evidence.exchanges.find(({ probe }) => probe === doctorProbes.shared);
  const kind = shared === undefined ? "nothing" : classifyExchange(shared);
  if (shared === undefined || !["served", "missing", "refused"].includes(kind)) {
    return checkNotMade(responses);
  }
  const isOn = kind === "served" && listEntries(shared).length > 0;
  const declared = responses.evidence.sharing;
  if (declared === "off" && isOn) {
    return problem(id, [
      "another user can read a conversation by its read token, but --sharing is off",
      "turn deepSearch.sharing off in the site configuration, or set --sharing on",
    ]);
  }
  if (declared === "on" && !isOn) {
    return problem(id, [
      "other users cannot read conversations by read token, but --sharing is on",
      "turn deepSearch.sharing on in the site configuration, or set --sharing off",
    ]);
  }
  return fine(
    id,
    isOn
      ? "on: another user can read a conversation by its read token"
      : "off: other users cannot read conversations by read token",
  );
}
