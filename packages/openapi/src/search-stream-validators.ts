import { HarnessError, searchStreamOpenApi } from "@assay/contract";
import type { SearchStreamSchemaName } from "@assay/contract";
import { compileValidators } from "./compile-validators.ts";
import type { Validator } from "./compile-validators.ts";

/** Validators of our document of the streaming search, by schema name. */
export type SearchStreamValidators = Readonly<Record<SearchStreamSchemaName, Validator>>;

let cachedValidators: SearchStreamValidators | undefined;

/**
 * Returns the validators for targets without an OpenAPI document. Compiled on the first call, in some tens of milliseconds, and cached.
 * Does not read files. Source: search-stream, sections 2 and 6.
 */
export const searchStreamValidators = (): SearchStreamValidators => {
  cachedValidators ??= compileValidatorsByName();
  return cachedValidators;
};

const compileValidatorsByName = (): SearchStreamValidators => {
  const validators = compileValidators(searchStreamOpenApi, { trust: "own" });
  const getValidator = (name: SearchStreamSchemaName): Validator => {
    const validator = validators.get(name);
    if (validator === undefined) {
      throw new HarnessError("cannot-compile", `Assay's OpenAPI document has no schema ${name}`);
    }
    return validator;
  };
  return {
    AlertEvent: getValidator("AlertEvent"),
    CommitMatch: getValidator("CommitMatch"),
    ContentMatch: getValidator("ContentMatch"),
    DiffMatch: getValidator("DiffMatch"),
    DoneEvent: getValidator("DoneEvent"),
    FilterSuggestion: getValidator("FilterSuggestion"),
    FiltersEvent: getValidator("FiltersEvent"),
    LineMatch: getValidator("LineMatch"),
    Match: getValidator("Match"),
    MatchesEvent: getValidator("MatchesEvent"),
    PathMatch: getValidator("PathMatch"),
    Position: getValidator("Position"),
    Progress: getValidator("Progress"),
    ProgressEvent: getValidator("ProgressEvent"),
    Range: getValidator("Range"),
    RepoMatch: getValidator("RepoMatch"),
    Skipped: getValidator("Skipped"),
    SuggestedQuery: getValidator("SuggestedQuery"),
    SymbolMatch: getValidator("SymbolMatch"),
  };
};
