/**
 * Schema keywords that a value can violate; the argument is the JSON pointer, such as `/questions` or `/sources/link`,
 * without indices.
 */
export const schemaKeywords = [
  "type",
  "required",
  "enum",
  "const",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "minProperties",
  "maxProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "dependentRequired",
  "discriminator",
  "anyOf",
  "oneOf",
  "not",
  "if",
] as const;

/** How a search differs from one that must find the same: it finds less, more, or both. */
export const otherResults = ["finds-less", "finds-more", "finds-other-things"] as const;

/**
 * A request that was wrongly accepted or refused; the argument is operation, parameters and status: `list?sort:400`.
 */
export const answers = ["accepted", "refused", "elsewhere"] as const;

/** A transition that the state table does not have. */
export const transitionCodes = ["backward-transition", "unlisted-transition", "incomparable-ends"] as const;

/** Questions that changed their position. */
export const orderCodes = ["question-lost", "question-reordered", "question-duplicated"] as const;

/** A question whose text changed, or was never the text that was asked. */
export const asAsked = ["question-text-changed", "not-as-asked"] as const;

/** A value outside a closed list; the argument is the value. */
export const unlisted = ["unlisted"] as const;

/** A member that is present too early, or missing too late; the argument is the member. */
export const gate = ["has", "lacks"] as const;
