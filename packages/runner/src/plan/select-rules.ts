import { HarnessError, nearestName, ruleIds, ruleRecord, ruleSince } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { nearestRule } from "./nearest-rule.ts";
import { isProfileName, profileNamed, profileNames } from "./profiles.ts";
import type { Profile } from "./profiles.ts";

/** The rules of a run, in the order of the catalogue, and which of them must be observed. */
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

function refuseEmpty(why: string): never {
  throw new HarnessError("empty-selection", `${why}, so there is nothing to judge; \`assay list\` shows all rules.`);
}

/** The part of a selection that is kept; fails with `empty-selection` and the reason when nothing is. */
function narrowed({ rules, mustTest }: Selection, isKept: (id: RuleId) => boolean, whyEmpty: string): Selection {
  const kept = rules.filter(isKept);
  return kept.length === 0 ? refuseEmpty(whyEmpty) : { rules: kept, mustTest: mustTest.filter(isKept) };
}

/** What a rule id says without its area: `done-is-last` of `stream/done-is-last`. */
const statementOf = (id: string): string => id.slice(id.indexOf("/") + 1);

/** The rules that one `--rule` means: an id, its last part alone, or the beginning of ids with `*` at the end. */
function idsMeant(pattern: string): readonly RuleId[] {
  if (pattern.endsWith("*")) {
    const beginning = pattern.slice(0, -1);
    const begun = ruleIds.filter((id) => id.startsWith(beginning) || statementOf(id).startsWith(beginning));
    // Also beside patterns that select something: who mistypes one of several would think that it was judged.
    return begun.length > 0 ? begun : refuseEmpty(`no rule begins as ${pattern} asks`);
  }
  const found = ruleIds.filter((id) => id === pattern || statementOf(id) === pattern);
  if (found.length === 0) {
    const near = nearestRule(pattern);
    const hint = near === undefined ? "" : `did you mean \`${near}\`? `;
    throw new HarnessError("unknown-rule", `there is no rule \`${pattern}\`; ${hint}\`assay list\` shows all rules.`);
  }
  return found;
}

/** Whether a rule is about one of these interfaces; how legacy and current go together needs both. */
export const isWithin = (id: RuleId, interfaces: ReadonlySet<string>): boolean => {
  const { interface: name } = ruleRecord(id);
  return name === "migration" ? interfaces.has("legacy") && interfaces.has("current") : interfaces.has(name);
};

/** The interfaces of the service that rules are about. */
export const judgedInterfaces = ["stream", "legacy", "current"] as const;
export type JudgedInterface = (typeof judgedInterfaces)[number];

/**
 * Narrows a selection to rules about some interfaces; how legacy and current go together needs both. Fails with
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

/** What a rule may be chosen by: its interface, its chapter, its operation, and what it rests on. */
const tagsOf = (id: RuleId): readonly string[] => {
  const { basis, chapter, interface: name, operation } = ruleRecord(id);
  return [name, chapter, operation, basis];
};

/** Every tag, in the order of the catalogue. */
export const ruleTags: readonly string[] = [...new Set(ruleIds.flatMap(tagsOf))];

/**
 * Narrows a selection to rules that have one of these tags. Fails with `usage` and the nearest name for what is no tag, and with
 * `empty-selection`.
 */
export function withTags(selection: Selection, tags: readonly string[]): Selection {
  const isTagged = hasOneOf(tags);
  return narrowed(selection, isTagged, `none of the rules has the tag ${tags.join(", ")}`);
}

/** What is left out of a selection. */
export interface LeftOut {
  /** As `selectRules` takes them. */
  readonly patterns: readonly string[];
  readonly tags: readonly string[];
}

/**
 * A selection without the rules that are named or have one of these tags. Fails as `selectRules` and `withTags` do for names that
 * do not exist, and with `empty-selection` when nothing is left.
 */
export function withoutRules(selection: Selection, { patterns, tags }: LeftOut): Selection {
  const named = new Set(patterns.flatMap((pattern) => idsMeant(pattern)));
  const isTagged = hasOneOf(tags);
  const isKept = (id: RuleId): boolean => !named.has(id) && !isTagged(id);
  return narrowed(selection, isKept, "every rule is left out");
}

/** Whether a rule has one of these tags. Fails with `usage` and the nearest name for what is no tag. */
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

/** Whether one version is later than another. */
function isLater(one: string, other: string): boolean {
  const others = numbersOf(other);
  const differences = numbersOf(one).map((number, index) => number - (others[index] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

/** A selection without the rules that a version did not have, and those. */
export interface OlderSelection extends Selection {
  readonly newer: readonly RuleId[];
}

/**
 * Narrows a selection to the rules that a version of Assay, such as `1.4.0`, had: a gate that names one does not turn red by a rule
 * that came later. Fails with `usage` for what is no version, and with `empty-selection`.
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
