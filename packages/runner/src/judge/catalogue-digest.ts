import { createHash } from "node:crypto";
import { allRequirements, currentOpenApi, legacyOpenApi, ruleCatalogue, searchStreamOpenApi } from "@assay/contract";

const computeDigest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** SHA-256 of the rules and their requirements, lower-case hex. */
export const catalogueDigest = (): string => computeDigest([ruleCatalogue, allRequirements]);

/** SHA-256 of the OpenAPI documents shipped with the tool, lower-case hex. */
export const openApiDigest = (): string => computeDigest([searchStreamOpenApi, legacyOpenApi, currentOpenApi]);
