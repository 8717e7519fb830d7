import { HarnessError, nearestName, ruleIds, ruleRecord, ruleSince } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { findNearestRule } from "./nearest-rule.ts";
import { isProfileName, getProfile, profileNames } from "./profiles.ts";
import type { Profile } from "./profiles.ts";

/** The rules of a run, in catalogue order, and the ones that must be tested. */
export interface Selection {
  readonly rules: readonly RuleId[];
  readonly mustTest: readonly RuleId[];
}

/** Finds a profile by user input. Fails with `unknown-profile`. */
export function findProfile(name: string): Profile {
  if (isProfileName(name)) {
    return getProfile(name);
  }
  const nearestProfile = nearestName(name, profileNames);
  const hint = nearestProfile === undefined ? "" : `did you mean \`${nearestProfile}\`? `;
  throw new HarnessError(
    "unknown-profile",
    `there is no profile \`${name}\`; ${hint}profiles are ${profileNames.join(", ")}.`,
  );
}

function rejectEmpty(reason: string): never {
  throw new HarnessError("empty-selection", `${reason}, so there is nothing to judge; \`assay list\` shows all rules.`);
}

/** Filters a selection. Fails with `empty-selection` and `reasonIfEmpty` if no rule remains. */
function filterSelection(
  { rules, mustTest }: Selection,
  isIncluded: (id: RuleId) => boolean,
  reasonIfEmpty: string,
): Selection {
  const filteredRules = rules.filter(isIncluded);
  return filteredRules.length === 0
    ? rejectEmpty(reasonIfEmpty)
    : { rules: filteredRules, mustTest: mustTest.filter(isIncluded) };
}

/** Returns a rule id without its area, such as `done-is-last` for `stream/done-is-last`. */
const withoutArea = (id: string): string => id.slice(id.indexOf("/") + 1);

/** Returns the rules that one `--rule` selects: an id, the last part of an id, or a prefix followed by `*`. */
function matchIds(pattern: string): readonly RuleId[] {
  if (pattern.endsWith("*")) {
    const beginning = pattern.slice(0, -1);
    const matches = ruleIds.filter((id) => id.startsWith(beginning) || withoutArea(id).startsWith(beginning));
    // Fails even if other patterns match, so that typos do not go unnoticed.
    return matches.length > 0 ? matches : rejectEmpty(`no rule matches ${pattern}`);
  }
  const matches = ruleIds.filter((id) => id === pattern || withoutArea(id) === pattern);
  if (matches.length === 0) {
    const nearestRule = findNearestRule(pattern);
    const hint = nearestRule === undefined ? "" : `did you mean \`${nearestRule}\`? `;
    throw new HarnessError("unknown-rule", `unknown rule \`${pattern}\`; ${hint}\`assay list\` shows all rules.`);
  }
  return matches;
}

/** Reports whether a rule tests one of `interfaces`. Rules that compare legacy and current require both. */
export const testsInterfaces = (id: RuleId, interfaces: ReadonlySet<string>): boolean => {
  const { interface: name } = ruleRecord(id);
  return name === "migration" ? interfaces.has("legacy") && interfaces.has("current") : interfaces.has(name);
};

/** The interfaces of the service that have rules. */
export const judgedInterfaces = ["stream", "legacy", "current"] as const;
export type JudgedInterface = (typeof judgedInterfaces)[number];

/**
 * Limits a selection to rules that test `interfaces`. Rules that compare legacy and current require both. Fails with
 * `empty-selection`.
 */
export function limitToInterfaces(selection: Selection, interfaces: ReadonlySet<JudgedInterface>): Selection {
  const reason = `none of the rules is about the interface ${[...interfaces].join(", ")}`;
  return filterSelection(selection, (id) => testsInterfaces(id, interfaces), reason);
}

/**
 * Limits a profile to the rules that match `patterns`. If `patterns` is undefined, selects the whole profile. Matching rules that are not
 * in the profile are added. Fails with `unknown-rule` and the nearest name, or with `empty-selection`.
 */
