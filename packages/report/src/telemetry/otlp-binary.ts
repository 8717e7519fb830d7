import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { OtlpRequest } from "./otlp-metrics.ts";

/** The encoding of a field. Any other string in `messages` is the name of a message. */
type FieldKind = "string" | "bool" | "double" | "enum" | "int64" | "fixed64" | "sfixed64" | "doubles" | "fixed64s";

type Fields = Readonly<Record<string, readonly [number: number, kind: string]>>;

/**
 * Field numbers and kinds of the messages Assay sends, keyed by JSON name, in field-number order. Source:
 * opentelemetry-proto 1.
 */
const messages: Readonly<Record<string, Fields>> = {
  request: { resourceMetrics: [1, "resourceMetrics"] },
  resourceMetrics: { resource: [1, "resource"], scopeMetrics: [2, "scopeMetrics"] },
  resource: { attributes: [1, "keyValue"] },
  scopeMetrics: { scope: [1, "scope"], metrics: [2, "metric"] },
  scope: { name: [1, "string"], version: [2, "string"] },
  metric: {
    name: [1, "string"],
    description: [2, "string"],
    unit: [3, "string"],
    gauge: [5, "gauge"],
    sum: [7, "sum"],
    histogram: [9, "histogram"],
  },
  gauge: { dataPoints: [1, "numberPoint"] },
  sum: { dataPoints: [1, "numberPoint"], aggregationTemporality: [2, "enum"], isMonotonic: [3, "bool"] },
  histogram: { dataPoints: [1, "histogramPoint"], aggregationTemporality: [2, "enum"] },
  numberPoint: {
    startTimeUnixNano: [2, "fixed64"],
    timeUnixNano: [3, "fixed64"],
    asDouble: [4, "double"],
    asInt: [6, "sfixed64"],
    attributes: [7, "keyValue"],
  },
  histogramPoint: {
    startTimeUnixNano: [2, "fixed64"],
    timeUnixNano: [3, "fixed64"],
    count: [4, "fixed64"],
    sum: [5, "double"],
    bucketCounts: [6, "fixed64s"],
    explicitBounds: [7, "doubles"],
    attributes: [9, "keyValue"],
    min: [11, "double"],
    max: [12, "double"],
  },
  keyValue: { key: [1, "string"], value: [2, "anyValue"] },
  anyValue: { stringValue: [1, "string"], boolValue: [2, "bool"], intValue: [3, "int64"], doubleValue: [4, "double"] },
};

type WriteField = (writer: BinaryWriter, value: unknown) => void;

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Returns a writer for a packed list of numbers. */
const writePacked =
  (write: (writer: BinaryWriter, value: string) => void): WriteField =>
  (writer, value) => {
    writer.fork();
    for (const number of toList(value)) {
      write(writer, String(number));
    }
    writer.join();
  };

const fieldWriters: Readonly<Record<FieldKind, readonly [type: WireType, write: WriteField]>> = {
  string: [WireType.LengthDelimited, (writer, value) => writer.string(String(value))],
  bool: [WireType.Varint, (writer, value) => writer.bool(value === true)],
  double: [WireType.Bit64, (writer, value) => writer.double(Number(value))],
  enum: [WireType.Varint, (writer, value) => writer.int32(Number(value))],
  int64: [WireType.Varint, (writer, value) => writer.int64(String(value))],
  fixed64: [WireType.Bit64, (writer, value) => writer.fixed64(String(value))],
  sfixed64: [WireType.Bit64, (writer, value) => writer.sfixed64(String(value))],
  doubles: [WireType.LengthDelimited, writePacked((writer, value) => writer.double(Number(value)))],
  fixed64s: [WireType.LengthDelimited, writePacked((writer, value) => writer.fixed64(value))],
};

const isKind = (name: string): name is FieldKind => Object.hasOwn(fieldWriters, name);

function writeMessage(writer: BinaryWriter, name: string, message: object): void {
  const members = new Map<string, unknown>(Object.entries(message));
  for (const [member, [number, kind]] of Object.entries(messages[name] ?? {})) {
    const value = members.get(member);
    if (value === undefined) {
      continue;
    }
    if (isKind(kind)) {
      const [type, write] = fieldWriters[kind];
      write(writer.tag(number, type), value);
      continue;
    }
    for (const item of toList(value)) {
      writer.tag(number, WireType.LengthDelimited).fork();
      writeMessage(writer, kind, Object(item));
      writer.join();
    }
  }
}

/** Encodes an OTLP request as binary protobuf, equivalent to its JSON. */
export function encodeOtlp(request: OtlpRequest): Uint8Array {
  const writer = new BinaryWriter();
  writeMessage(writer, "request", request);
  return writer.finish();
}
