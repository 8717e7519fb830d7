import { sortOrders } from "@assay/contract";

const isId = (value: string): boolean => /^\d+$/.test(value);
const isText = (value: string): boolean => value !== "";

const documentedValues: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["filter_id", isId],
  ["filter_user_id", isId],
  ["filter_read_token", isText],
  ["filter_is_starred", (value) => value === "true" || value === "false"],
  ["page_first", (value) => /^[1-9]\d*$/.test(value)],
  ["page_after", isText],
  ["sort", (value) => sortOrders.some((order) => order === value)],
]);

/** Whether a parameter of a legacy list is one the document lists, with a value of the documented kind. Source: conversation-api, section 4.1. */
export const isDocumentedListParameter = ([name, value]: readonly [name: string, value: string]): boolean =>
  documentedValues.get(name)?.(value) ?? false;
