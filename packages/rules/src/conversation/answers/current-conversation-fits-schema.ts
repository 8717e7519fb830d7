import { currentValidators } from "@assay/openapi";
import { reportSchemaErrors } from "./report-schema-errors.ts";
import { wireMember, isRecord, member } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import { eachConversation } from "../engine/each-conversation.ts";
import type { Reporter } from "../../engine/reporter.ts";

/**
 * The conversation object itself. Its state and its questions have separate rules; whether it has the requested
 * questions is checked when it is retrieved. Source: conversation-api, section 2.4.
 */
export const currentConversationFitsSchema = eachConversation({
  id: "current/conversation-fits-schema",
  interface: "current",
  operations: ["create", "get", "cancel"],
  check(view, report, { operation }) {
    const { json, pointer } = view;
    // A response to a creation without a name is not a conversation, which is another rule.
    if (operation === "create" && member(json, "name") === undefined) {
      return;
    }
    const what = "the conversation";
    reportSchemaErrors(
      currentValidators().CurrentConversation,
      { what, value: json, pointer, not: ["/state"] },
      report,
    );
    // The response to a cancellation is unspecified: it may be less than the conversation, such as only its name.
    const isWhole = operation !== "cancel" || member(json, "questions") !== undefined;
    if (isWhole && !hasState(view)) {
      const message = `${what} has no \`state\`, and neither has its last question`;
      report.violation({ message, code: "required", argument: "/state", pointer });
    }
    if (operation === "get" && !Array.isArray(member(json, "questions")) && isAbsent(member(json, "questions"))) {
      report.violation({ message: `${what} has no \`questions\``, code: "required", argument: "/questions", pointer });
    }
    noteSpelling(view, report);
    noteReplaced(view, report);
  },
});

/**
 * Notes members of the legacy interface that are sent next to their replacements. The specification does not say that
 * they are gone, and does not show messages in full.
 */
function noteReplaced({ json, questions, pointer }: ConversationView, report: Reporter): void {
  const conversation = has(json, "name") && has(json, "id") ? ["`id` beside `name`"] : [];
  const isStatusKept = questions.some((question) => has(question.json, "status")) || has(json, "status");
  for (const what of [...conversation, ...(isStatusKept ? ["`status` beside `state`"] : [])]) {
    report.note({ code: "current/replaced-members", message: `a conversation is sent with ${what}`, pointer });
  }
}

const has = (json: unknown, name: string): boolean => isRecord(json) && Object.hasOwn(json, name);

/** Whether the conversation, or its last question, has a state of any form. */
const hasState = ({ json, questions }: ConversationView): boolean =>
  [json, questions.at(-1)?.json].some((holder) => has(holder, "state"));

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Notes the spelling of members of more than one word. */
function noteSpelling({ json, questions, pointer }: ConversationView, report: Reporter): void {
  const places = [{ json, pointer }, ...questions, { json: member(member(json, "state"), "error"), pointer }];
  for (const place of places.filter(({ json: value }) => isRecord(value))) {
    for (const name of ["createTime", "updateTime", "retryTime"]) {
      const key = wireMember(place.json, name)?.key;
      if (key !== undefined) {
        const spelling = key.includes("_") ? "with underscores" : "in lowerCamelCase";
        report.note({ code: "current/member-spelling", message: `members are spelled ${spelling}`, pointer });
      }
    }
  }
}
