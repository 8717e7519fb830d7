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

/** Encodes JSON like Go's encoder. It escapes five characters, which only occur in strings. */
const goJson = (data: unknown): string =>
  (JSON.stringify(data) ?? "null").replace(/[<>&\u2028\u2029]/gu, (character) => escapes[character] ?? character);

/** Encodes an event as two lines and an empty line. Source: search-stream, section 6. */
export const encodeFrame = (event: SearchEvent): Frame => ({
  event,
  bytes: Buffer.from(`event: ${event.name}\ndata: ${goJson(event.data)}\n\n`),
});
