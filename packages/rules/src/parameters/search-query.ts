import type { SearchParameter } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";

/** Parameters of a search as sent; an address that cannot be parsed has none. */
export function searchQuery({ request }: Pick<ExchangeRecord, "request">): URLSearchParams {
  return URL.canParse(request.url) ? new URL(request.url).searchParams : new URLSearchParams();
}

/** Parameters by name. */
interface ParameterLookup {
  readonly get: (name: string) => string | null | undefined;
}

/** A parameter as an integer, or `undefined` when it is missing or no integer. */
export function integerParameter(query: ParameterLookup, name: SearchParameter): number | undefined {
  const text = query.get(name) ?? "";
  return /^-?\d{1,9}$/u.test(text) ? Number(text) : undefined;
}

/** What two searches must share to be the same one, whoever asks: every parameter, in any order. */
export function sameSearch({ record }: { readonly record: Pick<ExchangeRecord, "request"> }): string {
  const query = searchQuery(record);
  query.sort();
  return query.toString();
}
