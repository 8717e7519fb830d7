import { compileForm } from "./compile-form.js";

let compiling;

/** Validates the form of one OpenAPI document. Returns `{ value: null }` if it is valid, else `{ code, reason }`. */
export const validateForm = (document) => {
  compiling ??= compileForm().check;
  const check = compiling;
  if (check(document)) {
    return { value: null };
  }
  const [first] = check.errors;
  return { code: "not-valid", reason: `not OpenAPI 3.1 at \`${first.instancePath || "/"}\`: ${first.message}` };
};
