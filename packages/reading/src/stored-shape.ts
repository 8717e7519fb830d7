import * as Type from "typebox";
import type { Static, TArrayOptions, TInteger, TObject, TObjectOptions, TProperties, TSchema, TUnsafe } from "typebox";

type Primitive = string | number | boolean | null | undefined;
type DeepReadonly<Value> = unknown extends Value
  ? Value
  : Value extends Primitive
    ? Value
    : { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> };

/** The type of values that fit a shape. All members and lists are read-only. */
export type Stored<Shape extends TSchema> = DeepReadonly<Static<Shape>>;

/** An object without unknown members. */
export const closedObject = <Members extends TProperties>(
  members: Members,
  options: TObjectOptions = {},
): TObject<Members> => Type.Object(members, { additionalProperties: false, ...options });

/** An integer from 0. */
export const count = (description?: string): TInteger =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });

/** A list with at least one item. */
export const nonEmptyArray = <Item extends TSchema>(
  item: Item,
  options: TArrayOptions = {},
): TUnsafe<[Static<Item>, ...Static<Item>[]]> => Type.Unsafe(Type.Array(item, { minItems: 1, ...options }));

/** An object with any names, all with values of one shape. */
export const mapShape = <Value extends TSchema>(
  value: Value,
  options: TObjectOptions = {},
): TUnsafe<Record<string, Static<Value>>> => Type.Unsafe({ type: "object", ...options, additionalProperties: value });

/** A union of objects, distinguished by the value of one member, the tag. A value is checked only against the shape with its tag. */
export const taggedUnion = <Shapes extends readonly TObject[]>(
  tag: string,
  shapes: Shapes,
  options: Type.TSchemaOptions = {},
): TUnsafe<Static<Shapes[number]>> =>
  Type.Unsafe({ type: "object", ...options, discriminator: { propertyName: tag }, oneOf: [...shapes] });

/** Returns the keywords of a condition: values that fit `condition` must fit `consequence`, others must fit `alternative`, if given. */
export const implies = (condition: object, consequence: object, alternative?: object): object => ({
  if: condition,
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of this name.
  then: consequence,
  ...(alternative === undefined ? {} : { else: alternative }),
});

type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that come first in a published schema. */
const firstKeywords = [
  "$schema",
  "$id",
  "title",
  "description",
  "$comment",
  "type",
  "additionalProperties",
  "required",
];
const keywordRank = (keyword: string): number =>
  firstKeywords.includes(keyword) ? firstKeywords.indexOf(keyword) : firstKeywords.length;

const hasId = (value: object): value is { readonly $id: string } => "$id" in value && typeof value.$id === "string";

/** Creates the JSON Schema of a shape, without excluded keywords. Inner shapes with an `$id` become definitions with that name. */
export function createSchema(shape: TSchema, isExcluded: (keyword: string, value: unknown) => boolean): JsonSchema {
  const definitions: Record<string, unknown> = {};
  const convertValue = (keyword: string, value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map((element) => convertValue("", element));
    }
    if (typeof value !== "object" || value === null) {
      return value;
    }
    if (keyword === "properties") {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convertValue("", member)]));
    }
    if (!hasId(value)) {
      return convertKeywords(value);
    }
    const { $id, ...definition } = value;
    definitions[$id] ??= convertKeywords(definition);
    return { $ref: `#/$defs/${$id}` };
  };
  const convertKeywords = (schema: object): JsonSchema =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([keyword, value]) => !isExcluded(keyword, value))
        .map(([keyword, value]) => [keyword, convertValue(keyword, value)] as const)
        .toSorted(([a], [b]) => keywordRank(a) - keywordRank(b)),
    );
  const root = convertKeywords(shape);
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
}

/** Formats a schema for publication, with lists of names on one line. */
export const formatPublishedSchema = (shape: TSchema): string =>
  // `discriminator` is an OpenAPI keyword, which strict JSON Schema validators reject.
  `${JSON.stringify(
    createSchema(shape, (keyword) => keyword === "discriminator"),
    undefined,
    2,
  )}\n`.replaceAll(/\[\n[^[\]{}]*\]/gu, (list) =>
    list.replaceAll(/\n\s+/gu, " ").replaceAll(/^\[ | \]$/gu, (bracket) => bracket.trim()),
  );
