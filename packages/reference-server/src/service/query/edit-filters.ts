import { knownFields } from "./read-filters.ts";
import { tokenise } from "./tokenise.ts";

/** Returns the values of a filter in a query, in order. `field` is its long name in lower case. */
export const readFilterValues = (query: string, field: string): readonly string[] =>
  tokenise(query, knownFields).flatMap((token) =>
    token.kind === "filter" && token.field === field ? [token.value] : [],
  );

/** Removes a filter from a query. Replaces white space around it with one space. */
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

/** Sets the value of a filter, and adds the filter if it is absent. */
export const withFilter = (query: string, field: string, value: string | number): string =>
  `${withoutFilter(query, field)} ${field}:${value}`.trim();
