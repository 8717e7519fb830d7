import { currentOpenApi, legacyOpenApi, searchStreamOpenApi } from "@assay/contract";
import type { JsonObject } from "../json-object.ts";

/** The project's own documents, one for each interface. */
export const ownDocuments: readonly JsonObject[] = [searchStreamOpenApi, legacyOpenApi, currentOpenApi];
