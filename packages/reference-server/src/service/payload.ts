/** A JSON object in a payload. */
export type PayloadObject = Readonly<Record<string, unknown>>;

/** Reports whether a part of a payload is an object (not null, not an array). */
export const isPayloadObject = (value: unknown): value is PayloadObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reports whether a part of a payload is an array. */
export const isPayloadArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Rebuilds a payload depth-first, children before parents. `name` is the name of the member, or empty for array elements. */
const rebuild = (
  value: unknown,
  rebuildPart: (part: string | PayloadObject, name: string) => unknown,
  name = "",
): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => rebuild(element, rebuildPart));
  }
  if (isPayloadObject(value)) {
    const members = Object.entries(value).map(([key, member]) => [key, rebuild(member, rebuildPart, key)] as const);
    return rebuildPart(Object.fromEntries(members), name);
  }
  return typeof value === "string" ? rebuildPart(value, name) : value;
};

/** Changes all strings in a payload at any depth. See `rebuild` for `name`. */
export const mapStrings = (value: unknown, change: (text: string, name: string) => string): unknown =>
  rebuild(value, (part, name) => (typeof part === "string" ? change(part, name) : part));

/** Changes all objects in a payload at any depth, inner ones first. See `rebuild` for `name`. */
export const mapObjects = (value: unknown, change: (data: PayloadObject, name: string) => PayloadObject): unknown =>
  rebuild(value, (part, name) => (typeof part === "string" ? part : change(part, name)));
