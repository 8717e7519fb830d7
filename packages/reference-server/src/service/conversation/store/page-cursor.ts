import { type SortOrder, sortOrders } from "@assay/contract";
import type { PagePosition } from "./list-query.ts";

/** Encodes a position as an opaque string. */
export const writeCursor = (sort: SortOrder, { id, value }: PagePosition): string =>
  Buffer.from(`${sortOrders.indexOf(sort)}:${value}:${id}`).toString("base64url");

/** Decodes a cursor. Returns undefined if it is invalid or belongs to a different sort order. */
export const readCursor = (cursor: string, sort: SortOrder): PagePosition | undefined => {
  const parts = /^(\d):(\d{1,15}):(\d{1,15})$/u.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  return parts === null || sortOrders[Number(parts[1])] !== sort
    ? undefined
    : { value: Number(parts[2]), id: Number(parts[3]) };
};
