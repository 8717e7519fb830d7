/** An object of a payload, as it is taken apart. */
export type PayloadObject = Readonly<Record<string, unknown>>;

/** Whether a part of a payload is an object (not null, not an array). */
export const isPayloadObject = (value: unknown): value is PayloadObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a part of a payload is an array. */
export const isPayloadArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
