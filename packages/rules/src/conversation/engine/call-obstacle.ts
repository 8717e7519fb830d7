import type { BlockedBy } from "../../engine/reporter.ts";
import type { ConversationCall } from "./conversation-call.ts";

/** What keeps an answer from showing anything: it broke off, or the target was too busy or broken. Nothing for other answers. */
export function callObstacle({ operation, answer }: ConversationCall): BlockedBy | undefined {
  switch (answer.kind) {
    case "none":
      return {
        kind: answer.isLimit === true ? "limit" : "transport",
        missing: `an answer to ${operation}: ${answer.why}`,
      };
    case "distress":
      return { kind: "transport", missing: `an answer to ${operation} other than ${answer.status}` };
    case "success":
    case "refused":
    case "elsewhere":
      return undefined;
  }
}
