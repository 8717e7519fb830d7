import { errorCodes } from "@assay/contract";
import type { ConversationRecord, QuestionOutcome, QuestionRecord, Source, WorkStats } from "../conversation-record.ts";
import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ListedPage, ListQuery, PagePosition } from "./list-query.ts";
import type { ConversationDatabase } from "./open-database.ts";
import { readRow } from "./row-reader.ts";

/** A condition of a WHERE clause and its parameters. */
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

const createCondition = (sql: string, ...values: readonly (string | number)[]): Condition => ({ sql, values });

const createVisibilityCondition = ({ readToken, sharing, viewerId }: ListQuery): Condition =>
  sharing && readToken !== undefined
    ? createCondition("(user_id = ? OR read_token = ?)", viewerId, readToken)
    : createCondition("user_id = ?", viewerId);

/** The column to sort by, and the direction. Ties are sorted by id in the same direction. */
const chooseOrder = ({ sort }: ListQuery): { readonly column: string; readonly descending: boolean } => {
  switch (sort) {
    case "id":
    case "-id":
      return { column: "id", descending: sort === "-id" };
    case "created_at":
    case "-created_at":
      return { column: "created_at", descending: sort === "-created_at" };
    case "updated_at":
    case "-updated_at":
      return { column: "updated_at", descending: sort === "-updated_at" };
  }
};

const createConditions = (query: ListQuery): readonly Condition[] => {
  const { after, contains, id, readToken, starred, userId } = query;
  const { column, descending } = chooseOrder(query);
  return [
    createVisibilityCondition(query),
    id === undefined ? undefined : createCondition("id = ?", id),
    userId === undefined ? undefined : createCondition("user_id = ?", userId),
    readToken === undefined ? undefined : createCondition("read_token = ?", readToken),
    starred === undefined ? undefined : createCondition("starred = ?", starred ? 1 : 0),
    contains === undefined
      ? undefined
      : createCondition(
          "EXISTS (SELECT 1 FROM questions WHERE conversation_id = conversations.id AND instr(lower(text), lower(?)) > 0)",
          // Text is stored as a JSON string, so the searched text is JSON-escaped too, without its quotes. SQLite
          // folds the case of ASCII letters only.
          JSON.stringify(contains).slice(1, -1),
        ),
    after === undefined
      ? undefined
      : createCondition(`(${column}, id) ${descending ? "<" : ">"} (?, ?)`, after.value, after.id),
  ].filter((part) => part !== undefined);
};

/** Reads one page, plus one row to find out whether there is a next page. */
const listConversations = (
  database: ConversationDatabase,
  query: ListQuery,
  find: (id: number) => ConversationRecord,
): ListedPage => {
  const conditions = createConditions(query);
  const { column, descending } = chooseOrder(query);
  const direction = descending ? "DESC" : "ASC";
  const where = conditions.map(({ sql }) => sql).join(" AND ");
  const values = conditions.flatMap((part) => part.values);
  const positions = database
    .prepare(
      `SELECT id, ${column} AS value FROM conversations WHERE ${where} ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`,
    )
    .all(...values, query.pageSize + 1)
    .map((row): PagePosition => ({ id: readRow(row).number("id"), value: readRow(row).number("value") }));
  const page = positions.slice(0, query.pageSize);
  const last = page.at(-1);
  return {
    conversations: page.map(({ id }) => find(id)),
    ...(positions.length > page.length && last !== undefined ? { next: last } : {}),
  };
};

const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOrZero = (value: unknown): number => (typeof value === "number" ? value : 0);
const objectOrEmpty = (value: unknown): PayloadObject => (isPayloadObject(value) ? value : {});
const listOrEmpty = (value: unknown): readonly unknown[] => (isPayloadArray(value) ? value : []);

const readStats = (value: unknown): WorkStats => {
  const stats = objectOrEmpty(value);
  return {
    timeMs: numberOrZero(stats["timeMs"]),
    toolCalls: numberOrZero(stats["toolCalls"]),
    inputTokens: numberOrZero(stats["inputTokens"]),
    promptTokens: numberOrZero(stats["promptTokens"]),
    completionTokens: numberOrZero(stats["completionTokens"]),
    credits: numberOrZero(stats["credits"]),
  };
};

const readSource = (value: unknown): Source => {
  const { label, link, type } = objectOrEmpty(value);
  return { type: textOrEmpty(type), link: textOrEmpty(link), label: textOrEmpty(label) };
};

