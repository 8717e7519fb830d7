import type { DoctorCheck } from "@assay/results";
import { listEntries, findOwnReadToken } from "./conversation-list.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import { inconclusive, ok, problem } from "./check-results.ts";
import { classifyExchange } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

const id = "sharing";

function reportNotChecked({ evidence }: ArrangedEvidence): DoctorCheck {
  if (!evidence.configuredCredentials.includes("other-token")) {
    return inconclusive(id, [
      "no second user is configured",
      "set ASSAY_OTHER_TOKEN to another user's access token, to check whether read tokens work for other users",
    ]);
  }
  return findOwnReadToken(evidence.exchanges, evidence.mainCredential) === undefined
    ? inconclusive(id, [
        "the token's user has no conversation with a read token, so sharing could not be checked",
        "ask one question in the web interface, then run doctor again; doctor asks no questions",
      ])
    : inconclusive(id, [
        "the second user's request received no response",
        "see the interface and rate-limit checks, then try again",
      ]);
}

/**
 * Reports whether another user can read a conversation with its read token. Lists an existing conversation of the
 * main user and creates none. Source: conversation-api, sections 4.1 and 5.
 */
export function checkSharing(arranged: ArrangedEvidence): DoctorCheck {
  const sharedExchange = arranged.evidence.exchanges.find(({ probe }) => probe === doctorProbes.shared);
  const kind = sharedExchange === undefined ? "no-response" : classifyExchange(sharedExchange);
  // A target without sharing hides the conversation (`missing`) or refuses the request (`refused`).
  if (sharedExchange === undefined || !["served", "missing", "refused"].includes(kind)) {
    return reportNotChecked(arranged);
  }
  const isShared = kind === "served" && listEntries(sharedExchange).length > 0;
  const declaredSharing = arranged.evidence.sharing;
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
