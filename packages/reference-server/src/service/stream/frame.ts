import type { SearchEvent } from "./search-event.ts";

/** An event and its bytes. */
export interface Frame {
  readonly event: SearchEvent;
  readonly bytes: Buffer;
}

const escapes: Readonly<Record<string, string>> = {
  "<": String.raw`\u003c`,
  ">": String.raw`\u003e`,
  "&": String.raw`\u0026`,
  "\u2028": String.raw`\u2028`,
  "\u2029": String.raw`\u2029`,
};

/** JSON as Go's encoder writes it. These five characters occur only in strings, where they are escaped. */
const goJson = (data: unknown): string =>
  (JSON.stringify(data) ?? "null").replace(/[<>&\u2028\u2029]/gu, (character) => escapes[character] ?? character);

/** Two lines, then an empty one. Source: search-stream, section 6. */
export const frameOf = (event: SearchEvent): Frame => ({
  event,
  bytes: Buffer.from(`event: ${event.name}\ndata: ${goJson(event.data)}\n\n`),
});
