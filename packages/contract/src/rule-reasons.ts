import type { RuleId } from "./rule-catalogue.ts";
import type { RuleInterface } from "./rule-record.ts";
import { ruleRecord } from "./rule-catalogue.ts";

/** What goes wrong for a client where a rule of a chapter fails. */
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

/** What goes wrong where one rule fails, if it is something else than what its chapter says. */
const reasonsOfRules: Readonly<Partial<Record<RuleId, string>>> = {
  "stream/done-is-last":
    "Clients stop at `done`. Without it they cannot tell a complete search from one that was cut off; what follows it is lost.",
  "stream/text-is-utf-8":
    "Clients decode the stream as UTF-8. Other bytes show as replacement characters or stop the client.",
  "stream/results-arrive-incrementally":
    "The stream exists so that users see the first results at once. In one burst they wait for the whole search.",
  "stream/cut-results-are-named":
    "A client cannot tell its user that results are missing, so a part is taken for everything.",
  "stream/problem-has-alert": "A search that failed without an alert looks like one that found nothing.",
};

/** Chapters of which the streaming search and conversations have one each. */
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

/** Why a rule matters: what goes wrong for a client where it fails. */
export function ruleReason(id: RuleId): string {
  const { interface: name, chapter } = ruleRecord(id);
  const reason = reasonsOfRules[id] ?? reasonsOfChapters[reasonName(name, chapter)];
  if (reason === undefined) {
    throw new Error(`There is no reason for the rules of the chapter ${chapter}.`);
  }
  return reason;
}
