import { currentValidators } from "@assay/openapi";
import { reportSchemaErrors } from "./report-schema-errors.ts";
import { wireMember, isRecord, member } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import { defineConversationCheck } from "../engine/define-conversation-check.ts";
import type { Reporter } from "../../engine/reporter.ts";

/**
 * Checks the members of a conversation except its state and its questions, which have separate rules. Whether
 * `questions` is present is checked only for reads. Source: conversation-api, section 2.4.
 */
export const currentConversationFitsSchema = defineConversationCheck({
  id: "current/conversation-fits-schema",
  interface: "current",
  operations: ["create", "get", "cancel"],
  check(view, report, { operation }) {
    const { json, pointer } = view;
    // `current/create-is-accepted` reports a creation without a name.
    if (operation === "create" && member(json, "name") === undefined) {
      return;
    }
    const label = "the conversation";
    reportSchemaErrors(
      currentValidators().CurrentConversation,
      { label, value: json, pointer, ignoredPointers: ["/state"] },
      report,
    );
    // The response to a cancellation is unspecified. It may be less than the conversation, such as only its name.
    const isComplete = operation !== "cancel" || member(json, "questions") !== undefined;
    if (isComplete && !hasState(view)) {
      const message = `${label} has no \`state\`, and neither has its last question`;
      report.violation({ message, code: "required", argument: "/state", pointer });
    }
    if (operation === "get" && !Array.isArray(member(json, "questions")) && isAbsent(member(json, "questions"))) {
      report.violation({ message: `${label} has no \`questions\``, code: "required", argument: "/questions", pointer });
    }
    noteSpelling(view, report);
    noteReplacedMembers(view, report);
  },
});

/**
 * Notes members of the legacy interface that are sent next to their replacements. The specification does not say that
 * they were removed, and does not show complete messages.
 */
function noteReplacedMembers({ json, questions, pointer }: ConversationView, report: Reporter): void {
  const replacedNames = hasMember(json, "name") && hasMember(json, "id") ? ["`id` next to `name`"] : [];
  const hasStatus = questions.some((question) => hasMember(question.json, "status")) || hasMember(json, "status");
  for (const members of [...replacedNames, ...(hasStatus ? ["`status` next to `state`"] : [])]) {
    report.note({ code: "current/replaced-members", message: `a conversation is sent with ${members}`, pointer });
  }
}

const hasMember = (json: unknown, name: string): boolean => isRecord(json) && Object.hasOwn(json, name);

/** Reports whether the conversation or its last question has a state, valid or not. */
const hasState = ({ json, questions }: ConversationView): boolean =>
  [json, questions.at(-1)?.json].some((holder) => hasMember(holder, "state"));

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Notes the spelling of member names that consist of several words. */
function noteSpelling({ json, questions, pointer }: ConversationView, report: Reporter): void {
  const holders = [{ json, pointer }, ...questions, { json: member(member(json, "state"), "error"), pointer }];
  for (const holder of holders.filter(({ json: value }) => isRecord(value))) {
    for (const name of ["createTime", "updateTime", "retryTime"]) {
      const key = wireMember(holder.json, name)?.key;
      if (key !== undefined) {
        const spelling = key.includes("_") ? "with underscores" : "in lowerCamelCase";
        report.note({ code: "current/member-spelling", message: `members are spelled ${spelling}`, pointer });
      }
    }
  }
}
