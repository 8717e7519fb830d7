/** An object of a payload, as it is taken apart. */
export type PayloadObject = Readonly<Record<string, unknown>>;

/** Whether a part of a payload is an object (not null, not an array). */
export const isPayloadObject = (value: unknown): value is PayloadObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a part of a payload is an array. */
export const isPayloadArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A payload that is remade from its inside, text by text and object by object; `name` is that of the member that it is. */
const remade = (
  value: unknown,
  remake: (part: string | PayloadObject, name: string) => unknown,
  name = "",
): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => remade(element, remake));
  }
  if (isPayloadObject(value)) {
    const members = Object.entries(value).map(([key, member]) => [key, remade(member, remake, key)] as const);
    return remake(Object.fromEntries(members), name);
  }
  return typeof value === "string" ? remake(value, name) : value;
};

/** A payload with its texts changed, at any depth. A text in an array is no member: its name is empty. */
export const withTexts = (value: unknown, change: (text: string, name: string) => string): unknown =>
  remade(value, (part, name) => (typeof part === "string" ? change(part, name) : part));

/** A payload with its objects changed, at any depth, from the inside; those in an array have no name. */
export const withObjects = (value: unknown, change: (data: PayloadObject, name: string) => PayloadObject): unknown =>
  remade(value, (part, name) => (typeof part === "string" ? part : change(part, name)));
