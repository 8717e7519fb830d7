import standaloneCode from "ajv/dist/standalone/index.js";
import { compileForm } from "./compile-form.js";

/** Generates the check of the form of an OpenAPI document, as the body of a function with the parameter `module`. */
export const generateFormCheck = () => {
  const { ajv, check } = compileForm({ source: true });
  const code = standaloneCode.default(ajv, check);
  if (code.includes("require(")) {
    throw new Error("the check of an OpenAPI document needs more than its own code");
  }
  return code;
};

/** Generates the module that replaces `compile-form.js` in the package. */
export const generateFormModule = () => `const module = {};
(function (module) {${generateFormCheck()}})(module);
export const compileForm = () => ({ check: module.exports });
`;
