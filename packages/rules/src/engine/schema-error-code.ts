import { placeArgument } from "@assay/contract";
import type { SchemaError } from "@assay/openapi";
import type { FindingDraft } from "./reporter.ts";

/**
 * Code and argument of a schema error: the keyword and the place. Neither if the value has more errors than are
 * listed, because none of them may stand for the rest.
 */
export function codeOfSchemaError({
  keyword,
  pointer,
  missing,
  isPartial,
}: SchemaError): Pick<FindingDraft, "code" | "argument"> {
  const place = missing === undefined ? pointer : `${pointer}/${missing}`;
  return isPartial === true ? {} : { code: keyword, argument: placeArgument(place) };
}
