import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const results = new URL("../../../results/", import.meta.url);

interface Validator {
  (value: unknown): boolean;
  readonly errors?: unknown;
}
type CreateValidator = new (options: object) => { compile(schema: unknown): Validator };

// The validator belongs to the package that publishes the schema; this one only holds its files to it.
const { Ajv2020 }: { readonly Ajv2020: CreateValidator } = createRequire(new URL("package.json", results))(
  "ajv/dist/2020.js",
);

const schema: unknown = JSON.parse(readFileSync(new URL("schemas/verdicts.schema.json", results), "utf8"));
const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);

/** What is wrong with a text by the published schema of `verdicts.json`; `null` when nothing is. */
export const schemaErrors = (text: string): unknown => {
  validate(JSON.parse(text));
  return validate.errors ?? null;
};
