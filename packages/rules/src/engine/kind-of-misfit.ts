import { placeArgument } from "@assay/contract";
import type { SchemaError } from "@assay/openapi";
import type { FindingDraft } from "./reporter.ts";

/**
 * What tells a departure from a schema apart from others: the keyword, and the place as an argument. Nothing where the value
 * departs in more ways than are told: then none of them may stand for the rest.
 */
export function kindOfMisfit({
  keyword,
  pointer,
  missing,
  isPartial,
}: SchemaError): Pick<FindingDraft, "code" | "argument"> {
  const place = missing === undefined ? pointer : `${pointer}/${missing}`;
  return isPartial === true ? {} : { code: keyword, argument: placeArgument(place) };
}
