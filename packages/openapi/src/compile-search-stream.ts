import { searchStreamOpenApi } from "@assay/contract";
import { compileNamedValidators } from "./named-validators.ts";
import type { Validator } from "./validator.ts";

/** The schemas that rules check. Others are parts of these. */
export const checkedSchemas = ["ContentMatch", "FiltersEvent", "ProgressEvent", "Skipped"] as const;

/** Validators of our document of the streaming search, by schema name. */
export type SearchStreamValidators = Readonly<Record<(typeof checkedSchemas)[number], Validator>>;

/**
 * Compiles our document of the streaming search, in some tens of milliseconds. `tools/bundle-command.js` replaces this module with
 * generated code, so that the bundled command checks a stream without a schema compiler.
 */
export const compileSearchStream = (): SearchStreamValidators => compileNamedValidators(searchStreamOpenApi);
