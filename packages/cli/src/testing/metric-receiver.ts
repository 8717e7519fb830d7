import { createServer } from "node:http";

/** Labels of which there are few values. */
const closedLabels: ReadonlySet<string> = new Set(["flow", "name", "phase"]);

/** Names of metrics that were received; of remote write with the names of their labels, closed ones also as `flow=search`. */
export interface ReceivedMetrics {
  readonly remoteWrite: ReadonlyMap<string, ReadonlySet<string>>;
  readonly openTelemetry: ReadonlySet<string>;
}

/** Bytes of a block in Snappy's format, in which remote write is sent. */
function unpackedSnappy(block: Buffer): Buffer {
  let at = 0;
  const next = (): number => block[at++] ?? 0;
  const little = (bytes: number): number =>
    Array.from({ length: bytes }, (_, index) => next() * 256 ** index).reduce((sum, one) => sum + one, 0);
  let size = 0;
  for (let shift = 0, byte = 128; byte >= 128; shift += 7) {
    byte = next();
    size += (byte & 127) * 2 ** shift;
  }
  const out = Buffer.alloc(size);
  let to = 0;
  while (at < block.length) {
    const tag = next();
    const high = tag >> 2;
    if ((tag & 3) === 0) {
      const length = (high < 60 ? high : little(high - 59)) + 1;
      to += block.copy(out, to, at, at + length);
      at += length;
    } else {
      const isShort = (tag & 3) === 1;
      const length = isShort ? (high & 7) + 4 : high + 1;
      const back = isShort ? (tag >> 5) * 256 + next() : little((tag & 3) === 2 ? 2 : 4);
      for (const end = to + length; to < end; to += 1) {
        // A copied part may overlap its destination.
        out[to] = out[to - back] ?? 0;
      }
    }
  }
  return out;
}

/** The fields of a protobuf message that have bytes, in their order. */
function fieldsOf(message: Buffer, wanted: number): readonly Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (at < message.length) {
    const key = varint();
    const type = key % 8;
    if (type === 2) {
      const length = varint();
      found.push(...(Math.floor(key / 8) === wanted ? [message.subarray(at, at + length)] : []));
      at += length;
    } else if (type === 0) {
      varint();
    } else {
      at += type === 1 ? 8 : 4;
    }
  }
  return found;
}

const textOf = (message: Buffer, field: number): string => fieldsOf(message, field)[0]?.toString("utf8") ?? "";

/** A receiver on the loopback for Prometheus remote write and OTLP over HTTP. */
export async function startMetricReceiver() {
  const remoteWrite = new Map<string, Set<string>>();
  const openTelemetry = new Set<string>();
  const readRemoteWrite = (body: Buffer): void => {
    for (const series of fieldsOf(unpackedSnappy(body), 1)) {
      const labels = fieldsOf(series, 1).map((label) => ({ name: textOf(label, 1), value: textOf(label, 2) }));
      const metric = labels.find(({ name }) => name === "__name__")?.value ?? "";
      const names = remoteWrite.get(metric) ?? new Set<string>();
      remoteWrite.set(metric, names);
      for (const { name, value } of labels.filter((label) => label.name !== "__name__")) {
        names.add(name);
        if (closedLabels.has(name)) {
          names.add(`${name}=${value}`);
        }
      }
    }
  };
  const readOpenTelemetry = (body: Buffer): void => {
    const scopes = fieldsOf(body, 1).flatMap((resource) => fieldsOf(resource, 2));
    for (const metric of scopes.flatMap((scope) => fieldsOf(scope, 2))) {
      openTelemetry.add(textOf(metric, 1));
    }
  };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      (request.url === "/api/v1/write" ? readRemoteWrite : readOpenTelemetry)(Buffer.concat(pieces));
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    host: `127.0.0.1:${port}`,
    received: (): ReceivedMetrics => ({ remoteWrite, openTelemetry }),
    close: (): Promise<unknown> => new Promise((done) => void server.close(done)),
  };
}
