/** Members that have another name in version 2. */
const members: Readonly<Record<string, string>> = {
  sentences: "requirements",
  document: "specification",
  mustObserve: "mustTest",
  arm: "mutation",
  proven: "confirmed",
  obstacle: "blockedBy", // words: a name of version 1
  unseen: "partlyBlocked",
  gaps: "unspecified",
  gap: "behaviour",
  "not-observed": "not-tested",
  "could-not-run": "blocked",
  "unexpectedly-fixed": "fixed",
};

/** Values that have another name in version 2, by the members that hold them. */
const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  outcome: { "not-observed": "not-tested", "could-not-run": "blocked" },
  status: { "unexpectedly-fixed": "fixed" },
  code: { "must-observe": "must-test" },
  kind: { observation: "note" },
};

/** Members of other shapes that have the same name as one above. */
const isOther = (name: string, value: unknown): boolean =>
  (name === "arm" && (value === "a" || value === "b")) || (name === "unseen" && Array.isArray(value));

const renamed = (names: Readonly<Record<string, string>> | undefined, name: string): string =>
  names !== undefined && Object.hasOwn(names, name) ? (names[name] ?? name) : name;

function upgraded(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => upgraded(one));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      isOther(name, inner) ? name : renamed(members, name),
      typeof inner === "string" && Object.hasOwn(values, name) ? renamed(values[name], inner) : upgraded(inner),
    ]),
  );
}

const isVersion1 = (value: unknown): value is object =>
  typeof value === "object" && value !== null && "schemaVersion" in value && value.schemaVersion === 1;

/**
 * Converts a stored `verdicts.json`, `load.json` or `client.json` of schema version 1 to version 2. Returns any other value unchanged.
 * Validates nothing.
 */
export const fromVersion1 = (value: unknown): unknown =>
  isVersion1(value) ? { ...Object(upgraded(value)), schemaVersion: 2 } : value;
