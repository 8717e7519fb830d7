import { HarnessError, isHarnessError } from "@assay/contract";
import Database from "libsql";

/** An open SQLite database. */
export type ConversationDatabase = Database.Database;

/** Strings are stored as JSON, because SQLite strings end at a NUL character and cannot contain lone surrogates. */
const createTablesSql = `
  CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    read_token TEXT NOT NULL UNIQUE,
    starred INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX conversations_of_user ON conversations (user_id, updated_at, id);
  CREATE TABLE questions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    outcome TEXT
  );
  CREATE INDEX questions_of_conversation ON questions (conversation_id, id);
  CREATE INDEX questions_in_progress ON questions (id) WHERE outcome IS NULL;
  CREATE TABLE asked (
    user_id INTEGER NOT NULL,
    month TEXT NOT NULL,
    questions INTEGER NOT NULL,
    PRIMARY KEY (user_id, month)
  );
  PRAGMA user_version = 1;
`;

const readVersion = (database: ConversationDatabase): unknown => {
  const row: unknown = database.prepare("PRAGMA user_version").get();
  return typeof row === "object" && row !== null && "user_version" in row ? row.user_version : undefined;
};

const prepareDatabase = (database: ConversationDatabase, path: string): void => {
  database.exec("PRAGMA foreign_keys = ON");
  const version = readVersion(database);
  if (version === 0) {
    database.exec(`BEGIN IMMEDIATE; ${createTablesSql} COMMIT;`);
  } else if (version !== 1) {
    throw new HarnessError(
      "cannot-open-database",
      `${path} was written by another version (${String(version)}) of the server; choose a different file or remove it.`,
    );
  }
};

/**
 * Opens the database of conversations, creating it if absent. `:memory:` is private to the server and ends with it. Throws
 * `cannot-open-database`.
 */
export const openDatabase = (path: string): ConversationDatabase => {
  let database: ConversationDatabase | undefined;
  try {
    database = new Database(path);
    prepareDatabase(database, path);
    return database;
  } catch (error) {
    database?.close();
    if (isHarnessError(error)) {
      throw error;
    }
    throw new HarnessError(
      "cannot-open-database",
      `the database ${path} cannot be opened or is not an SQLite database; choose a file in an existing folder, or omit the option.`,
      { cause: error },
    );
  }
};
