import { shownValue } from "../../engine/shown-value.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { ReportFor } from "../engine/choices-once.ts";
import { listView } from "../engine/list-view.ts";

/** Ids that any answer showed. Of others, such as one made up to be unknown, nothing is said here. */
const shownIds = (calls: readonly ConversationCall[]): ReadonlySet<string> =>
  new Set(
    calls
      .flatMap((call) => [conversationView(call), ...(listView(call)?.entries ?? [])])
      .flatMap((view) => view?.id ?? []),
  );

/** Answers about one conversation name that one: its id, or the last part of its name. */
export function checkAskedIds(
  { calls }: ConversationEvidence,
  name: ConversationInterface,
  reportFor: ReportFor,
): void {
  const own = calls.filter((call) => call.interface === name);
  const shown = shownIds(own);
  const what = name === "legacy" ? "conversation" : "the conversation of the name ending in";
  for (const call of own) {
    const asked = call.asked.conversation;
    const view = conversationView(call);
    if (asked === undefined || view?.id === undefined || !(shown.has(asked) || call.record.probe === "import")) {
      continue;
    }
    const report = reportFor(call.record.id);
    report.opportunity();
    if (view.id !== asked) {
      report.violation({
        code: "other-conversation",
        message: `asked for ${what} ${shownValue(asked)}, the answer is about ${shownValue(view.id)}`,
        pointer: `${view.pointer}/${name === "legacy" ? "id" : "name"}`,
      });
    }
  }
}
