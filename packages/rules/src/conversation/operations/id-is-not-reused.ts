import type { ConversationCall } from "../engine/conversation-call.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { formatValue } from "../../engine/format-value.ts";
import { userOf } from "../engine/users.ts";

/**
 * A creation returns an id, or a name, that no earlier creation of the user returned, even if that conversation was deleted. A creation
 * with the same question may be a retry that returns the same conversation. Source: conversation-api, section 2.
 */
export const idIsNotReused = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/id-is-not-reused`,
    check(evidence, reporter) {
      const creations = evidence.calls.filter(
        (call) => call.interface === interfaceName && call.operation === "create" && readId(call) !== undefined,
      );
      for (const [index, call] of creations.entries()) {
        const earlierCreations = creations.slice(0, index).filter((earlier) => isComparable(earlier, call));
        const earlier = earlierCreations.find((candidate) => readId(candidate) === readId(call));
        if (earlier !== undefined) {
          const id = formatValue(readId(call));
          reporter.fails(call, `a creation returned ${id}, which an earlier one returned (${earlier.record.id})`);
        } else if (earlierCreations.length > 0) {
          reporter.passes(call);
        }
      }
    },
  }),
);

const readId = (call: ConversationCall): string | undefined => {
  const view = conversationView(call);
  return call.interface === "legacy" ? view?.id : view?.name;
};

const isComparable = (earlier: ConversationCall, call: ConversationCall): boolean =>
  userOf(earlier.record.credential) === userOf(call.record.credential) &&
  earlier.request.question !== undefined &&
  call.request.question !== undefined &&
  earlier.request.question !== call.request.question;
