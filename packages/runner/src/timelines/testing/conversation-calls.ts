import { defined, currentPath, legacyPath } from "@assay/contract";
import { recordDraft } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";

/** A call about a conversation, and the content of its answer. */
export interface CallSketch {
  readonly interface?: "legacy" | "current";
  readonly operation?: "create" | "get" | "follow-up" | "cancel" | "delete";
  readonly conversation?: number;
  /** States of its questions (legacy), or of the conversation after each (current: only the last one is shown). */
  readonly states: readonly string[];
  readonly sent: number;
  readonly answered: number;
  readonly session?: string;
  /** The time of the last change in the answer, in seconds [no time]. */
  readonly updated?: number;
  /** Prefix of its questions [a text of the conversation]. */
  readonly asks?: string;
  /** [200] */
  readonly status?: number;
}

const textOf = ({ conversation = 1, asks = `of ${conversation}` }: CallSketch, index: number): string =>
  `${asks}, question ${index + 1}`;

const timeOf = (seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : new Date(Date.UTC(2026, 0, 2, 3, 4, 0) + 1000 * seconds).toISOString();

const legacyAnswer = ({ conversation = 1, states, updated, ...other }: CallSketch): object => ({
  id: conversation,
  updated_at: timeOf(updated),
  questions: states.map((status, index) => ({
    id: 100 * conversation + index,
    conversation_id: conversation,
    question: textOf({ ...other, conversation, states }, index),
    updated_at: timeOf(updated),
    status,
  })),
});

const currentAnswer = ({ conversation = 1, states, updated, ...other }: CallSketch): object => ({
  name: `users/7/conversations/${conversation}`,
  updateTime: timeOf(updated),
  state: { [states.at(-1) ?? "processing"]: {} },
  questions: states.map((_, index) => ({
    input: [{ question: { text: textOf({ ...other, conversation, states }, index) } }],
  })),
});

const tails = { create: "", get: "", "follow-up": "/questions", cancel: "/questions/1/cancel", delete: "" } as const;
const procedures = {
  create: "CreateConversation",
  get: "GetConversation",
  "follow-up": "AddConversationQuestion",
  cancel: "CancelConversation",
  delete: "DeleteConversation",
} as const;

function requestOf(sketch: CallSketch) {
  const { interface: name = "legacy", operation = "get", conversation = 1, states } = sketch;
  const headers = [
    ["content-type", "application/json"],
    ["x-requested-with", "assay 1"],
  ] as const;
  const own = operation === "create" ? "" : `/${conversation}`;
  const text = textOf(sketch, states.length - 1);
  if (name === "legacy") {
    const body = operation === "get" ? {} : { body: JSON.stringify({ conversation_id: conversation, question: text }) };
    const method = operation === "get" ? "GET" : "POST";
    return { method, url: `http://code.example${legacyPath}${own}${tails[operation]}`, headers, ...body };
  }
  const path = `users/~self/conversations/${conversation}`;
  const question = { input: [{ question: { text } }] };
  const json =
    operation === "create" ? { conversation: { questions: [question] } } : { name: path, parent: path, question };
  return {
    method: "POST",
    url: `http://code.example${currentPath}/${procedures[operation]}`,
    headers,
    body: JSON.stringify(json),
  };
}

/** Recorded calls; their ids are their positions. */
export const calls = (sketches: readonly CallSketch[]): readonly RecordedExchange[] =>
  sketches.map((sketch, index) => {
    const { interface: name = "legacy", operation = "get", sent, answered } = sketch;
    const answer = name === "legacy" ? legacyAnswer(sketch) : currentAnswer(sketch);
    return recordDraft({
      id: String(index + 1).padStart(4, "0"),
      probe: "poll",
      interface: name,
      operation,
      credential: "access-token",
      ...defined({ session: sketch.session }),
      request: requestOf(sketch),
      response: {
        status: sketch.status ?? 200,
        headers: [["content-type", "application/json"]],
        chunks: [{ bytes: Buffer.from(JSON.stringify(answer)), atMicros: answered }],
      },
      end: { kind: "complete" },
      times: { sentAtMicros: sent, endedAtMicros: answered },
    });
  });
