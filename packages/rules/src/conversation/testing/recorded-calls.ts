import { defined, currentPath, currentProcedures, legacyPath } from "@assay/contract";
import type { CredentialKind, ExchangeRecord, HeaderField } from "@assay/evidence";
import type { ConversationInterface, ConversationOperation, RecordedCall } from "../engine/conversation-call.ts";

/** A call for a test. Everything except the operation has a default. */
export interface CallSketch {
  readonly id?: string;
  readonly interface?: ConversationInterface;
  readonly operation: ConversationOperation;
  /** The id in a legacy path, or the last part of the name in the current interface. */
  readonly conversation?: string | number;
  /** Id of the question to cancel. Legacy interface only. */
  readonly questionId?: string | number;
  /** [that of the operation] */
  readonly method?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Body of the request. The default satisfies the operation. A string is sent verbatim. */
  readonly body?: unknown;
  readonly question?: string;
  readonly headers?: readonly HeaderField[];
  readonly credential?: CredentialKind;
  readonly session?: string;
  /** 0: no response was received. */
  readonly status?: number;
  /** [`test`] */
  readonly probe?: string;
  /** Body of the response. A string is sent verbatim. */
  readonly answer?: unknown;
  readonly contentType?: string;
  /** `Date` of the response [none]. */
  readonly date?: string | undefined;
  /** Headers of the response besides its content type. */
  readonly answerHeaders?: readonly HeaderField[];
  readonly cutBy?: string;
  readonly unreadable?: string;
  readonly sentAtMicros?: number;
  readonly endedAtMicros?: number;
}

const textOf = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** Returns the name of a conversation. */
export const nameOf = (conversation: string | number, user = "~self"): string =>
  `users/${user}/conversations/${conversation}`;

/** Returns a question of the current interface. */
export const asksFor = (text: string): object => ({ input: [{ question: { text } }] });

const legacyMethods = {
  create: "POST",
  get: "GET",
  list: "GET",
  "follow-up": "POST",
  cancel: "POST",
  delete: "DELETE",
};

function legacyRequest({
  operation,
  conversation = 1,
  questionId = 11,
  query = {},
  question = "words",
  method,
}: CallSketch) {
  const tails = {
    create: "",
    list: `?${new URLSearchParams(query).toString()}`,
    get: `/${conversation}`,
    delete: `/${conversation}`,
    "follow-up": `/${conversation}/questions`,
    cancel: `/${conversation}/questions/${questionId}/cancel`,
  };
  const bodies: Partial<Record<ConversationOperation, unknown>> = {
    create: { question },
    "follow-up": { conversation_id: Number(conversation), question },
  };
  return {
    method: method ?? legacyMethods[operation],
    url: `http://code.example${legacyPath}${tails[operation]}`,
    body: bodies[operation],
  };
}

function currentRequest({ operation, conversation = 1, question = "words", method = "POST" }: CallSketch) {
  const name = nameOf(conversation);
  const bodies: Record<ConversationOperation, unknown> = {
    create: { parent: "users/~self", conversation: { questions: [asksFor(question)] } },
    get: { name },
    list: { parent: "users/~self" },
    "follow-up": { parent: name, question: asksFor(question) },
    cancel: { name },
    delete: { name },
  };
  return {
    method,
    url: `http://code.example${currentPath}/${currentProcedures[operation]}`,
    body: bodies[operation],
  };
}

const defaultHeaders: readonly HeaderField[] = [
  ["Content-Type", "application/json"],
  ["X-Requested-With", "assay 1.0.0"],
];

const defaults: Required<Pick<CallSketch, "id" | "interface" | "credential" | "headers" | "sentAtMicros" | "probe">> = {
  id: "1",
  interface: "legacy",
  credential: "access-token",
  headers: defaultHeaders,
  sentAtMicros: 0,
  probe: "test",
};

/** Returns a recorded exchange in the form in which it is read from a bundle. */
export function recordedCall(sketch: CallSketch): RecordedCall {
  const {
    id,
    interface: name,
    operation,
    credential,
    headers,
    sentAtMicros,
    session,
    unreadable,
    probe,
  } = {
    ...defaults,
    ...sketch,
  };
  const { body, ...request } = name === "legacy" ? legacyRequest(sketch) : currentRequest(sketch);
  const sentBody = textOf("body" in sketch ? sketch.body : body);
  return {
    record: {
      id,
      probe,
      interface: name,
      operation,
      credential,
      ...defined({ session }),
      request: { ...request, headers, ...(sentBody === "" ? {} : { body: sentBody }) },
      ...answered(sketch),
      times: { sentAtMicros, endedAtMicros: sketch.endedAtMicros ?? sentAtMicros + 1 },
    },
    body: Buffer.from(textOf(sketch.answer)),
    ...defined({ unreadable }),
  };
}

function answered({
  status = 200,
  contentType = "application/json",
  answerHeaders = [],
  cutBy,
  date,
}: CallSketch): Pick<ExchangeRecord, "response" | "end"> {
  const body = { sha256: "", bytes: 0, chunks: [] };
  return {
    ...(status === 0
      ? {}
      : {
          response: {
            status,
            headers: [
              ["Content-Type", contentType],
              ...(date === undefined ? [] : [["Date", date] as const]),
              ...answerHeaders,
            ],
            body,
          },
        }),
    end: cutBy === undefined ? { kind: "complete" } : { kind: "failed", code: "reset", message: cutBy },
  };
}

/**
 * Returns calls that were sent one after another: each is sent when the previous one has ended, and its id is its
 * number.
 */
export const recordedCalls = (sketches: readonly CallSketch[]): readonly RecordedCall[] =>
  sketches.map((sketch, index) =>
    recordedCall({
      id: String(index + 1),
      sentAtMicros: index * 1_000_000,
      endedAtMicros: index * 1_000_000 + 1_000,
      session: "main",
      ...sketch,
    }),
  );
