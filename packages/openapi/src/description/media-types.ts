import { isJsonObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";

/** Returns a media type without parameters, in lower case. */
export const plainMediaType = (mediaType: string): string => mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** Reports whether a plain media type is JSON. */
export const isJsonMediaType = (mediaType: string): boolean =>
  mediaType === "application/json" || mediaType === "text/json" || mediaType.endsWith("+json");

/** Returns the entry of a content map for a plain media type: the type itself, otherwise its range, otherwise the range of all types. */
export const findContent = (content: JsonObject, mediaType: string): JsonObject | undefined => {
  const range = `${mediaType.split("/", 1)[0] ?? ""}/*`;
  for (const wanted of [mediaType, range, "*/*"]) {
    const entry = Object.entries(content).find(([key]) => plainMediaType(key) === wanted)?.[1];
    if (isJsonObject(entry)) {
      return entry;
    }
  }
  return undefined;
};

/** Returns the entry of a content map for JSON: `application/json`, otherwise another JSON type, otherwise a matching range. */
export const findJsonContent = (content: JsonObject): JsonObject | undefined => {
  const otherJsonType = Object.keys(content).map(plainMediaType).find(isJsonMediaType);
  const plain = Object.keys(content).map(plainMediaType).includes("application/json");
  return findContent(content, plain ? "application/json" : (otherJsonType ?? "application/json"));
};
