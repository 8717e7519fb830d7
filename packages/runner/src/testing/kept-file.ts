import type { LoadSide } from "@assay/contract";
import { crc32 } from "node:zlib";

/** An exchange of a load; everything has a default. */
export interface KeptSketch {
  readonly id?: string;
  readonly method?: string;
  readonly url?: string;
  /** 0 for no answer. */
  readonly status?: number;
  readonly body?: string | Uint8Array;
  readonly failure?: string;
  /** HTTP version, as a number. */
  readonly http?: number;
  readonly session?: string;
  readonly side?: LoadSide;
  readonly query?: string;
  readonly inFlight?: number;
  readonly sentAtMicros?: number;
}

/** A number as a varint, 7 bits per byte. */
const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];

function frame(kind: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind), content]);
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)];
  head.writeUInt32LE(body.length + 4);
  tail.writeUInt32LE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

const piece = (id: number, content: string | Uint8Array): Buffer =>
  frame("P", Buffer.from([...varint(id), ...Buffer.from(content)]));

const usual = {
  phase: "measure",
  method: "GET",
  url: "http://code.example/.api/search/stream?q=test",
  status: 200,
  body: "",
  side: "base",
  query: "q",
  inFlight: 1,
  ratePerSecond: 1,
} as const;

function exchange(sketch: KeptSketch, number: number): readonly Buffer[] {
  const { method, url, status, body, ...head } = {
    id: `e${number + 1}`,
    sentAtMicros: 1000 * number,
    ...usual,
    ...sketch,
  };
  const [request, headers, bytes] = [3 * number + 1, 3 * number + 2, 3 * number + 3];
  const length = Buffer.byteLength(body);
  const answer = status === 0 ? {} : { status, headers, headersAtMicros: head.sentAtMicros + 100 };
  const header = Buffer.from(JSON.stringify({ ...head, ...answer, request, endedAtMicros: head.sentAtMicros + 900 }));
  const parts = length === 0 ? [0, 0] : [1, ...varint(bytes), 1, ...varint(length), ...varint(200)];
  return [
    piece(request, JSON.stringify({ method, url, headers: [["Authorization", "token x"]] })),
    piece(headers, '[["Content-Type","text/event-stream"]]'),
    ...(length === 0 ? [] : [piece(bytes, body)]),
    frame("X", Buffer.from([...varint(header.length), ...header, ...parts])),
  ];
}

/** The bytes of a file as written by the k6 extension: exchanges, and the names of finished conversations. */
export const keptFileBytes = (entries: readonly (KeptSketch | string)[]): Buffer =>
  Buffer.concat([
    Buffer.from("ASSAYEX1"),
    ...entries.flatMap((entry, number) =>
      typeof entry === "string" ? [frame("E", Buffer.from(entry))] : exchange(entry, number),
    ),
  ]);
