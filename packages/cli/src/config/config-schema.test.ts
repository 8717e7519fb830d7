import * as fc from "fast-check";
import { formatPublishedSchema } from "@assay/reading";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { InvalidArgumentError } from "commander";
import { describe, expect, test } from "vitest";
import { createAssayProgram } from "../assay-program.ts";
import type { Flag } from "../flag.ts";
import { sectionTypes } from "../testing/config-files.ts";
import { testContext } from "../testing/test-context.ts";
import { findSections } from "./command-options.ts";
import { createConfigSchema, targetOnlyFlags } from "./config-schema.ts";

const sections = findSections((await createAssayProgram(testContext())).program);
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe("a file generated from the flags (update it with `npx vitest run config-schema --update`)", () => {
  test("is the published schema", async () => {
    await expect(formatPublishedSchema(createConfigSchema(sections))).toMatchFileSnapshot(
      pathOf("../../../results/schemas/config.schema.json"),
    );
  });

  test("is the type of the sections", async () => {
    await expect(sectionTypes(sections)).toMatchFileSnapshot(pathOf("./command-sections.ts"));
  });
});

describe("the schema", () => {
  test("is a valid schema in strict mode", () => {
    expect(() =>
      new Ajv2020({ allowUnionTypes: true, strictTypes: false }).compile(createConfigSchema(sections)),
    ).not.toThrow();
  });

  test("describes every member", () => {
    const { properties = {} } = createConfigSchema(sections);
    const undescribed = Object.entries(properties).flatMap(([name, { description, properties: inner = {} }]) => [
      ...(description === undefined ? [name] : []),
      ...Object.entries(inner).flatMap(([member, schema]) => (schema.description ? [] : [`${name}.${member}`])),
    ]);
    expect(undescribed).toEqual([]);
  });

  test.each(Object.keys(sections))("has no place for a token in the section of %s", (name) => {
    const members = Object.keys(createConfigSchema(sections).properties?.[name]?.properties ?? {});
    // A length in tokens is not a secret.
    const isSecret = (member: string): boolean => /token/iu.test(member) && member !== "longQuestionTokens";
    expect(members.filter((member) => targetOnlyFlags.has(member) || isSecret(member))).toEqual([]);
  });
});

const isAccepted = ({ read }: Flag, value: string | number): boolean => {
  try {
    read(String(value));
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidArgumentError);
    return false;
  }
};

const valuedFlags = Object.entries(sections).flatMap(([command, flags]) =>
  Object.entries(flags)
    .filter(([, { argument }]) => argument !== undefined)
    .map(([member, flag]) => ({ name: `${command} ${member}`, flag, schema: flag.schema })),
);

describe("a value that the schema accepts is accepted by the flag", () => {
  const numbers = valuedFlags.filter(({ schema }) => schema.minimum !== undefined);
  test.each(numbers)("$name", ({ flag, schema }) => {
    const validate = new Ajv2020().compile(schema);
    const { minimum = 0, maximum = 0 } = schema;
    const around = [minimum - 1, minimum, maximum, maximum + 1, (minimum + maximum) / 2];
    const value = fc.oneof(fc.constantFrom(...around), fc.integer(), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(value, (number) => {
        // A number may have more digits than can be typed.
        expect(validate(number) && Number.isInteger(number) ? isAccepted(flag, number) : true).toBe(true);
        expect(isAccepted(flag, number) ? validate(number) : true).toBe(true);
      }),
    );
  });

  const named = valuedFlags.filter(({ schema }) => schema.enum !== undefined);
  test.each(named)("$name, by each of its names and no other", ({ flag, schema }) => {
    expect([...(schema.enum ?? []), "something else"].filter((value) => isAccepted(flag, value))).toEqual(schema.enum);
  });
});
