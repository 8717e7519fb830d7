import type { ConversationRule } from "../engine/conversation-rule.ts";
import { historyRule } from "./history-rule.ts";
import { checkAskedIds } from "./ids-are-stable.ts";
import { currentNameIsStable } from "./name-is-stable.ts";
import { checkAskedTexts } from "./question-text-is-kept.ts";

const transitions = ["backward-transition", "unlisted-transition", "incomparable-ends"] as const;
const order = ["question-lost", "question-reordered", "question-duplicated"] as const;

/** Rules about the legacy interface. Source: conversation-api, sections 2.1, 2.2 and 3.1. */
const legacyHistoryRules: readonly ConversationRule[] = [
  historyRule({ id: "legacy/status-transitions-are-listed", interface: "legacy", codes: transitions }),
  historyRule({ id: "legacy/reads-are-current", interface: "legacy", codes: ["stale-read"] }),
  historyRule({ id: "legacy/finished-answer-is-stable", interface: "legacy", codes: ["terminal-content-changed"] }),
  historyRule({
    id: "legacy/ids-are-stable",
    interface: "legacy",
    codes: ["question-id-changed"],
    also: (evidence, reportFor) => checkAskedIds(evidence, "legacy", reportFor),
  }),
  historyRule({ id: "legacy/questions-keep-their-order", interface: "legacy", codes: order }),
  historyRule({
    id: "legacy/question-text-is-kept",
    interface: "legacy",
    codes: ["question-text-changed"],
    yieldsTo: order,
    also: (evidence, reportFor) => checkAskedTexts(evidence, "legacy", reportFor),
  }),
  historyRule({ id: "legacy/created-at-is-stable", interface: "legacy", codes: ["created-at-changed"] }),
  historyRule({ id: "legacy/updated-at-never-falls", interface: "legacy", codes: ["updated-at-fell"] }),
];

/** Rules about the current interface. Source: conversation-api, sections 2.4 and 3.2. */
const currentHistoryRules: readonly ConversationRule[] = [
  historyRule({ id: "current/state-transitions-are-listed", interface: "current", codes: transitions }),
  historyRule({ id: "current/reads-are-current", interface: "current", codes: ["stale-read"] }),
  historyRule({ id: "current/finished-answer-is-stable", interface: "current", codes: ["terminal-content-changed"] }),
  currentNameIsStable,
  historyRule({ id: "current/questions-keep-their-order", interface: "current", codes: order }),
  historyRule({
    id: "current/question-text-is-kept",
    interface: "current",
    codes: ["question-text-changed"],
    yieldsTo: order,
    also: (evidence, reportFor) => checkAskedTexts(evidence, "current", reportFor),
  }),
  historyRule({ id: "current/created-at-is-stable", interface: "current", codes: ["created-at-changed"] }),
  historyRule({ id: "current/updated-at-never-falls", interface: "current", codes: ["updated-at-fell"] }),
];

/** Rules about what several answers show of one conversation, of both interfaces. */
export const historyRules: readonly ConversationRule[] = [...legacyHistoryRules, ...currentHistoryRules];
