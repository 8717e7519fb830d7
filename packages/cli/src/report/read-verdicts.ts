import { HarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { concludeLoad, fromVersion1 } from "@assay/results";
import type { LoadResult, RunOutcome, RunResult } from "@assay/results";
import { readJsonFile } from "./read-json-file.ts";
import { contradictionIn, isBetter } from "./result-contradictions.ts";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { AnySchema, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";

/** The schemas of `@assay/results`; the path is the same from `src` and from `dist`. */
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
 * The first error of a value against a published schema, as a clause with its place such as `/verdicts/3/verdict must have required
 * property 'outcome'`; undefined if there is none. Names of unknown members are not quoted.
 */
function schemaProblem(name: "verdicts" | "load-result", value: unknown): string | undefined {
  const validate = validatorOf(name);
  if (validate(value)) {
    return undefined;
  }
  const [first] = validate.errors ?? [];
  return first === undefined ? "it does not fit" : `${placeOf(first)} ${first.message ?? "does not fit"}`;
}

const versionOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "schemaVersion" in value ? value.schemaVersion : undefined;

const fits = {
  verdicts: (value: unknown): value is RunResult => schemaProblem("verdicts", value) === undefined,
  "load-result": (value: unknown): value is LoadResult => schemaProblem("load-result", value) === undefined,
} as const;

const hints = {
  verdicts: "name the verdicts of a run, or judge it again with `assay judge`",
  "load-result": "name the result of a load run",
} as const;

function refuse(name: keyof typeof fits, value: unknown, shown: string): HarnessError {
  const version = versionOf(value);
  if (typeof version === "number" && version !== 2) {
    return new HarnessError(
      "usage",
      `${shown} has schema version ${version}, and only 1 and 2 are read; use the version of Assay that wrote it`,
    );
  }
  const problem = visibleText(schemaProblem(name, value) ?? "it does not fit", 300);
  return new HarnessError("usage", `${shown} cannot be used: ${problem}; ${hints[name]}`);
}

/**
 * The result in a `verdicts.json`. The file is not trusted: it is checked against the published schema and for contradictions. Fails with a
 * `HarnessError` that names file and place.
 */
export function readVerdicts(path: string, shown: string): RunResult {
  const value = fromVersion1(readJsonFile(path, shown));
  if (!fits.verdicts(value)) {
    throw refuse("verdicts", value, shown);
  }
  const contradiction = contradictionIn(value);
  if (contradiction !== undefined) {
    throw new HarnessError(
      "usage",
      `${shown} contradicts itself: ${contradiction}; judge the run again with \`assay judge\``,
    );
  }
  return value;
}

/** The best outcome that the parts of a load run allow. Whether `--decide` was given is not stored. */
function ownOutcome(load: LoadResult): RunOutcome {
  const { outcome } = concludeLoad({ ...load, decide: false, okCount: 0 });
  const hasViolation = (load.canary?.failed.length ?? 0) > 0;
  return hasViolation && isBetter(outcome, "failed") ? "failed" : outcome;
}

/** The result in a `load.json`, checked against the published schema and for contradictions. Fails with a `HarnessError` that names file and place. */
export function readLoad(path: string, shown: string): LoadResult {
  const value = fromVersion1(readJsonFile(path, shown));
  if (!fits["load-result"](value)) {
    throw refuse("load-result", value, shown);
  }
  const own = ownOutcome(value);
  if (isBetter(value.outcome, own)) {
    throw new HarnessError(
      "usage",
      `${shown} contradicts itself: its outcome is ${value.outcome}, but its content means ${own}; run the load again`,
    );
  }
  return value;
}
