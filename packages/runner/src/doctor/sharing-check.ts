import type { DoctorCheck } from "@assay/results";
import { listEntries, findOwnReadToken } from "./conversation-list.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import { inconclusive, ok, problem } from "./check-results.ts";
import { classifyExchange } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

const id = "sharing";

function reportNotChecked({ evidence }: ArrangedEvidence): DoctorCheck {
  if (!evidence.givenCredentials.includes("other-token")) {
    return inconclusive(id, [
      "no second user is configured",
      "set ASSAY_OTHER_TOKEN to another user's access token, to check whether a read token gives them access",
    ]);
  }
  return findOwnReadToken(evidence.exchanges, evidence.mainCredential) === undefined
    ? inconclusive(id, [
        "the token's user has no conversation with a read token to try",
        "ask one question in the web interface, then run doctor again; doctor asks no questions",
      ])
    : inconclusive(id, [
        "the request as the other user received no response",
        "see the interface and rate-limit checks, then try again",
      ]);
}

/**
 * Reports whether another user can read a conversation with its read token. Uses a conversation of the main user, which is only listed.
 * Source: conversation-api, sections 4.1 and 5.
 */
export function checkSharing(responses: ArrangedEvidence): DoctorCheck {
  const sharedExchange = responses.evidence.exchanges.find(({ probe }) => probe === doctorProbes.shared);
  const kind = sharedExchange === undefined ? "no-response" : classifyExchange(sharedExchange);
  if (sharedExchange === undefined || !["served", "missing", "refused"].includes(kind)) {
    return reportNotChecked(responses);
  }
  const isShared = kind === "served" && listEntries(sharedExchange).length > 0;
  const declaredSharing = responses.evidence.sharing;
  if (declaredSharing === "off" && isShared) {
    return problem(id, [
      "another user can read a conversation with its read token, but --sharing is off",
      "turn deepSearch.sharing off in the site configuration, or set --sharing on",
    ]);
  }
  if (declaredSharing === "on" && !isShared) {
    return problem(id, [
      "other users cannot read conversations with their read tokens, but --sharing is on",
      "turn deepSearch.sharing on in the site configuration, or set --sharing off",
    ]);
  }
  return ok(
    id,
    isShared
      ? "on: another user can read a conversation with its read token"
      : "off: other users cannot read conversations with their read tokens",
  );
}
