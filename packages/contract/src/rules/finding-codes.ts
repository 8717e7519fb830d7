/** What a value may not meet of a schema; the argument is the place, such as `/questions` or `/sources/link`, without indices. */
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

/** How a search differs from one that has to find the same: it finds less, more, or both. */
export const otherResults = ["finds-less", "finds-more", "finds-other-things"] as const;

/** A request that had to be accepted or refused and was not; the argument is operation, parameters and status: `list?sort:400`. */
export const answers = ["accepted", "refused", "elsewhere"] as const;

/** A change that the table of states does not have. */
export const transitionCodes = ["backward-transition", "unlisted-transition", "incomparable-ends"] as const;

/** Questions that are not where they were. */
export const orderCodes = ["question-lost", "question-reordered", "question-duplicated"] as const;

/** A question that changed, or never was what was asked. */
export const asAsked = ["question-text-changed", "not-as-asked"] as const;

/** A value that a closed list does not have; the argument is the value. */
export const unlisted = ["unlisted"] as const;

/** A member that is there too early, or not there in time; the argument is the member. */
export const gate = ["has", "lacks"] as const;
