import type { DoctorCheck } from "@assay/results";
import { listedEntries, ownReadToken } from "./conversation-list.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import { couldNotTell, fine, problem } from "./findings.ts";
import { seenAs } from "./seen-answers.ts";
import type { SeenAnswers } from "./seen-answers.ts";

const id = "sharing";

function checkNotMade({ evidence }: SeenAnswers): DoctorCheck {
  if (!evidence.given.includes("other-token")) {
    return couldNotTell(id, [
      "no second user was given",
      "set ASSAY_OTHER_TOKEN to an access token of another user, to check whether a read token gives them access",
    ]);
  }
  return ownReadToken(evidence.exchanges, evidence.mainCredential) === undefined
    ? couldNotTell(id, [
        "the user of the token has no conversation whose read token could be tried",
        "ask one question in the web interface, then run doctor again; doctor asks no questions",
      ])
    : couldNotTell(id, ["the other user got no answer", "see the lines about interfaces and limits, then try again"]);
}

/**
 * Checks whether another user can read a conversation by its read token. It is a conversation of the main user and is only listed.
 * Source: conversation-api, sections 4.1 and 5.
 */
export function checkSharing(seen: SeenAnswers): DoctorCheck {
  const shared = seen.evidence.exchanges.find(({ probe }) => probe === doctorProbes.shared);
  const kind = shared === undefined ? "nothing" : seenAs(shared);
  if (shared === undefined || !["served", "missing", "refused"].includes(kind)) {
    return checkNotMade(seen);
  }
  const isOn = kind === "served" && listedEntries(shared).length > 0;
  const declared = seen.evidence.sharing;
  if (declared === "off" && isOn) {
    return problem(id, [
      "another user can read a conversation by its read token, but --sharing is off",
      "turn deepSearch.sharing off in the site configuration, or set --sharing on",
    ]);
  }
  if (declared === "on" && !isOn) {
    return problem(id, [
      "a read token opens nothing for another user, but --sharing is on",
      "turn deepSearch.sharing on in the site configuration, or set --sharing off",
    ]);
  }
  return fine(
    id,
    isOn
      ? "on: another user can read a conversation by its read token"
      : "off: a read token opens nothing for another user",
  );
}
