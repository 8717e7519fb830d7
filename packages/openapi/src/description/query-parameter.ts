import type { Validator } from "../compile-validators.ts";
import { ownMember } from "../json-object.ts";
import type { SchemaError } from "../schema-error.ts";
import type { OperationParameter } from "./operation-parts.ts";

/**
 * How the text of a query parameter departs from its schema. Text fits if one of the values fits that it can be read as:
 * itself, a number, true or false, null, a list of such, JSON. Pointers begin with `?` and the name.
 */
export const queryParameterErrors = (
  { name, parameter }: OperationParameter,
  text: string | undefined,
  validator: Validator | undefined,
): readonly SchemaError[] => {
  if (isSpread(parameter)) {
    return [];
  }
  if (text === undefined) {
    return ownMember(parameter, "required") === true
      ? [{ pointer: `?${name}`, message: `must have the parameter \`${name}\``, keyword: "required" }]
      : [];
  }
  const mayBeEmpty = text === "" && ownMember(parameter, "allowEmptyValue") === true;
  return validator === undefined || mayBeEmpty
    ? []
    : textErrors(text, separatorOf(parameter), validator).map((error) => ({
        ...error,
        pointer: `?${name}${error.pointer}`,
      }));
};

const textErrors = (text: string, separator: string, validator: Validator): readonly SchemaError[] => {
  const found = readings(text, separator).map((value) => validator.errors(value));
  // Of several readings the one tells most that is at least of the right type.
  return found.find((errors) => errors.length === 0) ?? found.find(isOfType) ?? found.at(-1) ?? [];
};

/** Objects may be spread over parameters of any names. */
const isSpread = (parameter: Readonly<Record<string, unknown>>): boolean => {
  const schema = ownMember(parameter, "schema");
  const type = typeof schema === "object" && schema !== null ? Reflect.get(schema, "type") : undefined;
  return ownMember(parameter, "style") === "deepObject" || type === "object";
};

const isOfType = (errors: readonly SchemaError[]): boolean =>
  !errors.some(({ pointer, keyword }) => pointer === "" && keyword === "type");

const separatorOf = (parameter: Readonly<Record<string, unknown>>): string => {
  const style = ownMember(parameter, "style");
  return style === "pipeDelimited" ? "|" : style === "spaceDelimited" ? " " : ",";
};

const maxElements = 1_000;

/** Values that a text can stand for, itself last. */
const readings = (text: string, separator: string): readonly unknown[] => {
  const parts = text.split(separator, maxElements);
  const lists = [parts.map(plainValue), parts, [plainValue(text)], [text]];
  return [plainValue(text), ...lists, ...jsonValue(text), text];
};

const plainValue = (text: string): unknown => {
  if (/^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/.test(text)) {
    return Number(text);
  }
  const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
    ["true", true],
    ["false", false],
    ["null", null],
  ]);
  return words.has(text) ? words.get(text) : text;
};

const jsonValue = (text: string): readonly unknown[] => {
  try {
    return /^[{[]/.test(text) && text.length < 10_000 ? [JSON.parse(text)] : [];
  } catch {
    return [];
  }
};
