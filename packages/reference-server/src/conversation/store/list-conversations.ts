import type { ConversationRecord } from "../conversation-record.ts";
import type { ListedPage, ListQuery, PagePosition } from "./list-query.ts";
import type { ConversationDatabase } from "./open-database.ts";
import { readRow } from "./row-reader.ts";

/** A part of a WHERE clause with its values. */
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

const condition = (sql: string, ...values: readonly (string | number)[]): Condition => ({ sql, values });

const visibleTo = ({ readToken, shared, viewerId }: ListQuery): Condition =>
  shared && readToken !== undefined
    ? condition("(user_id = ? OR read_token = ?)", viewerId, readToken)
    : condition("user_id = ?", viewerId);

/** The column that is sorted by, and the direction; the id decides between equals, in the same direction. */
const orderOf = ({ sort }: ListQuery): { readonly column: string; readonly descending: boolean } => {
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

const conditionsOf = (query: ListQuery): readonly Condition[] => {
  const { after, contains, id, readToken, starred, userId } = query;
  const { column, descending } = orderOf(query);
  return [
    visibleTo(query),
    id === undefined ? undefined : condition("id = ?", id),
    userId === undefined ? undefined : condition("user_id = ?", userId),
    readToken === undefined ? undefined : condition("read_token = ?", readToken),
    starred === undefined ? undefined : condition("starred = ?", starred ? 1 : 0),
    contains === undefined
      ? undefined
      : condition(
          "EXISTS (SELECT 1 FROM questions WHERE conversation_id = conversations.id AND instr(lower(text), lower(?)) > 0)",
          // The same form that the text has in the database, without its quotes.
          JSON.stringify(contains).slice(1, -1),
        ),
    after === undefined
      ? undefined
      : condition(`(${column}, id) ${descending ? "<" : ">"} (?, ?)`, after.value, after.id),
  ].filter((part) => part !== undefined);
};

/** One page. Reads one conversation more than fits, to know whether there is a next page. */
export const listConversations = (
  database: ConversationDatabase,
  query: ListQuery,
  find: (id: number) => ConversationRecord,
): ListedPage => {
  const conditions = conditionsOf(query);
  const { column, descending } = orderOf(query);
  const direction = descending ? "DESC" : "ASC";
  const where = conditions.map(({ sql }) => sql).join(" AND ");
  const values = conditions.flatMap((part) => part.values);
  const positions = database
    .prepare(
      `SELECT id, ${column} AS value FROM conversations WHERE ${where} ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`,
    )
    .all(...values, query.pageSize + 1)
    .map((row): PagePosition => ({ id: readRow(row).number("id"), value: readRow(row).number("value") }));
  const shown = positions.slice(0, query.pageSize);
  const last = shown.at(-1);
  return {
    conversations: shown.map(({ id }) => find(id)),
    ...(positions.length > shown.length && last !== undefined ? { next: last } : {}),
  };
};
