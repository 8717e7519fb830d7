/** The members of an unvalidated JSON object. */
export type JsonMembers = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is JsonMembers =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the members of a JSON object, or undefined for any other value. */
export const asMembers = (value: unknown): JsonMembers | undefined => (isMembers(value) ? value : undefined);

/** Parses a JSON object. Returns undefined for invalid JSON and for any other value. */
export const parseMembers = (text: string): JsonMembers | undefined => {
  try {
    return asMembers(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      return undefined;
    }
    throw cause;
  }
};

/** Reports whether a value is a safe integer of at least 0. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Reports whether a value is a finite number of at least 0. */
export const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

/** Parses counts by code. Drops members that are not counts, and codes that are too long or contain other characters. */
export const parseCounts = (value: unknown): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const [code, count] of Object.entries(asMembers(value) ?? {})) {
    if (isCount(count) && /^[\w .:-]{1,80}$/u.test(code) && code !== "__proto__") {
      counts[code] = count;
    }
  }
  return counts;
};
