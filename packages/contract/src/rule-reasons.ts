import type { RuleId } from "./rule-catalogue.ts";
import type { RuleInterface } from "./rule-record.ts";
import { ruleRecord } from "./rule-catalogue.ts";

/** Consequences for a client if a rule of this chapter fails. Used for rules without their own `why`. */
const reasonsOfChapters: Readonly<Record<string, string>> = {
  framing: "Clients split the stream into events by its bytes. Where the form differs, they lose events or stop.",
  "stream schema":
    "Clients read fields by name and type. A missing field or another type breaks them, or shows the user nothing.",
  order:
    "Clients decide by the events and their order whether a search is complete. If they are wrong, users take a part of the results for all of them.",
  observed: "Clients often handle the values that are known. A new one may be shown wrongly or ignored.",
  "stream access":
    "Tokens decide who may search which code. If a refusal is missing, code is open to others; if a valid token is refused, clients stop working.",
  parameters:
    "Clients rely on parameters to limit, shape and repeat a search. If one is ignored, they show other results than the user asked for.",
  answers:
    "Clients read conversations by these fields and states. If they are missing or wrong, an answer is shown too early, wrongly or never.",
  history:
    "Clients poll and compare reads. If a conversation goes back or changes after it ended, users see answers vanish or change.",
  operations:
    "Users ask, follow up, cancel and delete through these operations. If one has no effect, questions are lost, or deleted data stays.",
  lists:
    "Clients find conversations through lists. If filters, order or pages are wrong, users miss their own conversations or see those of others.",
  "conversation access":
    "Conversations quote private code. If a refusal is missing, others read or change them; if a valid token is refused, clients stop working.",
  schema:
    "Generated clients and validators rely on the OpenAPI document. Where responses and document differ, they fail.",
  migration:
    "Clients move from one interface to the other while conversations stay. If the two differ, users lose answers on the way.",
};

/** Chapters that exist both for the streaming search and for conversations. */
const isShared = (chapter: string): boolean => chapter === "access" || chapter === "schema";

const reasonName = (name: RuleInterface, chapter: string): string => {
  if (!isShared(chapter)) {
    return chapter;
  }
  if (name === "stream") {
    return `stream ${chapter}`;
  }
  return chapter === "access" ? "conversation access" : chapter;
};

/** Returns why a rule matters: the consequences for a client if it fails. */
export function ruleReason(id: RuleId): string {
  const { interface: name, chapter, why } = ruleRecord(id);
  const reason = why ?? reasonsOfChapters[reasonName(name, chapter)];
  if (reason === undefined) {
    throw new Error(`There is no reason for the rules of the chapter ${chapter}.`);
  }
  return reason;
}

/** The first version of Assay with rules. */
const firstVersion = "0.1.0";

/** Returns the first version of Assay with this rule. */
export const ruleSince = (id: RuleId): string => ruleRecord(id).since ?? firstVersion;
