import { closedObject } from "@assay/reading";
import * as Type from "typebox";
import type { TLiteral } from "typebox";

/** Returns the common header members of a published schema. */
export const schemaHeader = (name: string, version: number, title: string) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: `urn:assay:schema:${name}:${version}`,
  title,
});

/** Returns the schema of the `schemaVersion` member. */
export const schemaVersionSchema = <const Version extends number>(version: Version): TLiteral<Version> =>
  Type.Literal(version, { description: "Raised when a reader of the previous version could misread this one." });

/** The program that wrote a file. */
export const ToolShape = closedObject({ name: Type.Literal("assay"), version: Type.String() });
