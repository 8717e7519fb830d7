import { searchStreamOpenApi } from "@assay/contract";
import { compileNamedValidators } from "./named-validators.ts";
import type { SearchStreamValidators } from "./search-stream-validators.ts";

/**
 * Compiles our document of the streaming search, in some tens of milliseconds. `tools/bundle-command.js` replaces this module with
 * generated code, so that the bundled command checks a stream without a schema compiler.
 */
export const compileSearchStream = (): SearchStreamValidators => compileNamedValidators(searchStreamOpenApi);
