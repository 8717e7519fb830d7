import type { LoadArm } from "@assay/results";

/** Members of a JSON object that nobody has vouched for. */
export type JsonMembers = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is JsonMembers =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of a value, if it is a JSON object. */
export const membersOf = (value: unknown): JsonMembers | undefined => (isMembers(value) ? value : undefined);

/** The members of a JSON text; undefined when it is no JSON, or no object. */
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

/** Whether a value is a whole number from 0 that a double holds exactly. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Whether a value names an arm. */
export const isArm = (value: unknown): value is LoadArm => value === "a" || value === "b";

/** Whether a value is a number from 0. */
export const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

/** Counts by code: only members that are counts and whose names are short. */
export const countsOf = (value: unknown): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const [code, count] of Object.entries(membersOf(value) ?? {})) {
    if (isCount(count) && /^[\w .:-]{1,80}$/u.test(code) && code !== "__proto__") {
      counts[code] = count;
    }
  }
  return counts;
};
