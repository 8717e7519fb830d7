import type { Ajv2020, CodeOptions, ValidateFunction } from "ajv/dist/2020.js";

export declare const compileForm: (code?: CodeOptions) => { readonly ajv: Ajv2020; readonly check: ValidateFunction };
