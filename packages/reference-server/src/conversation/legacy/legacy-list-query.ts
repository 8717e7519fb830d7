import { defined, type ListParameter, sortOrders } from "@assay/contract";
import type { CallContext } from "../api/call-handler.ts";
import type { ListQuery } from "../store/list-query.ts";
import { readCursor } from "../store/page-cursor.ts";

/** A list that was asked for, or which parameter cannot be read and why. */
export type ReadList =
  | { readonly ok: true; readonly query: ListQuery }
  | { readonly ok: false; readonly message: string };

const usualPageSize = 50;
const mostPageSize = 200;

class ParameterError extends Error {
  override readonly name = "ParameterError";
}

const wholeNumber = (name: ListParameter, text: string): number => {
  if (!/^[1-9]\d{0,14}$/u.test(text)) {
    throw new ParameterError(`${name} must be a whole number from 1.`);
  }
  return Number(text);
};

const truth = (name: ListParameter, text: string): boolean => {
  if (text !== "true" && text !== "false") {
    throw new ParameterError(`${name} must be true or false.`);
  }
  return text === "true";
};

const listQuery = ({ call, caller, sharing }: CallContext): ListQuery => {
  const given = <Value>(name: ListParameter, read: (name: ListParameter, text: string) => Value): Value | undefined => {
    const text = call.parameters.get(name);
    return text === null ? undefined : read(name, text);
  };
  const sort =
    given("sort", (name, text) => {
      const found = sortOrders.find((order) => order === text);
      if (found === undefined) {
        throw new ParameterError(`${name} must be one of ${sortOrders.join(", ")}.`);
      }
      return found;
    }) ?? "-updated_at";
  const after = given("page_after", (name, text) => {
    const position = readCursor(text, sort);
    if (position === undefined) {
      throw new ParameterError(`${name} must be a cursor of a list in the same order.`);
    }
    return position;
  });
  const id = given("filter_id", wholeNumber);
  const userId = given("filter_user_id", wholeNumber);
  const readToken = call.parameters.get("filter_read_token") ?? undefined;
  const starred = given("filter_is_starred", truth);
  return {
    viewerId: caller.userId,
    shared: sharing,
    sort,
    pageSize: Math.min(given("page_first", wholeNumber) ?? usualPageSize, mostPageSize),
    ...defined({ id, userId, readToken, starred, after }),
  };
};

/**
 * Reads the parameters of a list; unknown ones are ignored. A page has 50 conversations unless told otherwise and never more
 * than 200. Source: conversation-api, section 4.1.
 */
export const readLegacyList = (context: CallContext): ReadList => {
  try {
    return { ok: true, query: listQuery(context) };
  } catch (error) {
    if (error instanceof ParameterError) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
};
