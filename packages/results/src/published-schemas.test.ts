import { createChecker, formatPublishedSchema } from "@assay/reading";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ClientReportShape } from "./client/client-report.ts";
import { DoctorReportShape } from "./doctor/doctor-report.ts";
import { listShapes } from "./testing/list-shapes.ts";
import { LoadResultShape } from "./load/load-result.ts";
import { LogEntryShape } from "./log-entry.ts";
import { RunResultShape } from "./run-result.ts";
import { RunTimelinesShape } from "./run-timelines.ts";
import { completeLoadResult } from "./testing/complete-load-result.ts";
import { completeRunResult } from "./testing/complete-run-result.ts";

const shapes = {
  ...listShapes,
  client: ClientReportShape,
  doctor: DoctorReportShape,
  "load-result": LoadResultShape,
  log: LogEntryShape,
  timelines: RunTimelinesShape,
  verdicts: RunResultShape,
};

const pathOf = (name: string): string => fileURLToPath(new URL(`../schemas/${name}.schema.json`, import.meta.url));

/** Every object within a value, with its JSON pointer. */
const objectsIn = (value: unknown, at = ""): readonly (readonly [string, object])[] =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...(Array.isArray(value) ? [] : [[at, value] as const]),
        ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, `${at}/${name}`)),
      ];

describe.each(Object.entries(shapes))("the schema of %s", (name, shape) => {
  const text = formatPublishedSchema(shape);
  const schema: object = JSON.parse(text);

  test("is generated (update it with `npx vitest run --root packages/results published-schemas --update`)", async () => {
    await expect(text).toMatchFileSnapshot(pathOf(name));
  });

  test("is valid in strict mode", () => {
    expect(() => new Ajv2020({ strictTypes: false, strictRequired: false }).compile(schema)).not.toThrow();
  });

  test("names all members of every object", () => {
    const open = objectsIn(schema).filter(
      ([, inner]) =>
        "type" in inner && inner.type === "object" && !("additionalProperties" in inner) && !("oneOf" in inner),
    );
    expect(open.map(([at]) => at)).toEqual([]);
  });
});

/** Every copy of a value that lacks one member, with the pointer of its object and the name of the member. */
const copiesWithoutOne = (value: unknown) =>
  objectsIn(value).flatMap(([at, object]) =>
    Object.keys(object).map((name) => {
      const copy: unknown = JSON.parse(JSON.stringify(value));
      Reflect.deleteProperty(new Map(objectsIn(copy)).get(at) ?? {}, name);
      return { at, name, copy };
    }),
  );

/** Results with every member, the members that may be left out, and problems of others that follow from leaving one out. */
const completeResults = [
  {
    file: "verdicts.json",
    checker: createChecker(RunResultShape),
    complete: completeRunResult,
    optional: [
      "address affectedExchanges argument code curl event excerpt exchange expires failure firstMatchMicros foundAccess",
      "httpVersions known knownFailureMistakes knownFailureNotes length notes offset openapi partlyBlocked pointer",
      "proof reason sha256 standardClient status",
    ],
    consequences: [
      "/verdicts/8/verdict/outcome must be equal to one of the allowed values",
      "/verdicts/9/verdict/outcome must be equal to one of the allowed values",
      "/verdicts/9/proof/1 must have required property 'confirmed'",
    ],
  },
  {
    file: "load.json",
    checker: createChecker(LoadResultShape),
    complete: completeLoadResult,
    // Codes of violations and notes, and kinds of samples, are members too.
    optional: [
      "against alert base baseIsCensored blocks canary censored change cleanUp comment comparison confirmed conversation",
      "counts data-first decisive detectable expires failures fromMs generator growingFromMs gzip head headIsCensored high",
      "httpVersions isCensored judgement knee known knownFailureMistakes knownFailureNotes knownViolations limit",
      "limitFraction limitMs limitedBy low message no-done notAlwaysTheApi notBegun notTheApi note ok p50 p50Ms p95 p95Ms",
      "p99 pollers preset reason run saturation segments severity side stream unit unitsNeeded unjudged value",
      "valueFraction valueMs violation violations warnings",
    ],
    consequences: [],
  },
];

test.each(completeResults)("a reader names the place where $file lacks a required member", (given) => {
  const { problem } = given.checker;
  expect(problem(given.complete)).toBeUndefined();
  const problems = copiesWithoutOne(given.complete).map(({ at, name, copy }) => ({ at, name, problem: problem(copy) }));
  const others = problems.filter(
    ({ at, name, problem: found }) => found !== `${at || "the whole"} must have required property '${name}'`,
  );
  const left = new Set(others.filter((one) => one.problem === undefined).map(({ name }) => name));
  expect([...left].sort().join(" ")).toBe(given.optional.join(" "));
  expect(others.flatMap((one) => one.problem ?? [])).toEqual(given.consequences);
});
