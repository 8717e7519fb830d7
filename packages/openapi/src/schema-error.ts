import { placeArgument } from "@assay/contract";
import type { ErrorObject } from "ajv/dist/2020.js";

/** A mismatch between a value and a schema. */
export interface SchemaError {
  /** JSON pointer into the value. Empty for the value itself. May contain names sent by a target. */
  readonly pointer: string;
  /** The requirement of the schema, as a clause that starts with `must`. */
  readonly message: string;
  /** The keyword that failed. */
  readonly keyword: string;
  /** The missing member, if any. */
  readonly missing?: string;
  /** Set if the value may have further errors. */
  readonly isTruncated?: true;
}

/** Maximum number of errors reported for a value. */
export const maxSchemaErrors = 20;

/**
 * Converts at most 20 ajv errors. For `anyOf`, `oneOf` and `if`, reports the errors of the branches. If there are more than 20, those with
 * different keywords or locations (ignoring indices) are preferred.
 */
export const toSchemaErrors = (ajvErrors: readonly ErrorObject[], isFirstOnly = false): readonly SchemaError[] => {
  const reportableErrors = ajvErrors.filter((error) => !isChoice(error) && !isNullBranch(error));
  const { selectedErrors, isTruncated } = selectErrors(reportableErrors.length === 0 ? ajvErrors : reportableErrors);
  return selectedErrors.map((error) => ({
    pointer: error.instancePath,
    message: describeError(error),
    keyword: error.keyword,
    ...(error.keyword === "required" ? { missing: String(error.params["missingProperty"]) } : {}),
    ...(isTruncated || isFirstOnly ? { isTruncated: true } : {}),
  }));
};

const errorKind = ({ keyword, instancePath, params }: ErrorObject): string =>
  [keyword, placeArgument(instancePath), String(params["missingProperty"])].join(" ");

/** Selects the errors to report, in order: one of each kind first, then repeats. Also returns whether kinds were omitted. */
const selectErrors = (
  errors: readonly ErrorObject[],
): { readonly selectedErrors: readonly ErrorObject[]; readonly isTruncated: boolean } => {
  if (errors.length <= maxSchemaErrors) {
    return { selectedErrors: errors, isTruncated: false };
  }
  const firsts = new Map(errors.toReversed().map((error) => [errorKind(error), error]));
  const ranked = new Set([...errors.filter((error) => firsts.get(errorKind(error)) === error), ...errors]);
  const selected = new Set([...ranked].slice(0, maxSchemaErrors));
  return { selectedErrors: errors.filter((error) => selected.has(error)), isTruncated: firsts.size > maxSchemaErrors };
};

const isChoice = ({ keyword }: ErrorObject): boolean => ["anyOf", "oneOf", "if"].includes(keyword);

/** Reports whether an error comes from the null branch of a nullable schema. The other branch's error is more useful. */
const isNullBranch = ({ keyword, params, schemaPath }: ErrorObject): boolean =>
  keyword === "type" && params["type"] === "null" && /\/(anyOf|oneOf)\/\d+\/type$/.test(schemaPath);

const quoteValue = (value: unknown): string => JSON.stringify(value).slice(0, 80);

const describeError = ({ keyword, params, message }: ErrorObject): string => {
  switch (keyword) {
    case "required":
      return `must have the member \`${String(params["missingProperty"])}\``;
    case "type":
      return `must be ${String(params["type"]).replaceAll(",", " or ")}`;
    case "const":
      return `must be ${quoteValue(params["allowedValue"])}`;
    case "enum":
      return `must be one of ${listValues(params["allowedValues"])}`;
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

const listValues = (values: unknown): string =>
  Array.isArray(values) ? values.slice(0, 20).map(quoteValue).join(", ") : "a list";
