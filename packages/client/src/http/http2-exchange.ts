import type { Socket } from "node:net";
import { connect, constants } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import { Buffer } from "node:buffer";
import { TLSSocket } from "node:tls";
import type { HeaderField } from "@assay/evidence";

/** A request over HTTP/2 and its callbacks. */
export interface Http2Exchange {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: readonly HeaderField[];
  readonly body?: string | undefined;
  /** Aborting ends the exchange immediately. */
  readonly signal: AbortSignal;
  /** Called with the final head. The fields are verbatim and in order. */
  readonly onHead: (status: number, headers: readonly HeaderField[]) => void;
  readonly onData: (bytes: Uint8Array) => void;
}

/** Thrown if a stream or its connection was closed before the target ended it. */
class StreamClosed extends Error {
  override readonly name = "StreamClosed";
  readonly code = "STREAM_CLOSED";
}

/** Thrown if the target did not accept HTTP/2. */
class Http2NotAccepted extends Error {
  override readonly name = "NoHttp2";
  readonly code = "NO_HTTP2";
}

/** Resolves with the connection or the error. Also settles if the exchange is aborted first. */
const awaitConnection = (socket: Promise<Socket>, signal: AbortSignal): Promise<Socket | Error> =>
  new Promise((resolve) => {
    socket.then(resolve, (cause: unknown) => resolve(toError(cause)));
    signal.addEventListener("abort", () => resolve(new Error("ended before it was connected")), { once: true });
  });

const toError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause), { cause }));

/** Large enough that a stream never waits for the client, which would look like buffering by a proxy. */
const windowBytes = 16 * 1024 * 1024;

function buildHeaders({ method, url, headers, body }: Http2Exchange): OutgoingHttpHeaders {
  const fields = new Map<string, string | readonly string[]>();
  for (const [name, value] of headers) {
    const existingValue = fields.get(name);
    fields.set(name, existingValue === undefined ? value : [existingValue, value].flat());
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
 * Returns a function that reports whether the target ended the stream (END_STREAM). Node also ends its side of a stream that was reset
 * without an error, but only after the stream was closed.
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

/** Returns the fields of a raw header list, without pseudo-headers. */
function toHeaderFields(raw: unknown): readonly HeaderField[] {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return Array.from({ length: list.length / 2 }, (_, index): HeaderField => [
    String(list[2 * index]),
    String(list[2 * index + 1]),
  ]).filter(([name]) => !name.startsWith(":"));
}

function receiveResponse(
  stream: ClientHttp2Stream,
  session: ClientHttp2Session,
  exchange: Http2Exchange,
): Promise<Error | undefined> {
  let sessionError: Error | undefined;
  let streamError: Error | undefined;
  let hasHead = false;
  const isEnded = watchEnd(stream);
  session.on("error", (cause) => (sessionError ??= cause));
  stream.on("error", (cause) => (streamError ??= cause));
  // Node passes the raw fields as a third argument, which its type omits.
  stream.on("response", (headers, _flags, ...[raw]: readonly unknown[]) => {
    hasHead = true;
    exchange.onHead(headers[":status"] ?? 0, toHeaderFields(raw));
  });
  stream.on("data", (bytes: Buffer) => exchange.onData(bytes));
  return new Promise((resolve) => {
    stream.on("close", () => {
      // A reset without an error ends a response only if the response is complete. Source: RFC 9113, section 8.1.
      const { rstCode } = stream;
      const isComplete = hasHead && isEnded() && rstCode === constants.NGHTTP2_NO_ERROR;
      // An error of the session also ends its streams, and is more specific.
      resolve(
        sessionError ?? streamError ?? (isComplete ? undefined : new StreamClosed(`closed with the code ${rstCode}`)),
      );
    });
  });
}

async function exchangeOnSession(socket: Socket, exchange: Http2Exchange): Promise<Error | undefined> {
  const { signal, url, body } = exchange;
  const session = connect(url.origin, {
    createConnection: () => socket,
    // The size of a response head has its own limit.
    maxHeaderListPairs: 10_000,
    settings: { enablePush: false, initialWindowSize: windowBytes },
  });
  session.on("connect", () => session.setLocalWindowSize(windowBytes));
  const abort = (): void => session.destroy();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const stream = session.request(buildHeaders(exchange), { endStream: body === undefined });
    const completion = receiveResponse(stream, session, exchange);
    if (body !== undefined) {
      stream.end(body);
    }
    if (signal.aborted) {
      abort();
    }
    return await completion;
  } catch (cause) {
    return toError(cause);
  } finally {
    signal.removeEventListener("abort", abort);
    session.destroy();
  }
}

/**
 * Sends one request over a connection for which HTTP/2 was offered, and reads the response. Resolves with undefined if the target ended the
 * stream, otherwise with the error. If the target did not accept HTTP/2, it sends no request. Never rejects. Refuses server push.
 */
export async function exchangeOverHttp2(
  socketPromise: Promise<Socket>,
  exchange: Http2Exchange,
): Promise<Error | undefined> {
  const socket = await awaitConnection(socketPromise, exchange.signal);
  if (socket instanceof Error) {
    return socket;
  }
  return socket instanceof TLSSocket && socket.alpnProtocol === "h2"
    ? exchangeOnSession(socket, exchange)
    : new Http2NotAccepted();
}
