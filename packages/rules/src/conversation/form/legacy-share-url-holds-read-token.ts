import { eachConversation } from "../engine/each-conversation.ts";
import { stringMember } from "../engine/wire-member.ts";

/** The read token stands in the share URL, as it is or escaped. Neither is quoted: both are secrets. Source: conversation-api, section 2.1. */
export const legacyShareUrlHoldsReadToken = eachConversation({
  id: "legacy/share-url-holds-read-token",
  interface: "legacy",
  check({ json, pointer }, report) {
    const token = stringMember(json, "read_token") ?? "";
    const url = stringMember(json, "share_url") ?? "";
    if (token === "" || url === "") {
      return;
    }
    report.observe();
    if (!url.includes(token) && !url.includes(escaped(token))) {
      report.violation({ message: "`share_url` does not hold `read_token`", pointer: `${pointer}/share_url` });
    }
  },
});

function escaped(token: string): string {
  try {
    return encodeURIComponent(token);
  } catch {
    // Half of a surrogate pair cannot be escaped.
    return token;
  }
}
