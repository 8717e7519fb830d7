/** Members of a JSON object that was not validated. */
export type JsonMembers = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is JsonMembers =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of a JSON object; undefined for other values. */
export const membersOf = (value: unknown): JsonMembers | undefined => (isMembers(value) ? value : undefined);

/** The members of a JSON text; undefined if it is not a JSON object. */
export const parseMembers = (text: string): JsonMembers | undefined => {
  try {
    return membersOf(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      return undefined;
    }
    throw cause;
  }
};

/** True for a safe integer from 0. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** True for a finite number from 0. */
export const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

/** Counts by code. Members with other values or long names are dropped. */
export const countsOf = (value: unknown): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const [code, count] of Object.entries(membersOf(value) ?? {})) {
    if (isCount(count) && /^[\w .:-]{1,80}$/u.test(code) && code !== "__proto__") {
      counts[code] = count;
    }
  }
  return counts;
};
