import { alertLevels, isRecord } from "@assay/contract";
import type { JsonRecord } from "@assay/contract";

const informing: ReadonlySet<string> = new Set(["info", "information", "informational"]);
const severe: ReadonlySet<string> = new Set(["warn", "warning", "error"]);
const listed: ReadonlySet<string> = new Set(alertLevels);

const maxMembers = 50;
/** An alert, the list of its messages, a message. */
const maxDepth = 3;

const isLevelWord = (word: string): boolean => informing.has(word) || severe.has(word);

const innerValues = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []).slice(0, maxMembers);

/** Texts among the members of an object, and of the objects and lists in it, that read as levels, as they are spelled. */
function levelsIn(value: unknown, depth = maxDepth): readonly string[] {
  if (typeof value === "string") {
    return value.length <= 20 && isLevelWord(value.trim().toLowerCase()) ? [value] : [];
  }
  return depth > 0 ? innerValues(value).flatMap((inner) => levelsIn(inner, depth - 1)) : [];
}

const levelWords = (alert: unknown): readonly string[] =>
  isRecord(alert) ? levelsIn(alert).map((level) => level.trim().toLowerCase()) : [];

/**
 * Whether an alert only informs: it has a level, wherever that stands, and no more severe one. Source: search-stream, section 7,
 * by which levels are info, warning and error, and what was cut off is told in `skipped`.
 */
export function isOnlyInforming(alert: unknown): boolean {
  const levels = levelWords(alert);
  return levels.length > 0 && levels.every((level) => informing.has(level));
}

/** Whether an alert says that it is an error, and not only a note or a warning. */
export const isError = (alert: unknown): boolean => levelWords(alert).includes("error");

/** Members that hold the level of an alert, where it has one. */
export const levelMembers = ["level", "severity"] as const;

/** The level of an alert that has none of the listed ones. */
export interface UnlistedLevel {
  /** The member of the alert that holds it; `undefined` where it stands deeper, or under another name. */
  readonly name?: string;
  readonly level: unknown;
}

/** The first member, at any depth, that is named as a level is. */
function namedLevel(value: unknown, depth = maxDepth): UnlistedLevel | undefined {
  const name = isRecord(value) ? levelMembers.find((one) => Object.hasOwn(value, one)) : undefined;
  if (isRecord(value) && name !== undefined) {
    return { name, level: value[name] };
  }
  for (const inner of depth > 0 ? innerValues(value) : []) {
    const found = namedLevel(inner, depth - 1);
    if (found !== undefined) {
      return { level: found.level };
    }
  }
  return undefined;
}

/**
 * What is wrong with the level of an alert: `none` where nothing in it is a level, and the level that it has where that is not spelled as
 * one of those that the document lists; `undefined` where any text in it is a listed level, wherever that stands. Source:
 * search-stream, section 7.
 */
export function wrongLevel(alert: JsonRecord): UnlistedLevel | "none" | undefined {
  const levels = levelsIn(alert);
  if (levels.some((level) => listed.has(level))) {
    return undefined;
  }
  const [otherwise] = levels;
  return namedLevel(alert) ?? (otherwise === undefined ? "none" : { level: otherwise });
}
