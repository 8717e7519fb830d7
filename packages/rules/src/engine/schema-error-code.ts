import { placeArgument } from "@assay/contract";
import type { SchemaError } from "@assay/openapi";
import type { FindingDraft } from "./reporter.ts";

/**
 * Returns the code and argument of a schema error: the keyword and the location. It returns neither if the value has
 * more errors than are listed, because a listed one would not represent the rest.
 */
export function schemaErrorCode({
  keyword,
  pointer,
  missing,
  isTruncated,
}: SchemaError): Pick<FindingDraft, "code" | "argument"> {
  const location = missing === undefined ? pointer : `${pointer}/${missing}`;
  return isTruncated === true ? {} : { code: keyword, argument: placeArgument(location) };
}
