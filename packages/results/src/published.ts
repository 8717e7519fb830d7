import { closedObject } from "@assay/reading";
import * as Type from "typebox";
import type { TLiteral } from "typebox";

/** Creates the head of a published schema. */
export const schemaHead = (name: string, version: number, title: string) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: `urn:assay:schema:${name}:${version}`,
  title,
});

/** Creates the shape of the member `schemaVersion` of a file. */
export const versionShape = <const Version extends number>(version: Version): TLiteral<Version> =>
  Type.Literal(version, { description: "Raised when a reader of the previous version could misread this one." });

/** The program that wrote a file. */
export const ToolShape = closedObject({ name: Type.Literal("assay"), version: Type.String() });
