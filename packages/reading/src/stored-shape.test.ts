import { expect, expectTypeOf, test } from "vitest";
import * as Type from "typebox";
import { createChecker } from "./checker.ts";
import { closedObject, count, nonEmptyArray, taggedUnion, formatPublishedSchema, type Stored } from "./stored-shape.ts";

const PointShape = closedObject({ x: count("From the left."), y: Type.Optional(count()) }, { $id: "point" });
const PlanShape = closedObject({
  name: Type.String(),
  points: nonEmptyArray(PointShape),
  start: Type.Optional(PointShape),
  step: taggedUnion("kind", [
    closedObject({ kind: Type.Literal("wait"), ms: Type.Number() }),
    closedObject({ kind: Type.Enum(["left", "right"]), by: count() }),
  ]),
});
const plan = { name: "n", points: [{ x: 1 }], step: { kind: "left", by: 2 } };
const { fits, problem } = createChecker(PlanShape);

test("members and lists of the type are read-only", () => {
  expectTypeOf<Stored<typeof PointShape>>().toEqualTypeOf<{ readonly x: number; readonly y?: number }>();
  expectTypeOf<Stored<typeof PlanShape>["points"]>().not.toExtend<unknown[]>();
  expectTypeOf<Stored<typeof PlanShape>["step"]["kind"]>().toEqualTypeOf<"wait" | "left" | "right">();
});

test.each([
  { value: plan, expected: undefined },
  { value: { ...plan, start: { x: 0, y: 0 } }, expected: undefined },
  { value: [], expected: "the whole must be object" },
  { value: { ...plan, secret: 1 }, expected: "the whole must NOT have additional properties" },
  { value: { ...plan, points: [] }, expected: "/points must NOT have fewer than 1 items" },
  { value: { ...plan, points: [{ x: 1 }, { x: -1 }] }, expected: "/points/1/x must be >= 0" },
  { value: { ...plan, step: "right" }, expected: "/step must be object" },
  { value: { ...plan, step: { kind: "right" } }, expected: "/step must have required property 'by'" },
  { value: { ...plan, step: { kind: "wait", ms: "1" } }, expected: "/step/ms must be number" },
  { value: { ...plan, step: { kind: "jump" } }, expected: "/step/kind has an unknown value" },
  { value: { ...plan, step: { by: 1 } }, expected: "/step must have required property 'kind'" },
])("the first problem of $value is $expected", ({ value, expected }) => {
  expect([problem(value), fits(value)]).toEqual([expected, expected === undefined]);
});

test("unknown members may be allowed, at any depth", () => {
  const open = createChecker(PlanShape, { allowsUnknownMembers: true });
  const value = { ...plan, extra: 1, points: [{ x: 1, extra: 1 }] };
  expect([open.problem(value), problem(value)]).toEqual([undefined, "the whole must NOT have additional properties"]);
  expect(open.problem({ ...value, name: 1 })).toBe("/name must be string");
});

test("a published schema defines each named shape once, without keywords that only we use", () => {
  const published: unknown = JSON.parse(formatPublishedSchema(PlanShape));
  const point = { $ref: "#/$defs/point" };
  expect(published).toMatchObject({
    type: "object",
    required: ["name", "points", "step"],
    properties: { points: { items: point, minItems: 1 }, start: point },
    $defs: {
      point: { additionalProperties: false, required: ["x"], properties: { x: { description: "From the left." } } },
    },
  });
  expect(published).not.toHaveProperty("properties.step.discriminator");
});
