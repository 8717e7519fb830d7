import { profileNames, ruleIds, ruleRecord } from "@assay/contract";
import type { ProfileName, RuleId, RuleRecord } from "@assay/contract";

export { profileNames };
export type { ProfileName };

/** A selection of rules, and the rules that must be tested for a run to pass. */
export interface Profile {
  readonly name: ProfileName;
  /** One sentence for `--help` and `assay list`. */
  readonly purpose: string;
  readonly rules: readonly RuleId[];
  readonly mustTest: readonly RuleId[];
}

/** Reports whether a profile requires that the rule is tested. Larger profiles include the requirements of smaller ones. */
const isRequiredBy = ({ demandedBy }: RuleRecord, profile: ProfileName): boolean =>
  demandedBy !== undefined && profileNames.indexOf(demandedBy) <= profileNames.indexOf(profile);

const listRequiredRules = (profile: ProfileName): readonly RuleId[] =>
  ruleIds.filter((id) => isRequiredBy(ruleRecord(id), profile));

/** Reports whether the first requests of every run are sufficient to test the rule: a few searches with the main token, and one conversation. */
const isTestedByFirstRequests = (id: RuleId): boolean => {
  const record = ruleRecord(id);
  return record.interface === "stream"
    ? id === "stream/access-token-is-accepted" || record.searches.every((purpose) => purpose === "stream")
    : isRequiredBy(record, "smoke");
};

const profiles: Readonly<Record<ProfileName, Pick<Profile, "purpose" | "rules">>> = {
  smoke: {
    purpose: "is it up and is it the API: a few searches and one conversation of each interface, and their form",
    rules: ruleIds.filter(isTestedByFirstRequests),
  },
  gate: {
    purpose:
      "the default: every rule; what searches that find something and answered questions show must have been seen",
    rules: ruleIds,
  },
  release: {
    purpose: "every rule; parameters, filters, limits, lists, follow-ups and cancellations must have been seen too",
    rules: ruleIds,
  },
};

/** Returns a profile by name. The record of a rule defines which profiles require it. */
export const getProfile = (name: ProfileName): Profile => ({
  name,
  ...profiles[name],
  mustTest: listRequiredRules(name),
});

export const isProfileName = (word: string): word is ProfileName => (profileNames as readonly string[]).includes(word);
