import { HarnessError, nearestName, ruleIds, ruleRecord, ruleSince } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { nearestRule } from "./nearest-rule.ts";
import { isProfileName, profileNamed, profileNames } from "./profiles.ts";
import type { Profile } from "./profiles.ts";

/** The rules of a run, in catalogue order, and which of them must be tested. */
export interface Selection {
  readonly rules: readonly RuleId[];
  readonly mustTest: readonly RuleId[];
}

/** A profile by a name that a person typed. Fails with `unknown-profile`. */
export function findProfile(name: string): Profile {
  if (isProfileName(name)) {
    return profileNamed(name);
  }
  const near = nearestName(name, profileNames);
  const hint = near === undefined ? "" : `did you mean \`${near}\`? `;
  throw new HarnessError(
    "unknown-profile",
    `there is no profile \`${name}\`; ${hint}profiles are ${profileNames.join(", ")}.`,
  );
}

function refuseEmpty(reason: string): never {
  throw new HarnessError("empty-selection", `${reason}, so there is nothing to judge; \`assay list\` shows all rules.`);
}

/** The rules of a selection that pass a filter. Fails with `empty-selection` and the reason if there are none. */
function narrowed({ rules, mustTest }: Selection, isKept: (id: RuleId) => boolean, reasonIfEmpty: string): Selection {
  const kept = rules.filter(isKept);
  return kept.length === 0 ? refuseEmpty(reasonIfEmpty) : { rules: kept, mustTest: mustTest.filter(isKept) };
}

/** A rule id without its area: `done-is-last` for `stream/done-is-last`. */
const statementOf = (id: string): string => id.slice(id.indexOf("/") + 1);

/** The rules that one `--rule` selects: an id, its last part alone, or a prefix with `*` at the end. */
function idsMeant(pattern: string): readonly RuleId[] {
  if (pattern.endsWith("*")) {
    const beginning = pattern.slice(0, -1);
    const begun = ruleIds.filter((id) => id.startsWith(beginning) || statementOf(id).startsWith(beginning));
    // Fails even if other patterns select rules: otherwise a typo in one of several would go unnoticed.
    return begun.length > 0 ? begun : refuseEmpty(`no rule matches ${pattern}`);
  }
  const found = ruleIds.filter((id) => id === pattern || statementOf(id) === pattern);
  if (found.length === 0) {
    const near = nearestRule(pattern);
    const hint = near === undefined ? "" : `did you mean \`${near}\`? `;
    throw new HarnessError("unknown-rule", `there is no rule \`${pattern}\`; ${hint}\`assay list\` shows all rules.`);
  }
  return found;
}

/** True if a rule is about one of these interfaces. Rules that compare legacy and current need both. */
export const isWithin = (id: RuleId, interfaces: ReadonlySet<string>): boolean => {
  const { interface: name } = ruleRecord(id);
  return name === "migration" ? interfaces.has("legacy") && interfaces.has("current") : interfaces.has(name);
};

/** The interfaces of the service that have rules. */
export const judgedInterfaces = ["stream", "legacy", "current"] as const;
export type JudgedInterface = (typeof judgedInterfaces)[number];

/**
 * Narrows a selection to rules about some interfaces. Rules that compare legacy and current need both. Fails with
 * `empty-selection`.
 */
export function withinInterfaces(selection: Selection, interfaces: ReadonlySet<JudgedInterface>): Selection {
  const why = `none of the rules is about the interface ${[...interfaces].join(", ")}`;
  return narrowed(selection, (id) => isWithin(id, interfaces), why);
}

/**
 * Narrows a profile to the rules named on the command line; without any (`undefined`), the whole profile. A rule that is
 * named but not in the profile is added. Fails with `unknown-rule` and the nearest name, or with `empty-selection`.
 */
export function selectRules(profile: Profile, patterns: readonly string[] | undefined): Selection {
  if (patterns === undefined) {
    return profile;
  }
  const named = new Set(patterns.flatMap((pattern) => idsMeant(pattern)));
  if (named.size === 0) {
    return refuseEmpty("no rule was named");
  }
  return {
    rules: ruleIds.filter((id) => named.has(id)),
    mustTest: profile.mustTest.filter((id) => named.has(id)),
  };
}

/** Tags of a rule: its interface, chapter, operation and basis. */
const tagsOf = (id: RuleId): readonly string[] => {
  const { basis, chapter, interface: name, operation } = ruleRecord(id);
  return [name, chapter, operation, basis];
};

/** Every tag, in the order of the catalogue. */
export const ruleTags: readonly string[] = [...new Set(ruleIds.flatMap(tagsOf))];

/**
 * Narrows a selection to rules that have one of these tags. Fails with `usage` and the nearest tag if one does not exist, and with
 * `empty-selection`.
 */
export function withTags(selection: Selection, tags: readonly string[]): Selection {
  const isTagged = hasOneOf(tags);
  return narrowed(selection, isTagged, `none of the rules has the tag ${tags.join(", ")}`);
}

/** Rules to leave out of a selection. */
export interface LeftOut {
  /** As `selectRules` takes them. */
  readonly patterns: readonly string[];
  readonly tags: readonly string[];
}

/**
 * A selection without the named rules and those with one of these tags. Fails as `selectRules` and `withTags` do for names that
 * do not exist, and with `empty-selection` if no rule remains.
 */
export function withoutRules(selection: Selection, { patterns, tags }: LeftOut): Selection {
  const named = new Set(patterns.flatMap((pattern) => idsMeant(pattern)));
  const isTagged = hasOneOf(tags);
  const isKept = (id: RuleId): boolean => !named.has(id) && !isTagged(id);
  return narrowed(selection, isKept, "every rule is left out");
}

/** A filter for rules that have one of these tags. Fails with `usage` and the nearest tag if one does not exist. */
function hasOneOf(tags: readonly string[]): (id: RuleId) => boolean {
  const unknown = tags.find((tag) => !ruleTags.includes(tag));
  if (unknown !== undefined) {
    const near = nearestName(unknown, ruleTags);
    const hint = near === undefined ? "" : `did you mean \`${near}\`? `;
    throw new HarnessError(
      "usage",
      `no rule has the tag \`${unknown.slice(0, 80)}\`; ${hint}tags are ${ruleTags.join(", ")}`,
    );
  }
  return (id) => tagsOf(id).some((tag) => tags.includes(tag));
}

const numbersOf = (version: string): readonly number[] => version.split(".").map(Number);

function isLater(one: string, other: string): boolean {
  const others = numbersOf(other);
  const differences = numbersOf(one).map((number, index) => number - (others[index] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

/** A selection with the rules that a version had, and the newer rules that were left out. */
export interface OlderSelection extends Selection {
  readonly newer: readonly RuleId[];
}

/**
 * Narrows a selection to the rules that a version of Assay, such as `1.4.0`, had, so that an upgrade does not fail a gate by adding
 * rules. Fails with `usage` if the text is not a version, and with `empty-selection`.
 */
export function rulesAsOf(
  selection: Selection,
  version: string,
  since: (id: RuleId) => string = ruleSince,
): OlderSelection {
  if (!/^\d{1,6}\.\d{1,6}\.\d{1,6}$/u.test(version)) {
    throw new HarnessError(
      "usage",
      `"${version.slice(0, 40)}" is no version of Assay; --rules-as-of takes one such as 0.1.0`,
    );
  }
  const isOld = (id: RuleId): boolean => !isLater(since(id), version);
  return {
    ...narrowed(selection, isOld, `version ${version} had none of the rules`),
    newer: selection.rules.filter((id) => !isOld(id)),
  };
}
