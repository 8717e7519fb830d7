import { isRecord } from "@assay/contract";
import type { JsonRecord } from "@assay/contract";

const informing: ReadonlySet<string> = new Set(["info", "information", "informational"]);
const severe: ReadonlySet<string> = new Set(["warn", "warning", "error"]);

const maxMembers = 50;
const maxDepth = 2;

/** Values of an object's members, and of those of the objects in it, that are levels. */
function levelsIn(value: unknown, depth = maxDepth): readonly string[] {
  if (typeof value === "string") {
    const word = value.slice(0, 20).trim().toLowerCase();
    return informing.has(word) || severe.has(word) ? [word] : [];
  }
  const members = depth > 0 && isRecord(value) ? Object.values(value).slice(0, maxMembers) : [];
  return members.flatMap((member) => levelsIn(member, depth - 1));
}

/**
 * Whether an alert only informs: it has a level, wherever that stands, and no more severe one. Source: search-stream, section 7,
 * by which levels are info, warning and error, and what was cut off is told in `skipped`.
 */
export function isOnlyInforming(alert: unknown): boolean {
  const levels = isRecord(alert) ? levelsIn(alert) : [];
  return levels.length > 0 && levels.every((level) => informing.has(level));
}

/** Members that hold the level of an alert, where it has one. */
const levelMembers = ["level", "severity"] as const;

/**
 * The word that stands where an alert has its level and is none of those the document lists, however spelled; `undefined` when
 * another member tells a level, or nothing is a word. Source: search-stream, section 7.
 */
export function unlistedLevel(alert: JsonRecord): { readonly name: string; readonly level: string } | undefined {
  if (levelsIn(alert).length > 0) {
    return undefined;
  }
  const name = levelMembers.find((one) => Object.hasOwn(alert, one));
  const level = name === undefined ? undefined : alert[name];
  // A number, a code of one letter or an abbreviation may be any level.
  const isWord = typeof level === "string" && /^[A-Za-z]{4,20}$/u.test(level) && !/^(?:info|warn|err)/iu.test(level);
  return name !== undefined && isWord ? { name, level } : undefined;
}

/** Whether an alert says that it is an error, and not only a note or a warning. */
export const isError = (alert: unknown): boolean => isRecord(alert) && levelsIn(alert).includes("error");
