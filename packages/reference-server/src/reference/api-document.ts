import { currentOpenApi, legacyOpenApi, type OpenApiDocument, searchStreamOpenApi } from "@assay/contract";
import type { PayloadObject } from "../payload.ts";

type Operation = Readonly<Record<string, unknown>> & {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
};

/** One document with a name that tells its parts from those of the others. */
interface Part {
  readonly name: string;
  readonly document: OpenApiDocument;
}

const parts: readonly Part[] = [
  { name: "search", document: searchStreamOpenApi },
  { name: "legacy", document: legacyOpenApi },
  { name: "current", document: currentOpenApi },
];

const schemeName = ({ name }: Part, scheme: string): string =>
  `${name}${scheme.slice(0, 1).toUpperCase()}${scheme.slice(1)}`;

/** Security schemes of the parts share names and differ in what they say, so each gets the name of its part in front. */
const schemesOf = (part: Part): PayloadObject =>
  Object.fromEntries(
    Object.entries(part.document.components.securitySchemes).map(([name, scheme]) => [schemeName(part, name), scheme]),
  );

const withSchemes = (part: Part, operation: Operation): Operation => ({
  ...operation,
  security: (operation.security ?? []).map((choice) =>
    Object.fromEntries(Object.entries(choice).map(([name, scopes]) => [schemeName(part, name), scopes])),
  ),
});

const pathsOf = (part: Part): PayloadObject =>
  Object.fromEntries(
    Object.entries(part.document.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]: readonly [string, Operation]) => [
          method,
          withSchemes(part, operation),
        ]),
      ),
    ]),
  );

const merged = (of: (part: Part) => PayloadObject): PayloadObject =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(of(part))));

/** The OpenAPI document of everything that this server offers; the same on every server, wherever it listens. */
export const apiDocument: PayloadObject = {
  openapi: "3.1.0",
  info: {
    title: "Code search",
    version: "1.0.0",
    description: "Streaming search and conversations, as the reference server offers them.",
  },
  // Relative to where the document was found.
  servers: [{ url: "/" }],
  paths: merged(pathsOf),
  components: {
    securitySchemes: merged(schemesOf),
    schemas: merged(({ document }) => document.components.schemas),
  },
};
