import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { exitCodeOf, outcomePrecedence } from "../exit-codes.ts";
import { completeLoadResult } from "../testing/complete-load-result.ts";
import { comparedMetrics } from "./comparison.ts";
import { loadMetricNames } from "./load-histogram.ts";
import { loadShapes } from "./load-plan.ts";
import { loadOutcomes } from "./load-sample.ts";

const text = readFileSync(new URL("../../schemas/load-result.schema.json", import.meta.url), "utf8");

interface Node {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly enum?: readonly unknown[];
}
const schema: Node & { readonly $defs: Record<string, unknown> } = JSON.parse(text);
const validates = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);

const resolved = (node: Node): Node =>
  node.$ref === undefined ? node : { ...Object(schema.$defs[node.$ref.replace("#/$defs/", "")]) };

/** Paths of all members that a schema describes. */
const described = (given: Node, path: string): readonly string[] => {
  const node = resolved(given);
  const own = Object.entries(node.properties ?? {});
  return [
    ...own.flatMap(([name, child]) => [`${path}.${name}`, ...described(child, `${path}.${name}`)]),
    ...(node.items === undefined ? [] : described(node.items, `${path}[]`)),
  ];
};
/** Maps of counts and pairs of numbers have no named members. */
const isMap = (path: string): boolean =>
  /\.(?:outcomes|violations|knownViolations|observations|buckets|histograms\[\]\.censored)$/u.test(path);
const present = (value: unknown, path: string): readonly string[] => {
  const children = Array.isArray(value)
    ? value.slice(0, 1).map((one) => [`${path}[]`, one] as const)
    : Object.entries(Object(value)).map(([name, one]) => [`${path}.${name}`, one] as const);
  const isText = typeof value === "string";
  return isText || isMap(path)
    ? []
    : children.flatMap(([at, one]) => [...(at.endsWith("[]") ? [] : [at]), ...present(one, at)]);
};

test("the schema and the type have the same members", () => {
  expect([...described(schema, "")].sort()).toEqual([...present(completeLoadResult, "")].sort());
});

test("the schema describes a result with every member", () => {
  expect([validates(completeLoadResult), validates.errors]).toEqual([true, null]);
});

/** The required members of a result. */
const {
  generator: _generator,
  knee: _knee,
  saturation: _saturation,
  warnings: _warnings,
  comparison: _comparison,
  canary: _canary,
  judgement: _judgement,
  cleanUp: _cleanUp,
  ...bare
} = completeLoadResult;
const green = {
  ...bare,
  outcome: "passed",
  exitCode: 0,
  incomplete: [],
  complete: true,
  violations: {},
  trust: { valid: true, checks: [] },
  metrics: [{ metric: "poll", side: "head", count: 1, meanMs: 1, minMs: 1, maxMs: 1 }],
};

test("the schema describes a result without optional members", () => {
  expect([validates(green), validates.errors]).toEqual([true, null]);
});

test("the schema describes a metric without finished requests", () => {
  const never = { ...green.metrics[0], count: 0, censored: { count: 3, longestMs: 1 } };
  expect([validates({ ...green, metrics: [never] }), validates.errors]).toEqual([true, null]);
});

test.each(outcomePrecedence)("the outcome %s has only its own exit code", (outcome) => {
  const result = { ...green, incomplete: outcome === "incomplete" ? bare.incomplete : [], outcome };
  expect(validates({ ...result, exitCode: exitCodeOf(outcome) })).toBe(true);
  expect(validates({ ...result, exitCode: 97 })).toBe(false);
  expect(outcomePrecedence.filter((other) => validates({ ...result, exitCode: exitCodeOf(other) }))).toEqual([outcome]);
});

describe("the schema refuses", () => {
  test.each<[string, object]>([
    ["an unknown member", { ...green, extra: 1 }],
    ["another version", { ...green, schemaVersion: 3 }],
    ["a run that passed and is invalid", { ...green, trust: { valid: false, checks: [] } }],
    ["a run that passed and is incomplete", { ...green, incomplete: bare.incomplete }],
    ["a run that passed and ended early", { ...green, complete: false }],
    ["a run that passed with a violation", { ...green, violations: { "no-done": 1 } }],
    [
      "a regression of an invalid run",
      { ...green, outcome: "performance-failed", exitCode: 4, trust: { valid: false, checks: [] }, thresholds: [] },
    ],
    ["an incomplete run without a reason", { ...green, outcome: "incomplete", exitCode: 3 }],
    ["an unknown outcome of samples", { ...green, outcomes: { stream: { fine: 1 } } }],
    ["a percentile without a value", { ...green, metrics: [{ ...bare.metrics[0], p50: { low: 1 } }] }],
    ["a metric without samples", { ...green, metrics: [{ ...green.metrics[0], count: 0 }] }],
    ["an empty bucket", { ...green, histograms: [{ ...bare.histograms[0], buckets: [[3, 0]] }] }],
    ["a bucket without a count", { ...green, histograms: [{ ...bare.histograms[0], buckets: [[3]] }] }],
    ["a share above 1", { ...green, thresholds: [{ threshold: "ok-rate > 1", valueFraction: 1.2 }] }],
    ["a malformed digest", { ...green, run: { ...bare.run, scenarioSha256: "x" } }],
  ])("%s", (_name, value) => {
    expect(validates(value)).toBe(false);
  });
});

test.each<[string, readonly string[], readonly string[]]>([
  ["metric", ["metric", "metric"], loadMetricNames],
  ["compared metric", ["metricComparison", "metric"], comparedMetrics],
  ["shape", ["plan", "shape"], loadShapes],
])("the schema publishes every %s of the code", (_name, [definition = "", member = ""], names) => {
  const node: Node = { ...Object(schema.$defs[definition]) };
  expect(node.properties?.[member]?.enum).toEqual(names);
});

test("the schema publishes every outcome of a sample", () => {
  expect(loadOutcomes.filter((outcome) => !validates({ ...green, outcomes: { stream: { [outcome]: 1 } } }))).toEqual(
    [],
  );
});
