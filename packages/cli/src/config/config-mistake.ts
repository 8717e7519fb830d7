import { visibleText } from "@assay/evidence";
import { nearestName } from "@assay/runner";
import type { ErrorObject } from "ajv";
import { holdsToken } from "./token-text.ts";

const isSchema = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A member as people write it: `targets.staging.limits`, `load.threshold[1]`. */
export const memberPath = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => visibleText(part.replaceAll("~1", "/").replaceAll("~0", "~"), 60))
    .map((part, index) => (/^\d+$/u.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  array: "a list of texts",
  object: "an object",
  integer: "a whole number",
  number: "a number",
};

/** What a member has to be, in words. */
function expectedBy(schema: unknown): string {
  const { title, enum: names, type, minimum, maximum } = isSchema(schema) ? schema : {};
  if (typeof title === "string") {
    return title;
  }
  if (Array.isArray(names)) {
    return `one of ${names.join(", ")}`;
  }
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const words = types.map((each) => kinds[String(each)] ?? String(each)).join(" or ");
  return typeof minimum === "number" && typeof maximum === "number" ? `${words} from ${minimum} to ${maximum}` : words;
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : (kinds[typeof value] ?? `a ${typeof value}`);

/** A value to be shown: of words and numbers alone, and never of what could be a secret. */
function shownValue(value: unknown): string {
  const text = typeof value === "string" ? `"${visibleText(value, 40)}"` : String(value);
  return (typeof value === "string" || typeof value === "number") && text.length <= 32 && !holdsToken(text)
    ? `is ${text}`
    : `is ${typeOf(value)}`;
}

const propertiesOf = (schema: unknown): readonly string[] => {
  const properties = isSchema(schema) ? schema["properties"] : undefined;
  return isSchema(properties) ? Object.keys(properties) : [];
};

const hintOf = (typed: string, known: readonly string[]): string => {
  const near = nearestName(typed, known);
  return near === undefined ? `it takes ${known.join(", ")}` : `did you mean \`${near}\`?`;
};

const join = (path: string, member: string): string =>
  path === "" ? visibleText(member, 60) : `${path}.${visibleText(member, 60)}`;

function choiceHint(data: unknown, schema: unknown): string {
  const names = isSchema(schema) && Array.isArray(schema["enum"]) ? schema["enum"].map(String) : [];
  const near = typeof data === "string" ? nearestName(data, names) : undefined;
  return near === undefined ? "" : `did you mean "${near}"? `;
}

/** One sentence about what a schema refuses: the member, what is wrong with it, and what is expected. */
export function sentenceOfMistake(error: ErrorObject): string {
  const path = memberPath(error.instancePath);
  const { params, parentSchema, data } = error;
  switch (error.keyword) {
    case "additionalProperties": {
      const member = String(params["additionalProperty"]);
      return `there is no member ${join(path, member)}; ${hintOf(member, propertiesOf(parentSchema))}`;
    }
    case "required":
      return `${path} has no ${String(params["missingProperty"])}, which it needs`;
    case "enum":
      return `${path} ${shownValue(data)}; ${choiceHint(data, parentSchema)}it has to be ${expectedBy(parentSchema)}`;
    case "pattern":
      return error.propertyName === undefined
        ? `${path} has to be ${expectedBy(parentSchema)}`
        : `"${visibleText(error.propertyName, 60)}" in ${path} is no name that can be used there; take letters, digits and hyphens`;
    default:
      return `${path === "" ? "what it exports" : path} ${shownValue(data)}; it has to be ${expectedBy(parentSchema)}`;
  }
}
