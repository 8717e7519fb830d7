import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import * as Type from "typebox";
import type { Static, TArrayOptions, TInteger, TObject, TObjectOptions, TProperties, TSchema, TUnsafe } from "typebox";

type Primitive = string | number | boolean | null | undefined;
type DeepReadonly<Value> = unknown extends Value
  ? Value
  : Value extends Primitive
    ? Value
    : { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> };

/** The type of the values that fit a shape. All members and lists are read-only. */
export type Stored<Shape extends TSchema> = DeepReadonly<Static<Shape>>;

/** An object without unknown members. */
export const closed = <Members extends TProperties>(members: Members, options: TObjectOptions = {}): TObject<Members> =>
  Type.Object(members, { additionalProperties: false, ...options });

/** An integer from 0. */
export const count = (description?: string): TInteger =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });

/** A list with at least one item. */
export const filled = <Item extends TSchema>(
  item: Item,
  options: TArrayOptions = {},
): TUnsafe<[Static<Item>, ...Static<Item>[]]> => Type.Unsafe(Type.Array(item, { minItems: 1, ...options }));

/** An object with any names, all with values of one shape. */
export const mapShape = <Value extends TSchema>(
  value: Value,
  options: TObjectOptions = {},
): TUnsafe<Record<string, Static<Value>>> => Type.Unsafe({ type: "object", ...options, additionalProperties: value });

/** Objects whose kind is the value of one member, the tag. A value is then checked only against the shape of its kind. */
export const oneOf = <Shapes extends readonly TObject[]>(
  tag: string,
  shapes: Shapes,
  options: Type.TSchemaOptions = {},
): TUnsafe<Static<Shapes[number]>> =>
  Type.Unsafe({ type: "object", ...options, discriminator: { propertyName: tag }, oneOf: [...shapes] });

/** Keywords of a condition: a value that fits `condition` fits `consequence`, any other value fits `alternative`, if there is one. */
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

const isNamed = (value: object): value is { readonly $id: string } => "$id" in value && typeof value.$id === "string";

/** The JSON Schema of a shape, without some keywords. Inner shapes with an `$id` become definitions of this name. */
function createSchema(shape: TSchema, isLeftOut: (keyword: string, value: unknown) => boolean): JsonSchema {
  const definitions: Record<string, unknown> = {};
  const valueOf = (keyword: string, value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map((each) => valueOf("", each));
    }
    if (typeof value !== "object" || value === null) {
      return value;
    }
    if (keyword === "properties") {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, valueOf("", member)]));
    }
    if (!isNamed(value)) {
      return keywordsOf(value);
    }
    const { $id, ...definition } = value;
    definitions[$id] ??= keywordsOf(definition);
    return { $ref: `#/$defs/${$id}` };
  };
  const keywordsOf = (schema: object): JsonSchema =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([keyword, value]) => !isLeftOut(keyword, value))
        .map(([keyword, value]) => [keyword, valueOf(keyword, value)] as const)
        .toSorted(([one], [other]) => keywordRank(one) - keywordRank(other)),
    );
  const root = keywordsOf(shape);
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
}

/** The text of a published schema, with lists of names on one line. */
export const publishedSchema = (shape: TSchema): string =>
  // The discriminator is a keyword of OpenAPI, which strict validators of JSON Schema refuse.
  `${JSON.stringify(
    createSchema(shape, (keyword) => keyword === "discriminator"),
    undefined,
    2,
  )}\n`.replaceAll(/\[\n[^[\]{}]*\]/gu, (list) =>
    list.replaceAll(/\n\s+/gu, " ").replaceAll(/^\[ | \]$/gu, (bracket) => bracket.trim()),
  );

/** Describes a validation error as a clause with its JSON pointer. */
function describeError({ instancePath, keyword, params, message = "does not fit" }: ErrorObject): string {
  const place = instancePath === "" ? "the whole" : instancePath;
  if (keyword !== "discriminator") {
    return `${place} ${message}`;
  }
  return params["tagValue"] === undefined
    ? `${place} must have required property '${params["tag"]}'`
    : `${instancePath}/${params["tag"]} has an unknown value`;
}

/** A check of values against one shape. */
export interface Checker<Value> {
  readonly fits: (value: unknown) => value is Value;
  /**
   * The first problem of a value, as a clause with its JSON pointer, such as `/verdicts/3/verdict must have required property 'outcome'`.
   * Undefined if the value fits. Does not quote the names of unknown members.
   */
  readonly problem: (value: unknown) => string | undefined;
}

/**
 * The checker of a shape. Unknown members are a problem unless `allowsUnknown` is set. It is compiled at its first use, which takes up to
 * 100 ms for the largest shapes.
 */
export function checkerOf<Shape extends TSchema>(
  shape: Shape,
  { allowsUnknown = false }: { readonly allowsUnknown?: boolean } = {},
): Checker<Stored<Shape>> {
  const isLeftOut = (keyword: string, value: unknown): boolean =>
    allowsUnknown && keyword === "additionalProperties" && value === false;
  let compiled: ValidateFunction | undefined;
  const compile = (): ValidateFunction =>
    new Ajv2020({
      discriminator: true,
      strictTypes: false,
      strictRequired: false,
      // Tests check the schemas. Compiling optimised code takes longer than reading a file with the other one.
      meta: false,
      validateSchema: false,
      code: { optimize: false },
    }).compile(createSchema(shape, isLeftOut));
  const errorsOf = (value: unknown): readonly ErrorObject[] => {
    compiled ??= compile();
    return compiled(value) ? [] : (compiled.errors ?? []);
  };
  return {
    fits: (value): value is Stored<Shape> => errorsOf(value).length === 0,
    problem: (value) => {
      const [first] = errorsOf(value);
      return first === undefined ? undefined : describeError(first);
    },
  };
}
