import { placeArgument } from "@assay/contract";
import type { ErrorObject } from "ajv/dist/2020.js";

/** One way in which a value does not fit a schema. */
export interface SchemaError {
  /** Where in the value, as a JSON pointer; empty for the value itself. May hold names a target sent. */
  readonly pointer: string;
  /** What the schema demands there, a clause that begins with `must`. */
  readonly message: string;
  /** Keyword of the schema that is not met. */
  readonly keyword: string;
  /** The member that is missing, where one is. */
  readonly missing?: string;
  /** Whether the value may depart in ways that none of the errors tells of. */
  readonly isPartial?: true;
}

/** Most errors that are told of one value. */
export const maxSchemaErrors = 20;

/**
 * What ajv found, in the words of this project, at most 20. Of a choice, what its branches found stands for it. Of more
 * than 20 those are kept that differ: by keyword and place, whatever the indices.
 */
export const schemaErrors = (found: readonly ErrorObject[], isFirstOnly = false): readonly SchemaError[] => {
  const telling = found.filter((error) => !isChoice(error) && !isMereNull(error));
  const { kept, isPartial } = differingFirst(telling.length === 0 ? found : telling);
  return kept.map((error) => ({
    pointer: error.instancePath,
    message: messageOf(error),
    keyword: error.keyword,
    ...(error.keyword === "required" ? { missing: String(error.params["missingProperty"]) } : {}),
    ...(isPartial || isFirstOnly ? { isPartial: true } : {}),
  }));
};

const kindOf = ({ keyword, instancePath, params }: ErrorObject): string =>
  [keyword, placeArgument(instancePath), String(params["missingProperty"])].join(" ");

/** As many as may be told, in their order, one of each kind before a second of any; and whether kinds were left out. */
const differingFirst = (
  errors: readonly ErrorObject[],
): { readonly kept: readonly ErrorObject[]; readonly isPartial: boolean } => {
  if (errors.length <= maxSchemaErrors) {
    return { kept: errors, isPartial: false };
  }
  const firsts = new Map(errors.toReversed().map((error) => [kindOf(error), error]));
  const ranked = new Set([...errors.filter((error) => firsts.get(kindOf(error)) === error), ...errors]);
  const wanted = new Set([...ranked].slice(0, maxSchemaErrors));
  return { kept: errors.filter((error) => wanted.has(error)), isPartial: firsts.size > maxSchemaErrors };
};

const isChoice = ({ keyword }: ErrorObject): boolean => ["anyOf", "oneOf", "if"].includes(keyword);

/** The branch of a choice that would have allowed null; the other branch says what else is allowed. */
const isMereNull = ({ keyword, params, schemaPath }: ErrorObject): boolean =>
  keyword === "type" && params["type"] === "null" && /\/(anyOf|oneOf)\/\d+\/type$/.test(schemaPath);

const quoted = (value: unknown): string => JSON.stringify(value).slice(0, 80);

const messageOf = ({ keyword, params, message }: ErrorObject): string => {
  switch (keyword) {
    case "required":
      return `must have the member \`${String(params["missingProperty"])}\``;
    case "type":
      return `must be ${String(params["type"]).replaceAll(",", " or ")}`;
    case "const":
      return `must be ${quoted(params["allowedValue"])}`;
    case "enum":
      return `must be one of ${listed(params["allowedValues"])}`;
    case "maxProperties":
      return params["limit"] === 0 ? "must have no members" : `must have at most ${String(params["limit"])} members`;
    case "discriminator":
      return params["error"] === "tag"
        ? `must have a string as the member \`${String(params["tag"])}\``
        : `must have a listed value as the member \`${String(params["tag"])}\``;
    default:
      return message ?? `must meet the keyword \`${keyword}\``;
  }
};

const listed = (values: unknown): string =>
  Array.isArray(values) ? values.slice(0, 20).map(quoted).join(", ") : "a list";
