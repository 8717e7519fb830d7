import { HarnessError, searchStreamOpenApi } from "@assay/contract";
import type { SearchStreamSchemaName } from "@assay/contract";
import { compileValidators } from "./compile-validators.ts";
import type { Validator } from "./compile-validators.ts";

/** Validators of our document of the streaming search, by schema name. */
export type SearchStreamValidators = Readonly<Record<SearchStreamSchemaName, Validator>>;

let cached: SearchStreamValidators | undefined;

/**
 * Returns the validators for targets without an OpenAPI document. Compiled on the first call, in some tens of milliseconds, and cached.
 * Does not read files. Source: search-stream, sections 2 and 6.
 */
export const searchStreamValidators = (): SearchStreamValidators => {
  cached ??= compileOwn();
  return cached;
};

const compileOwn = (): SearchStreamValidators => {
  const validators = compileValidators(searchStreamOpenApi, { trust: "own" });
  const named = (name: SearchStreamSchemaName): Validator => {
    const validator = validators.get(name);
    if (validator === undefined) {
      throw new HarnessError("cannot-compile", `Assay's OpenAPI document has no schema ${name}`);
    }
    return validator;
  };
  return {
    AlertEvent: named("AlertEvent"),
    CommitMatch: named("CommitMatch"),
    ContentMatch: named("ContentMatch"),
    DiffMatch: named("DiffMatch"),
    DoneEvent: named("DoneEvent"),
    FilterSuggestion: named("FilterSuggestion"),
    FiltersEvent: named("FiltersEvent"),
    LineMatch: named("LineMatch"),
    Match: named("Match"),
    MatchesEvent: named("MatchesEvent"),
    PathMatch: named("PathMatch"),
    Position: named("Position"),
    Progress: named("Progress"),
    ProgressEvent: named("ProgressEvent"),
    Range: named("Range"),
    RepoMatch: named("RepoMatch"),
    Skipped: named("Skipped"),
    SuggestedQuery: named("SuggestedQuery"),
    SymbolMatch: named("SymbolMatch"),
  };
};
