import type { Socket } from "node:net";
import { connect, constants } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import { Buffer } from "node:buffer";
import { TLSSocket } from "node:tls";
import type { HeaderField } from "@assay/evidence";

/** A request over HTTP/2, and whoever is told what comes back. */
export interface Http2Exchange {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: readonly HeaderField[];
  readonly body?: string | undefined;
  /** Ends it at once, whatever has come. */
  readonly signal: AbortSignal;
  /** The final head: fields as they came, in order. */
  readonly onHead: (status: number, headers: readonly HeaderField[]) => void;
  readonly onData: (bytes: Uint8Array) => void;
}

/** A stream, or its connection, was closed before the target had ended it. */
class StreamClosed extends Error {
  override readonly name = "StreamClosed";
  readonly code = "STREAM_CLOSED";
}

/** A target that did not agree on HTTP/2. */
class NoHttp2 extends Error {
  override readonly name = "NoHttp2";
  readonly code = "NO_HTTP2";
}

/** The connection, or why there is none; also when the exchange is ended before. */
const connectionOf = (socket: Promise<Socket>, signal: AbortSignal): Promise<Socket | Error> =>
  new Promise((resolve) => {
    socket.then(resolve, (cause: unknown) => resolve(errorOf(cause)));
    signal.addEventListener("abort", () => resolve(new Error("ended before it was connected")), { once: true });
  });

const errorOf = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause), { cause }));

/** Room for what is on its way: a stream must not wait for us, or it would look as if something held it back. */
const windowBytes = 16 * 1024 * 1024;

function outgoing({ method, url, headers, body }: Http2Exchange): OutgoingHttpHeaders {
  const fields = new Map<string, string | readonly string[]>();
  for (const [name, value] of headers) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [before, value].flat());
  }
  return {
    ":method": method,
    ":authority": url.host,
    ":scheme": url.protocol.slice(0, -1),
    ":path": url.pathname + url.search,
    ...Object.fromEntries(fields),
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
}

/**
 * Whether the target has ended a stream itself (END_STREAM). Node ends its side of one that was reset without an error just as well,
 * but only after it was closed.
 */
function watchEnd(stream: ClientHttp2Stream): () => boolean {
  let isEnded = false;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    isEnded ||= chunk === null && !stream.closed;
    return push(chunk, encoding);
  };
  return () => isEnded;
}

/** Pairs of a raw list without those of the protocol itself. */
function fieldsOf(raw: unknown): readonly HeaderField[] {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return Array.from({ length: list.length / 2 }, (_, index): HeaderField => [
    String(list[2 * index]),
    String(list[2 * index + 1]),
  ]).filter(([name]) => !name.startsWith(":"));
}

function follow(
  stream: ClientHttp2Stream,
  session: ClientHttp2Session,
  exchange: Http2Exchange,
): Promise<Error | undefined> {
  let ofSession: Error | undefined;
  let ofStream: Error | undefined;
  let hasHead = false;
  const isEnded = watchEnd(stream);
  session.on("error", (cause) => (ofSession ??= cause));
  stream.on("error", (cause) => (ofStream ??= cause));
  // Node gives the fields as they came as a third argument, which its type does not say.
  stream.on("response", (headers, _flags, ...[raw]: readonly unknown[]) => {
    hasHead = true;
    exchange.onHead(headers[":status"] ?? 0, fieldsOf(raw));
  });
  stream.on("data", (bytes: Buffer) => exchange.onData(bytes));
  return new Promise((resolve) => {
    stream.on("close", () => {
      // A reset without an error is the end of a response only where that is complete. Source: RFC 9113, section 8.1.
      const { rstCode } = stream;
      const isWhole = hasHead && isEnded() && rstCode === constants.NGHTTP2_NO_ERROR;
      // What breaks the session ends its streams, and says more.
      resolve(ofSession ?? ofStream ?? (isWhole ? undefined : new StreamClosed(`closed with the code ${rstCode}`)));
    });
  });
}

async function speak(socket: Socket, exchange: Http2Exchange): Promise<Error | undefined> {
  const { signal, url, body } = exchange;
  const session = connect(url.origin, {
    createConnection: () => socket,
    // How large a head may be is a limit of its own.
    maxHeaderListPairs: 10_000,
    settings: { enablePush: false, initialWindowSize: windowBytes },
  });
  session.on("connect", () => session.setLocalWindowSize(windowBytes));
  const abort = (): void => session.destroy();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const stream = session.request(outgoing(exchange), { endStream: body === undefined });
    const ended = follow(stream, session, exchange);
    if (body !== undefined) {
      stream.end(body);
    }
    if (signal.aborted) {
      abort();
    }
    return await ended;
  } catch (cause) {
    return errorOf(cause);
  } finally {
    signal.removeEventListener("abort", abort);
    session.destroy();
  }
}

/**
 * Sends one request over a connection that was offered HTTP/2, and reads its answer. Resolves with undefined where the target has
 * ended the stream, else with the error, also where it did not agree on HTTP/2: nothing is sent then. Never rejects. Nothing that
 * the target pushes is accepted.
 */
export async function exchangeOverHttp2(opening: Promise<Socket>, exchange: Http2Exchange): Promise<Error | undefined> {
  const socket = await connectionOf(opening, exchange.signal);
  if (socket instanceof Error) {
    return socket;
  }
  return socket instanceof TLSSocket && socket.alpnProtocol === "h2" ? speak(socket, exchange) : new NoHttp2();
}
