import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { AnySchema } from "ajv/dist/2020.js";

const results = new URL("../../../results/", import.meta.url);

const schema: AnySchema = JSON.parse(readFileSync(new URL("schemas/verdicts.schema.json", results), "utf8"));
const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);

/** Errors of a text against the published schema of `verdicts.json`; `null` if there are none. */
export const schemaErrors = (text: string): unknown => {
  void validate(JSON.parse(text));
  return validate.errors ?? null;
};
