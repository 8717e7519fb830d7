import { isJsonObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";

/** A media type without parameters, in lower case. */
export const plainMediaType = (mediaType: string): string => mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** True for a plain media type of JSON. */
export const isJsonMediaType = (mediaType: string): boolean =>
  mediaType === "application/json" || mediaType === "text/json" || mediaType.endsWith("+json");

/** The entry of a content map for a plain media type: the type itself, else its range, else the range of all types. */
export const contentFor = (content: JsonObject, mediaType: string): JsonObject | undefined => {
  const range = `${mediaType.split("/", 1)[0] ?? ""}/*`;
  for (const wanted of [mediaType, range, "*/*"]) {
    const entry = Object.entries(content).find(([key]) => plainMediaType(key) === wanted)?.[1];
    if (isJsonObject(entry)) {
      return entry;
    }
  }
  return undefined;
};

/** The entry of a content map for JSON: `application/json`, else another JSON type, else a matching range. */
export const jsonContent = (content: JsonObject): JsonObject | undefined => {
  const other = Object.keys(content).map(plainMediaType).find(isJsonMediaType);
  const plain = Object.keys(content).map(plainMediaType).includes("application/json");
  return contentFor(content, plain ? "application/json" : (other ?? "application/json"));
};