export function selectRules(profile: Profile, patterns: readonly string[] | undefined): Selection {
  if (patterns === undefined) {
    return profile;
  }
  const selectedIds = new Set(patterns.flatMap((pattern) => matchIds(pattern)));
  if (selectedIds.size === 0) {
    return rejectEmpty("no rule was named");
  }
  return {
    rules: ruleIds.filter((id) => selectedIds.has(id)),
    mustTest: profile.mustTest.filter((id) => selectedIds.has(id)),
  };
}

/** Returns the tags of a rule: its interface, chapter, operation and basis. */
const listTags = (id: RuleId): readonly string[] => {
  const { basis, chapter, interface: name, operation } = ruleRecord(id);
  return [name, chapter, operation, basis];
};

/** All tags, in catalogue order. */
export const ruleTags: readonly string[] = [...new Set(ruleIds.flatMap(listTags))];

/**
 * Limits a selection to rules that have one of `tags`. Fails with `usage` and the nearest tag if a tag does not exist, and with
 * `empty-selection`.
 */
export function limitToTags(selection: Selection, tags: readonly string[]): Selection {
  const isTagged = createTagFilter(tags);
  return filterSelection(selection, isTagged, `none of the rules has the tag ${tags.join(", ")}`);
}

/** Rules to exclude from a selection. */
export interface ExcludedRules {
  /** Patterns, in the form that `selectRules` accepts. */
  readonly patterns: readonly string[];
  readonly tags: readonly string[];
}

/**
 * Excludes rules that match `patterns` or have one of `tags`. Fails like `selectRules` and `limitToTags` for names that do not exist, and
 * with `empty-selection` if no rule remains.
 */
export function excludeRules(selection: Selection, { patterns, tags }: ExcludedRules): Selection {
  const excludedIds = new Set(patterns.flatMap((pattern) => matchIds(pattern)));
  const isTagged = createTagFilter(tags);
  const isIncluded = (id: RuleId): boolean => !excludedIds.has(id) && !isTagged(id);
  return filterSelection(selection, isIncluded, "every rule is left out");
}

/** Returns a filter for rules that have one of `tags`. Fails with `usage` and the nearest tag if a tag does not exist. */
function createTagFilter(tags: readonly string[]): (id: RuleId) => boolean {
  const unknownTag = tags.find((tag) => !ruleTags.includes(tag));
  if (unknownTag !== undefined) {
    const nearestTag = nearestName(unknownTag, ruleTags);
    const hint = nearestTag === undefined ? "" : `did you mean \`${nearestTag}\`? `;
    throw new HarnessError(
      "usage",
      `no rule has the tag \`${unknownTag.slice(0, 80)}\`; ${hint}tags are ${ruleTags.join(", ")}`,
    );
  }
  return (id) => listTags(id).some((tag) => tags.includes(tag));
}

const parseVersion = (version: string): readonly number[] => version.split(".").map(Number);

function isLaterVersion(version: string, baseVersion: string): boolean {
  const baseNumbers = parseVersion(baseVersion);
  const differences = parseVersion(version).map((number, index) => number - (baseNumbers[index] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

/** The rules that existed in an earlier version, and the newer rules that were excluded. */
export interface OlderSelection extends Selection {
  readonly newerRules: readonly RuleId[];
}

/**
 * Limits a selection to the rules that existed in a version of Assay such as `1.4.0`, so that an upgrade cannot fail a gate by adding
 * rules. Fails with `usage` if `version` is invalid, and with `empty-selection`.
 */
export function limitToVersion(
  selection: Selection,
  version: string,
  getFirstVersion: (id: RuleId) => string = ruleSince,
): OlderSelection {
  if (!/^\d{1,6}\.\d{1,6}\.\d{1,6}$/u.test(version)) {
    throw new HarnessError(
      "usage",
      `"${version.slice(0, 40)}" is no version of Assay; --rules-as-of takes one such as 0.1.0`,
    );
  }
  const existedInVersion = (id: RuleId): boolean => !isLaterVersion(getFirstVersion(id), version);
  return {
    ...filterSelection(selection, existedInVersion, `version ${version} had none of the rules`),
    newerRules: selection.rules.filter((id) => !existedInVersion(id)),
  };
}
