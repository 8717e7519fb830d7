import type { BlockedBy } from "../../engine/reporter.ts";
import type { ConversationCall } from "./conversation-call.ts";

/**
 * Returns the reason a response is unusable: no complete response arrived, or the target returned a server error.
 * Returns undefined for other responses.
 */
export function reasonForUnusable({ operation, response }: ConversationCall): BlockedBy | undefined {
  switch (response.kind) {
    case "none":
      return {
        kind: response.isLimit === true ? "limit" : "transport",
        missing: `a response to ${operation}: ${response.reason}`,
      };
    case "server-failure":
      return { kind: "transport", missing: `a response to ${operation} other than ${response.status}` };
    case "success":
    case "refused":
    case "not-api":
      return undefined;
  }
}
