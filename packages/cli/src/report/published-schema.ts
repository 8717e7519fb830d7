import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { AnySchema, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";

/** The schemas that come with `@assay/results`; from `src` and from `dist` alike. */
const folder = new URL("../../../results/schemas/", import.meta.url);

const compiled = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const known = compiled.get(name);
  if (known !== undefined) {
    return known;
  }
  const schema: AnySchema = JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), "utf8"));
  const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);
  compiled.set(name, validate);
  return validate;
}

const placeOf = ({ instancePath }: ErrorObject): string => (instancePath === "" ? "the whole" : instancePath);

/**
 * What is wrong with a value by a published schema, a clause with its place such as `/verdicts/3/verdict must have required
 * property 'outcome'`; undefined when nothing is. Names of members that the schema does not know are not told.
 */
export function schemaProblem(name: "verdicts" | "load-result", value: unknown): string | undefined {
  const validate = validatorOf(name);
  if (validate(value)) {
    return undefined;
  }
  const [first] = validate.errors ?? [];
  return first === undefined ? "it does not fit" : `${placeOf(first)} ${first.message ?? "does not fit"}`;
}
