import { defined, statsMembers } from "@assay/contract";
import { asksFor, nameOf } from "./recorded-calls.ts";

/** Members that replace those of a sample. `undefined` removes a member. */
export type Changes = Readonly<Record<string, unknown>>;

const time = "2026-01-05T10:00:00Z";

/** Returns all nine stats with one value. */
export const statsOf = (value: unknown): object => Object.fromEntries(statsMembers.map((name) => [name, value]));

/** A source in the form sent by instances. */
export const source = { type: "Repository", link: "/code.example/a", label: "a" };

/** An error in the form sent by instances. */
export const failure = { title: "No", kind: "InternalError", message: "It failed.", details: "" };

/** Returns a legacy question that is processing. */
export const processingQuestion = (changes: Changes = {}): object => ({
  id: 11,
  conversation_id: 1,
  question: "words",
  created_at: time,
  updated_at: time,
  status: "processing",
  turns: [{ reasoning: "words", timestamp: 1_767_607_200, role: "user" }],
  stats: statsOf(0),
  suggested_followups: null,
  ...changes,
});

/** Returns a legacy question that is completed. */
export const completedQuestion = (changes: Changes = {}): object => ({
  ...processingQuestion(),
  status: "completed",
  turns: undefined,
  title: "Words",
  answer: "Here.",
  sources: [source],
  stats: statsOf(3),
  suggested_followups: ["And?"],
  updated_at: "2026-01-05T10:00:09Z",
  ...changes,
});

/** Returns a legacy conversation in the form returned by a creation. */
export const legacyConversation = (questions: unknown, changes: Changes = {}): object => ({
  id: 1,
  questions,
  created_at: time,
  updated_at: time,
  user_id: 7,
  read_token: "5c0ffee5",
  share_url: "http://code.example/deepsearch/5c0ffee5",
  ...changes,
});

/** Returns a legacy conversation in the form returned by a read. */
export const retrievedConversation = (questions: unknown, changes: Changes = {}): object => ({
  ...legacyConversation(questions),
  viewer: { is_owner: true },
  quota_usage: { total_quota: 3, quota_limit: 100, reset_time: "2026-02-01T00:00:00Z" },
  ...changes,
});

/** Returns a question of the current interface. */
export const currentQuestion = (answer?: unknown, changes: Changes = {}): object => ({
  ...asksFor("words"),
  ...defined({ answer }),
  createTime: time,
  ...changes,
});

/** Returns a conversation of the current interface. */
export const currentConversation = (state: unknown, questions: unknown, changes: Changes = {}): object => ({
  name: nameOf(1, "7"),
  state,
  questions,
  createTime: time,
  updateTime: time,
  ...changes,
});

/** Returns a conversation of the current interface that is processing. */
export const processingConversation = (changes: Changes = {}): object =>
  currentConversation({ processing: {} }, [currentQuestion()], changes);

/** Returns a conversation of the current interface that has its answer. */
export const completedConversation = (changes: Changes = {}): object =>
  currentConversation({ completed: {} }, [currentQuestion("Here.")], changes);

/** Returns a conversation of the current interface that failed. */
export const failedConversation = (error: unknown, changes: Changes = {}): object =>
  currentConversation({ error }, [currentQuestion()], changes);
