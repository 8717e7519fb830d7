import { type Vocabulary, timestamp } from "../api/timestamp.ts";
import type { ConversationRecord, QuestionOutcome, QuestionRecord } from "../conversation-record.ts";
import type { PayloadObject } from "../../payload.ts";

/** What the form of a message depends on. */
export interface CurrentForm {
  readonly vocabulary: Vocabulary;
  /** Base URL of the server, without a slash at the end. */
  readonly origin: string;
}

/** Time members in one of the two spellings. */
const times = (
  { createdAtMs, updatedAtMs }: { readonly createdAtMs: number; readonly updatedAtMs?: number },
  vocabulary: Vocabulary,
): PayloadObject => {
  const [created, updated] = vocabulary === "field" ? ["createTime", "updateTime"] : ["create_time", "update_time"];
  return {
    [created ?? ""]: timestamp(createdAtMs, vocabulary),
    ...(updatedAtMs === undefined ? {} : { [updated ?? ""]: timestamp(updatedAtMs, vocabulary) }),
  };
};

const answerJson = (answer: string, vocabulary: Vocabulary): unknown =>
  vocabulary === "field" ? [{ markdown: { text: answer } }] : answer;

const answerOf = ({ outcome }: QuestionRecord): string | undefined =>
  outcome === undefined || outcome.kind === "canceled" ? undefined : outcome.answer;

/** A question as the current interface writes it. Source: conversation-api, section 2.4. */
export const currentQuestion = (question: QuestionRecord, vocabulary: Vocabulary): PayloadObject => {
  const answer = answerOf(question);
  return {
    input: [{ question: { text: question.text } }],
    ...(answer === undefined ? {} : { answer: answerJson(answer, vocabulary) }),
    ...times({ createdAtMs: question.createdAtMs }, vocabulary),
  };
};

const errorJson = (
  { code, message, retryAtMs }: Extract<QuestionOutcome, { kind: "failed" }>,
  endedAtMs: number,
  vocabulary: Vocabulary,
): PayloadObject => {
  const retryTime = timestamp(retryAtMs ?? endedAtMs, vocabulary);
  return { code, message, ...(vocabulary === "observed" ? { retry_time: retryTime } : { retryTime }) };
};

/** The state of a conversation is that of its last question. Source: conversation-api, section 3.2. */
const stateOf = ({ questions }: ConversationRecord, vocabulary: Vocabulary): PayloadObject => {
  const last = questions.at(-1);
  switch (last?.outcome?.kind) {
    case undefined:
      return { processing: {} };
    case "failed":
      return { error: errorJson(last.outcome, last.updatedAtMs, vocabulary) };
    case "completed":
    case "canceled":
      return { [last.outcome.kind]: {} };
  }
};

const titleOf = ({ questions }: ConversationRecord): PayloadObject => {
  const outcome = questions[0]?.outcome;
  return outcome === undefined || outcome.kind === "canceled" ? {} : { title: outcome.title };
};

/** The resource name, with the number of the user. */
export const currentName = ({ id, userId }: ConversationRecord): string => `users/${userId}/conversations/${id}`;

/** A conversation in a list: without state and questions. */
export const currentSummary = (
  conversation: ConversationRecord,
  { origin, vocabulary }: CurrentForm,
): PayloadObject => ({
  name: currentName(conversation),
  ...titleOf(conversation),
  ...times(conversation, vocabulary),
  url: `${origin}/deepsearch/${conversation.readToken}`,
});

/** A conversation as the current interface writes it. Source: conversation-api, section 2.4. */
export const currentConversation = (conversation: ConversationRecord, form: CurrentForm): PayloadObject => ({
  ...currentSummary(conversation, form),
  state: stateOf(conversation, form.vocabulary),
  questions: conversation.questions.map((question) => currentQuestion(question, form.vocabulary)),
});