const readCompleted = (stored: PayloadObject): QuestionOutcome => ({
  kind: "completed",
  title: textOrEmpty(stored["title"]),
  answer: textOrEmpty(stored["answer"]),
  sources: listOrEmpty(stored["sources"]).map(readSource),
  followups: listOrEmpty(stored["followups"]).map(textOrEmpty),
  stats: readStats(stored["stats"]),
});

const readFailed = (stored: PayloadObject): QuestionOutcome => {
  const { answer, retryAtMs } = stored;
  return {
    kind: "failed",
    title: textOrEmpty(stored["title"]),
    code: errorCodes.find((code) => code === stored["code"]) ?? "ERROR_INTERNAL",
    message: textOrEmpty(stored["message"]),
    ...(typeof retryAtMs === "number" ? { retryAtMs } : {}),
    ...(typeof answer === "string" ? { answer } : {}),
    stats: readStats(stored["stats"]),
  };
};

/**
 * Parses a stored outcome. Missing texts, numbers and lists default to empty values, a missing or unknown `code` to
 * `ERROR_INTERNAL`, and an unknown `kind` to `failed`.
 */
const parseOutcome = (value: unknown): QuestionOutcome => {
  const stored = objectOrEmpty(value);
  switch (stored["kind"]) {
    case "completed":
      return readCompleted(stored);
    case "canceled":
      return { kind: "canceled" };
    default:
      return readFailed(stored);
  }
};

export interface NewQuestion {
  readonly userId: number;
  readonly text: string;
  readonly nowMs: number;
  /** Id of a new conversation. Default: the next free one, which no conversation ever had. */
  readonly id?: number | undefined;
}

/** Conversations in a database. All functions are synchronous. */
export interface ConversationStore {
  /** Creates a conversation with its first question.  */
  create(question: NewQuestion, createReadToken: (id: number) => string): ConversationRecord;
  find(id: number): ConversationRecord | undefined;
  list(query: ListQuery): ListedPage;
  /** Adds a question in progress. */
  ask(conversationId: number, question: NewQuestion): void;
  /** Ends a question. Returns false if it is not in progress. */
  finish(questionId: number, outcome: QuestionOutcome, nowMs: number): boolean;
  delete(id: number): void;
  /** Returns false if there is no such conversation. */
  setStarred(id: number, starred: boolean): boolean;
  /** Returns the questions in progress, oldest first. */
  listUnfinishedQuestions(): readonly QuestionRecord[];
  /** Returns the number of questions that a user asked in a month such as `2024-01`, including those in deleted conversations. */
  countAskedQuestions(userId: number, month: string): number;
  /** Returns the number of conversations of all users. */
  countConversations(): number;
  close(): void;
}

const questionColumns = `questions.id, conversation_id, conversations.user_id, text, questions.created_at,
  questions.updated_at, outcome FROM questions JOIN conversations ON conversations.id = conversation_id`;

const readQuestion = (row: unknown): QuestionRecord => {
  const reader = readRow(row);
  const outcome = reader.json("outcome");
  return {
    id: reader.number("id"),
    conversationId: reader.number("conversation_id"),
    userId: reader.number("user_id"),
    text: String(reader.json("text")),
    createdAtMs: reader.number("created_at"),
    updatedAtMs: reader.number("updated_at"),
    ...(outcome === undefined ? {} : { outcome: parseOutcome(outcome) }),
  };
};

/** Formats the month of a time, such as `2024-01`. */
export const formatMonth = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7);

const createReader = (
  database: ConversationDatabase,
): Pick<ConversationStore, "find" | "listUnfinishedQuestions" | "countAskedQuestions" | "countConversations"> => {
  const selectConversation = database.prepare("SELECT * FROM conversations WHERE id = ?");
  const selectQuestions = database.prepare(`SELECT ${questionColumns} WHERE conversation_id = ? ORDER BY questions.id`);
  const selectUnfinished = database.prepare(`SELECT ${questionColumns} WHERE outcome IS NULL ORDER BY questions.id`);
  const selectQuestionCount = database.prepare("SELECT questions FROM asked WHERE user_id = ? AND month = ?");
  const selectConversationCount = database.prepare("SELECT count(*) AS number FROM conversations");
  return {
    find: (id) => {
      const row = selectConversation.get(id);
      if (row === undefined) {
        return undefined;
      }
      const reader = readRow(row);
      return {
        id,
        userId: reader.number("user_id"),
        readToken: reader.text("read_token"),
        starred: reader.number("starred") === 1,
        createdAtMs: reader.number("created_at"),
        updatedAtMs: reader.number("updated_at"),
        questions: selectQuestions.all(id).map(readQuestion),
      };
    },
    listUnfinishedQuestions: () => selectUnfinished.all().map(readQuestion),
    countAskedQuestions: (userId, month) => {
      const row = selectQuestionCount.get(userId, month);
      return row === undefined ? 0 : readRow(row).number("questions");
    },
    countConversations: () => readRow(selectConversationCount.get()).number("number"),
  };
};

