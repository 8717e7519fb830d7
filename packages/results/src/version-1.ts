import { readStoredSide, readStoredTargets } from "@assay/contract";
import { member } from "@assay/reading";

/** Members with a different name in version 2. */
const renamedMembers: Readonly<Record<string, string>> = {
  sentences: "requirements",
  document: "specification",
  mustObserve: "mustTest",
  arm: "mutation",
  proven: "confirmed",
  obstacle: "blockedBy", // words: a name of version 1
  unseen: "partlyBlocked",
  gaps: "unspecified",
  gap: "behaviour",
  stands: "decisive",
  later: "censored",
  isLater: "isCensored",
  baseIsLater: "baseIsCensored",
  headIsLater: "headIsCensored",
  "not-observed": "not-tested",
  "could-not-run": "blocked",
  "unexpectedly-fixed": "fixed",
};

/** Values with a different name in version 2, by member. */
const renamedValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  outcome: { "not-observed": "not-tested", "could-not-run": "blocked" },
  status: { "unexpectedly-fixed": "fixed" },
  code: { "must-observe": "must-test" },
  kind: { observation: "note" },
  check: { "arms-end-alike": "sides-end-alike" },
};

/** Reports whether a member has a name of `renamedMembers` but a different shape. */
const isUnrelatedMember = (name: string, value: unknown): boolean => name === "unseen" && Array.isArray(value);

const upgradeName = (names: Readonly<Record<string, string>> | undefined, name: string): string =>
  names !== undefined && Object.hasOwn(names, name) ? (names[name] ?? name) : name;

function upgradeMember(name: string, value: unknown): readonly [string, unknown] {
  const side = readStoredSide({ [name]: value });
  if (side !== undefined) {
    return ["side", side];
  }
  return [
    isUnrelatedMember(name, value) ? name : upgradeName(renamedMembers, name),
    typeof value === "string" && Object.hasOwn(renamedValues, name)
      ? upgradeName(renamedValues[name], value)
      : upgradeValue(value),
  ];
}

function upgradeValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => upgradeValue(element));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, memberValue]) => upgradeMember(name, memberValue)));
}

const isVersion1 = (value: unknown): value is object =>
  typeof value === "object" && value !== null && "schemaVersion" in value && value.schemaVersion === 1;

/**
 * Converts a stored plan of version 1, whose targets are called `a` and `b`, to version 2. Returns any other value
 * unchanged. Validates nothing.
 */
export const upgradePlanFromVersion1 = (plan: unknown): unknown =>
  typeof plan === "object" && plan !== null && "version" in plan && plan.version === 1
    ? { ...plan, version: 2, targets: readStoredTargets("targets" in plan ? plan.targets : undefined) }
    : plan;

/**
 * Converts a stored `verdicts.json`, `load.json` or `client.json` of schema version 1 to version 2. Returns any other value unchanged.
 * Validates nothing.
 */
export const upgradeFromVersion1 = (value: unknown): unknown =>
  isVersion1(value)
    ? {
        ...Object(upgradeValue(value)),
        schemaVersion: 2,
        ...("plan" in value ? { plan: upgradePlanFromVersion1(value.plan) } : {}),
      }
    : value;

/** Returns the schema version of a value from `upgradeFromVersion1` if this program does not read it. Undefined for 2, and without a version. */
export const findUnreadableVersion = (value: unknown): number | undefined => {
  const version = member(value, "schemaVersion");
  return typeof version === "number" && version !== 2 ? version : undefined;
};
