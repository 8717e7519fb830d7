import { knownFields } from "./read-filters.ts";
import { tokenise } from "./tokenise.ts";

/** Values of a filter in a query, in order; `field` in lower case, as it is spelled in full. */
export const filterValues = (query: string, field: string): readonly string[] =>
  tokenise(query, knownFields).flatMap((token) =>
    token.kind === "filter" && token.field === field ? [token.value] : [],
  );

/** A query without a filter, wherever it stands. White space around it becomes one space. */
export const withoutFilter = (query: string, field: string): string => {
  let text = "";
  let end = 0;
  for (const token of tokenise(query, knownFields)) {
    if (token.kind === "filter" && token.field === field) {
      text += `${query.slice(end, token.start).trimEnd()} `;
      end = token.end + (/^\s*/u.exec(query.slice(token.end))?.[0].length ?? 0);
    }
  }
  return (text + query.slice(end)).trim();
};

/** A query with another value of a filter, or with the filter when it had none. */
export const withFilter = (query: string, field: string, value: string | number): string =>
  `${withoutFilter(query, field)} ${field}:${value}`.trim();