type ConversationWriter = Pick<ConversationStore, "ask" | "finish" | "delete" | "setStarred"> & {
  readonly insert: (question: NewQuestion, createReadToken: (id: number) => string) => number;
};

const createWriter = (database: ConversationDatabase): ConversationWriter => {
  const prepareUpdate = (sql: string): ((...values: readonly (string | number)[]) => number) => {
    const statement = database.prepare(sql);
    return (...values) => statement.run(...values).changes;
  };
  // `max`, because the system clock may go backwards.
  const touch = prepareUpdate("UPDATE conversations SET updated_at = max(updated_at, ?) WHERE id = ?");
  const remove = prepareUpdate("DELETE FROM conversations WHERE id = ?");
  const star = prepareUpdate("UPDATE conversations SET starred = ? WHERE id = ?");
  const addQuestion = prepareUpdate(
    "INSERT INTO questions (conversation_id, text, created_at, updated_at) VALUES (?, ?, ?, ?)",
  );
  const incrementAskedCount = prepareUpdate(
    `INSERT INTO asked (user_id, month, questions) VALUES (?, ?, 1)
     ON CONFLICT (user_id, month) DO UPDATE SET questions = questions + 1`,
  );
  const endQuestion = prepareUpdate(
    "UPDATE questions SET outcome = ?, updated_at = max(updated_at, ?) WHERE id = ? AND outcome IS NULL",
  );
  const touchConversationOfQuestion = prepareUpdate(
    "UPDATE conversations SET updated_at = max(updated_at, ?) WHERE id = (SELECT conversation_id FROM questions WHERE id = ?)",
  );
  // The token depends on the id, which exists only after the row is inserted. The random value is a placeholder,
  // because `read_token` must be set and unique.
  const addConversation = database.prepare(
    "INSERT INTO conversations (id, user_id, read_token, created_at, updated_at) VALUES (?, ?, hex(randomblob(16)), ?, ?)",
  );
  const setToken = prepareUpdate("UPDATE conversations SET read_token = ? WHERE id = ?");
  const ask = (conversationId: number, { nowMs, text, userId }: NewQuestion): void => {
    addQuestion(conversationId, JSON.stringify(text), nowMs, nowMs);
    incrementAskedCount(userId, formatMonth(nowMs));
    touch(nowMs, conversationId);
  };
  return {
    insert: database.transaction((question: NewQuestion, createReadToken: (id: number) => string) => {
      const { nowMs, userId } = question;
      const id = Number(addConversation.run(question.id ?? null, userId, nowMs, nowMs).lastInsertRowid);
      setToken(createReadToken(id), id);
      ask(id, question);
      return id;
    }),
    ask: database.transaction(ask),
    finish: database.transaction((questionId: number, outcome: QuestionOutcome, nowMs: number) => {
      const hasEnded = endQuestion(JSON.stringify(outcome), nowMs, questionId) > 0;
      if (hasEnded) {
        touchConversationOfQuestion(nowMs, questionId);
      }
      return hasEnded;
    }),
    delete: (id) => void remove(id),
    setStarred: (id, starred) => star(starred ? 1 : 0, id) > 0,
  };
};

/** Creates the store of conversations in an open database. Closing the store closes the database. */
export const createConversationStore = (database: ConversationDatabase): ConversationStore => {
  const reader = createReader(database);
  const { insert, ...writer } = createWriter(database);
  const findOrThrow = (id: number): ConversationRecord => {
    const conversation = reader.find(id);
    if (conversation === undefined) {
      throw new Error("a conversation was deleted concurrently");
    }
    return conversation;
  };
  return {
    ...reader,
    ...writer,
    create: (question, readToken) => findOrThrow(insert(question, readToken)),
    list: (query) => listConversations(database, query, findOrThrow),
    close: () => void database.close(),
  };
};
