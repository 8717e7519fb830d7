import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, observing, oneEffectOf, oneOf, type Variants, violating } from "../fault.ts";
import { having, misfits, type Spoil } from "../spoiling.ts";
import { callsOf, editing, type JsonEdit, showing } from "./call-effects.ts";
import {
  inElements,
  inLastQuestion,
  inMember,
  inQuestions,
  isAnswered,
  isCancelled,
  isConversation,
  isRunning,
  when,
} from "./conversation-parts.ts";

const creations = callsOf("legacy", "create");
const retrievals = callsOf("legacy", "get");

const asItIs = <Value>(value: Value): Value => value;

const retrieved = (spoil: Spoil): ConversationEffect => editing(retrievals, when(isConversation, spoil));
const created = (spoil: Spoil): ConversationEffect => editing(creations, when(isConversation, spoil));

// Without questions nothing can be seen of them, so that they are there whenever it counts.
const conversationMisfits: Variants<ConversationEffect> = {
  ...misfits(retrieved, { id: ["missing", "text"] }),
  ...misfits(created, { questions: ["missing", "object"] }),
  ...misfits(retrieved, {
    created_at: ["missing", "number"],
    updated_at: ["missing", "null"],
    user_id: ["missing", "text"],
    read_token: ["missing", "number"],
    share_url: ["missing", "null"],
  }),
};

const inAnswers = (edit: JsonEdit): ConversationEffect => editing(callsOf("legacy", ...showing), inQuestions(edit));
const inRetrieved = (edit: JsonEdit): ConversationEffect => editing(retrievals, inQuestions(edit));
const inCreated = (edit: JsonEdit): ConversationEffect => editing(creations, inQuestions(edit));
/** What only a question has that ended in success. */
const inAnswered = (spoil: Spoil): ConversationEffect => inAnswers(when(isAnswered, spoil));

const nullIfAbsent =
  (member: string): Spoil =>
  (data) => ({ [member]: null, ...data });

const questionMisfits: Variants<ConversationEffect> = {
  ...misfits(inRetrieved, { id: ["missing", "text"], conversation_id: ["missing", "text"] }),
  ...misfits(inCreated, { question: ["missing", "object"] }),
  ...misfits(inRetrieved, { created_at: ["missing", "number"], updated_at: ["missing", "null"] }),
  ...misfits(inCreated, { status: ["missing", "object"] }),
  "title-null": inRetrieved(nullIfAbsent("title")),
  "answer-null": inRetrieved(nullIfAbsent("answer")),
  "sources-null": inCreated(nullIfAbsent("sources")),
  "error-null": inRetrieved(nullIfAbsent("error")),
  "turns-null": inRetrieved(nullIfAbsent("turns")),
  "turns-text": inRetrieved(having("turns", "none")),
  ...misfits(inAnswered, { title: ["number"], sources: ["text"], stats: ["text"] }),
  "followups-text": inAnswered(having("suggested_followups", "none")),
  "followups-numbers": inAnswered(having("suggested_followups", [1, 2])),
  "error-text": inAnswers(when(({ error }) => isPayloadObject(error), having("error", "it failed"))),
};

const sourceMisfits: Variants<Spoil> = {
  ...misfits(asItIs, { type: ["missing"], link: ["missing"], label: ["missing", "object"] }),
  "link-absolute": having("link", "https://elsewhere.example/repository"),
  "link-of-another-host": having("link", "//elsewhere.example/repository"),
  "link-with-backslash": having("link", String.raw`/\elsewhere.example/repository`),
};

const turnMisfits: Variants<Spoil> = {
  ...misfits(asItIs, { reasoning: ["missing"], timestamp: ["missing"], role: ["missing", "number"] }),
  "timestamp-milliseconds": having("timestamp", 1_700_000_000_000),
  "timestamp-text": having("timestamp", "2024-01-01T00:00:00Z"),
  "timestamp-fraction": having("timestamp", 1_700_000_000.5),
  text: () => "Looking for the words of the question.",
};

const withTurn =
  (spoil: Spoil): Spoil =>
  (question) => {
    const turn = { reasoning: "Looking for the words of the question.", timestamp: 1_700_000_000, role: "agent" };
    return isPayloadArray(question["turns"]) ? { ...question, turns: [...question["turns"], spoil(turn)] } : question;
  };

const statsMisfits: Variants<Spoil> = {
  "time-negative": having("time_millis", -1),
  "time-fraction": having("time_millis", 12.5),
  ...misfits(asItIs, {
    tool_calls: ["missing"],
    total_input_tokens: ["text"],
    cached_tokens: ["null"],
    cache_creation_input_tokens: ["missing"],
    prompt_tokens: ["missing"],
    completion_tokens: ["missing"],
    total_tokens: ["missing"],
    credits: ["missing"],
  }),
};

const errorMisfits: Variants<Spoil> = {
  ...misfits(asItIs, { title: ["missing"], kind: ["missing"], message: ["missing", "object"], details: ["missing"] }),
  empty: () => ({}),
};

/** Faults in the form of legacy conversations, questions and what these hold. */
export const legacyAnswerFaults: readonly Fault[] = [
  violating("legacy/conversation-fits-schema", "legacy-conversation-malformed")(
    "Retrieved or created legacy conversations lack a member or have one of another type.",
    oneEffectOf(conversationMisfits),
  ),
  violating("legacy/question-fits-schema", "legacy-question-malformed")(
    "Legacy questions lack a member or have one of another type.",
    oneEffectOf(questionMisfits),
  ),
  violating("legacy/source-fits-schema", "legacy-source-malformed")(
    "The first source of each answer lacks a member, has one of another type, or links elsewhere.",
    oneOf(sourceMisfits, (spoil) => inAnswers(inElements("sources", spoil, (index) => index === 0))),
  ),
  violating("legacy/turn-fits-schema", "legacy-turn-malformed")(
    "Questions with turns have one more turn, which lacks a member or has one of another type.",
    oneOf(turnMisfits, (spoil) => inAnswers(withTurn(spoil))),
  ),
  violating("legacy/stats-are-counts", "legacy-stats-malformed")(
    "The stats of questions that have ended lack a number or have something else in its place.",
    oneOf(statsMisfits, (spoil) => inAnswers(when((question) => !isRunning(question), inMember("stats", spoil)))),
  ),
  violating("legacy/error-fits-schema", "legacy-error-malformed")(
    "The errors of legacy questions lack a member or have one of another type.",
    oneOf(errorMisfits, (spoil) => inAnswers(inMember("error", spoil))),
  ),
  observing("legacy/error-kind-is-known", "legacy-new-error-kind")(
    "Questions that fail by themselves have an error of another kind.",
    editing(
      callsOf("legacy", ...showing),
      inLastQuestion(when((question) => !isCancelled(question), inMember("error", having("kind", "ModelUnavailable")))),
    ),
  ),
];
