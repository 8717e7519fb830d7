import { alertLevels, defined } from "@assay/contract";
import { isRecord } from "@assay/reading";
import type { JsonRecord } from "@assay/reading";

const informing: ReadonlySet<string> = new Set(["info", "information", "informational"]);
const severe: ReadonlySet<string> = new Set(["warn", "warning", "error"]);
const listed: ReadonlySet<string> = new Set(alertLevels);

const maxMembers = 50;
/** Depths: the alert, the list of its messages, a message. */
const maxDepth = 3;

const isLevelWord = (word: string): boolean => informing.has(word) || severe.has(word);

const innerValues = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []).slice(0, maxMembers);

/** Level words in a value, as spelled: members of an object, and of the objects and lists in it. */
function levelsIn(value: unknown, depth = maxDepth): readonly string[] {
  if (typeof value === "string") {
    return value.length <= 20 && isLevelWord(value.trim().toLowerCase()) ? [value] : [];
  }
  return depth > 0 ? innerValues(value).flatMap((inner) => levelsIn(inner, depth - 1)) : [];
}

const levelWords = (alert: unknown): readonly string[] =>
  isRecord(alert) ? levelsIn(alert).map((level) => level.trim().toLowerCase()) : [];

/**
 * Reports whether an alert is only informational: it has a level anywhere, and none that is more severe. Levels are
 * info, warning and error; cut results are reported in `skipped`. Source: search-stream, section 7.
 */
export function isInformational(alert: unknown): boolean {
  const levels = levelWords(alert);
  return levels.length > 0 && levels.every((level) => informing.has(level));
}

/** Reports whether an alert has the level `error`, not only info or warning. */
export const isError = (alert: unknown): boolean => levelWords(alert).includes("error");

/** Members that may hold the level of an alert. */
export const levelMembers = ["level", "severity"] as const;

/** A level of an alert that is not listed. */
export interface UnlistedLevel {
  /** The member of the alert with the level; undefined if it is deeper or has another name. */
  readonly name?: string;
  readonly level: unknown;
}

/** A member at any depth. `name` is undefined below the top level of the alert. */
interface DeepMember {
  readonly key: string;
  readonly name?: string;
  readonly level: unknown;
}

/** Members of an object, and of the objects and lists in it, outer ones first. */
function membersOf(value: unknown, depth = maxDepth): readonly DeepMember[] {
  const own = isRecord(value)
    ? Object.entries(value)
        .slice(0, maxMembers)
        .map(([name, level]) => ({ key: name.trim().toLowerCase(), name, level }))
    : [];
  const inner = depth > 0 ? innerValues(value).flatMap((each) => membersOf(each, depth - 1)) : [];
  return [...own, ...inner.map(({ key, level }) => ({ key, level }))];
}

/** Reports whether a value is a listed level, or an object or list that holds one. */
const isListedLevel = (value: unknown): boolean => levelsIn(value).some((level) => listed.has(level));

const unlistedLevel = ({ name, level }: DeepMember): UnlistedLevel => ({ ...defined({ name }), level });

/**
 * The problem of an alert's level: `none` if nothing in the alert is a level, or the first level that is not spelled
 * like a listed one; undefined if there is no problem. Every member named `level`, at any depth, must have a listed
 * level, whatever other members hold. Exception: if the alert's own level is listed, inner `level` members that are
 * not text are ignored. Without a member of this name, any text may be the level. Source: search-stream, section 7.
 */
export function levelProblem(alert: JsonRecord): UnlistedLevel | "none" | undefined {
  const members = membersOf(alert);
  const named = members.filter(({ key }) => key === "level");
  // If the alert itself has a listed level, a number in an inner object is not the level of a message.
  const hasOwn = named.some(({ name, level }) => name !== undefined && isListedLevel(level));
  const isOther = ({ name, level }: DeepMember): boolean => hasOwn && name === undefined && typeof level !== "string";
  const unlisted = named.find((member) => !isListedLevel(member.level) && !isOther(member));
  if (unlisted !== undefined) {
    return unlistedLevel(unlisted);
  }
  const levels = levelsIn(alert);
  if (levels.some((level) => listed.has(level))) {
    return undefined;
  }
  const severity = members.find(({ key }) => key === "severity");
  if (severity !== undefined) {
    return unlistedLevel(severity);
  }
  const [otherwise] = levels;
  return otherwise === undefined ? "none" : { level: otherwise };
}
