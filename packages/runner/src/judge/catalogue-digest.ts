import { createHash } from "node:crypto";
import { ruleCatalogue, searchStreamOpenApi, searchStreamSentences } from "@assay/contract";

const digestOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** SHA-256 of the rules and the sentences they come from, lower-case hex. */
export const catalogueDigest = (): string => digestOf([ruleCatalogue, searchStreamSentences]);

/** SHA-256 of the OpenAPI document that judges, lower-case hex. */
export const openApiDigest = (): string => digestOf(searchStreamOpenApi);
