import { alertLevels, defined } from "@assay/contract";
import { isRecord } from "@assay/reading";
import type { JsonRecord } from "@assay/reading";

const informationalLevels: ReadonlySet<string> = new Set(["info", "information", "informational"]);
const severeLevels: ReadonlySet<string> = new Set(["warn", "warning", "error"]);
const documentedLevels: ReadonlySet<string> = new Set(alertLevels);

/** Maximum number of members read of one object, and of elements of one list. */
const maxMembers = 50;
/** Levels of nesting: the alert, the list of its messages, a message. */
const maxDepth = 3;

const isLevelWord = (word: string): boolean => informationalLevels.has(word) || severeLevels.has(word);

const nestedValues = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []).slice(0, maxMembers);

/**
 * Returns the level words in a value as the target spelled them: members of an object, and of the objects and lists in
 * it.
 */
function findLevels(value: unknown, depth = maxDepth): readonly string[] {
  if (typeof value === "string") {
    return value.length <= 20 && isLevelWord(value.trim().toLowerCase()) ? [value] : [];
  }
  return depth > 0 ? nestedValues(value).flatMap((inner) => findLevels(inner, depth - 1)) : [];
}

/** Returns the level words in an alert, in lower case. Returns none for an alert that is not an object. */
const levelWords = (alert: unknown): readonly string[] =>
  isRecord(alert) ? findLevels(alert).map((level) => level.trim().toLowerCase()) : [];

/**
 * Reports whether an alert is only informational: it contains a level, and no more severe one. Levels are info, warning
 * and error. Cut results are reported in `skipped`. Source: search-stream, section 7.
 */
export function isInformational(alert: unknown): boolean {
  const levels = levelWords(alert);
  return levels.length > 0 && levels.every((level) => informationalLevels.has(level));
}

/** Reports whether an alert has the level `error`. */
export const isError = (alert: unknown): boolean => levelWords(alert).includes("error");

/** Members that may contain the level of an alert. */
export const levelMembers = ["level", "severity"] as const;

/** A level of an alert that is not listed. */
export interface UnlistedLevel {
  /** The member that contains the level. Undefined if it is nested or has a different name. */
  readonly name?: string;
  readonly level: unknown;
}

/** A member of an alert at any depth. */
interface DeepMember {
  /** The name in lower case, without surrounding spaces. */
  readonly key: string;
  /** The name as sent. Undefined below the top level of the alert. */
  readonly name?: string;
  readonly value: unknown;
}

/** Returns the members of an object, and of the objects and lists in it, outer members first. */
function collectMembers(value: unknown, depth = maxDepth): readonly DeepMember[] {
  const members = isRecord(value)
    ? Object.entries(value)
        .slice(0, maxMembers)
        .map(([name, memberValue]) => ({ key: name.trim().toLowerCase(), name, value: memberValue }))
    : [];
  const innerMembers = depth > 0 ? nestedValues(value).flatMap((inner) => collectMembers(inner, depth - 1)) : [];
  return [...members, ...innerMembers.map((inner) => ({ key: inner.key, value: inner.value }))];
}

/** Reports whether a value is a listed level, or an object or list that contains one. */
const isListedLevel = (value: unknown): boolean => findLevels(value).some((level) => documentedLevels.has(level));

const toUnlistedLevel = ({ name, value }: DeepMember): UnlistedLevel => ({ ...defined({ name }), level: value });

/**
 * Returns the problem of an alert's level: `none` if the alert contains no level, or the first level that is not
 * spelled like a listed one. It returns undefined if there is no problem. Every member named `level`, at any depth,
 * must have a listed level, regardless of other members. There is one exception: if the alert's own level is listed,
 * nested `level` members that are not strings are ignored. Without a member of this name, any string may be the level.
 * Source: search-stream, section 7.
 */
export function findLevelProblem(alert: JsonRecord): UnlistedLevel | "none" | undefined {
  const members = collectMembers(alert);
  const membersNamedLevel = members.filter(({ key }) => key === "level");
  // If the alert itself has a listed level, a number in a nested object is not the level of a message.
  const hasListedLevel = membersNamedLevel.some(({ name, value }) => name !== undefined && isListedLevel(value));
  const isIgnored = ({ name, value }: DeepMember): boolean =>
    hasListedLevel && name === undefined && typeof value !== "string";
  const unlistedMember = membersNamedLevel.find((member) => !isListedLevel(member.value) && !isIgnored(member));
  if (unlistedMember !== undefined) {
    return toUnlistedLevel(unlistedMember);
  }
  const levels = findLevels(alert);
  if (levels.some((level) => documentedLevels.has(level))) {
    return undefined;
  }
  const severity = members.find(({ key }) => key === "severity");
  if (severity !== undefined) {
    return toUnlistedLevel(severity);
  }
  const [unlistedWord] = levels;
  return unlistedWord === undefined ? "none" : { level: unlistedWord };
}
