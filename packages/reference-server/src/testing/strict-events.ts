import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";

export interface ReadEvent {
  readonly name: string;
  readonly data: unknown;
}

const frame = /^event: (?<name>[a-z]+)\ndata: (?<data>[^\n\r]+)$/u;

/** Parses a stream; throws at the first byte that departs from the format. */
export const strictEvents = (body: Buffer): readonly ReadEvent[] => {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  if (!text.endsWith("\n\n")) {
    throw new Error("the last event has no end");
  }
  return text
    .slice(0, -2)
    .split("\n\n")
    .map((block) => {
      const groups = frame.exec(block)?.groups;
      if (groups === undefined) {
        throw new Error(`not an event of two fields: ${JSON.stringify(block.slice(0, 200))}`);
      }
      return { name: groups["name"] ?? "", data: JSON.parse(groups["data"] ?? "") as unknown };
    });
};

/** Names of the events of a stream, in order. */
export const eventNamesOf = (body: Buffer): readonly string[] => strictEvents(body).map(({ name }) => name);

/** Objects of all events of a name: elements of arrays, or the data itself. */
export const objectsOf = (body: Buffer, name: string): readonly PayloadObject[] =>
  strictEvents(body)
    .filter((event) => event.name === name)
    .flatMap(({ data }) => (isPayloadArray(data) ? data : [data]))
    .filter(isPayloadObject);

/** The data of the last progress. */
export const finalProgressOf = (body: Buffer): PayloadObject | undefined => objectsOf(body, "progress").at(-1);

/** A part of a payload that must be an array of objects. */
export const objectsIn = (value: unknown): readonly PayloadObject[] =>
  isPayloadArray(value) ? value.filter(isPayloadObject) : [];
