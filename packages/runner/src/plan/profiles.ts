import { profileNames, ruleIds, ruleRecord } from "@assay/contract";
import type { ProfileName, RuleId, RuleRecord } from "@assay/contract";

export { profileNames };
export type { ProfileName };

/** Chooses rules and says which of them must have been observed for a run to be green. */
export interface Profile {
  readonly name: ProfileName;
  /** One sentence for `--help` and `assay list`. */
  readonly purpose: string;
  readonly rules: readonly RuleId[];
  readonly mustTest: readonly RuleId[];
}

/** Whether a profile demands that a rule was observed; what a smaller one demands, it demands as well. */
const isDemanded = ({ demandedBy }: RuleRecord, profile: ProfileName): boolean =>
  demandedBy !== undefined && profileNames.indexOf(demandedBy) <= profileNames.indexOf(profile);

const demandedIn = (profile: ProfileName): readonly RuleId[] =>
  ruleIds.filter((id) => isDemanded(ruleRecord(id), profile));

/** Answered by what every run sends first: a few searches with the token it was given, and a conversation. */
const needsNoMore = (id: RuleId): boolean => {
  const record = ruleRecord(id);
  return record.interface === "stream"
    ? id === "stream/access-token-is-accepted" || record.searches.every((purpose) => purpose === "stream")
    : isDemanded(record, "smoke");
};

const profiles: Readonly<Record<ProfileName, Pick<Profile, "purpose" | "rules">>> = {
  smoke: {
    purpose: "is it up and is it the API: a few searches and one conversation of each interface, and their form",
    rules: ruleIds.filter(needsNoMore),
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

/** A profile by name; what it demands is written in the records of the rules. */
export const profileNamed = (name: ProfileName): Profile => ({
  name,
  ...profiles[name],
  mustTest: demandedIn(name),
});

/** Whether a word is the name of a profile. */
export const isProfileName = (word: string): word is ProfileName => (profileNames as readonly string[]).includes(word);
