import { request as sendRequest } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { createGzip } from "node:zlib";

/** What a proxy does with a body on its way. */
type Pass = (from: IncomingMessage, to: ServerResponse) => void;

const hopByHop = new Set(["connection", "transfer-encoding", "keep-alive"]);

const headersOf = ({ headers }: IncomingMessage): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));

/** Passes requests on to a server, also those that name another host, and answers in its own way. */
const proxyTo =
  (target: string, pass: Pass): RequestListener =>
  (request, response) => {
    const asked = new URL(request.url ?? "/", target);
    const { host, port } = new URL(target);
    const { "accept-encoding": _encoding, ...headers } = headersOf(request);
    const upstream = sendRequest(
      {
        host: "127.0.0.1",
        port,
        path: asked.pathname + asked.search,
        method: request.method,
        headers: { ...headers, host },
      },
      (answer) => pass(answer, response),
    );
    upstream.on("error", () => response.destroy());
    response.on("close", () => upstream.destroy());
    request.pipe(upstream);
  };

const isStream = ({ headers }: IncomingMessage): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") === true;

const passOn: Pass = (from, to) => {
  to.writeHead(from.statusCode ?? 502, { ...headersOf(from), via: "1.1 front" });
  from.pipe(to);
};

/** Everything is passed on as it comes. */
export const passing = (target: string): RequestListener => proxyTo(target, passOn);

/** Answers are passed on once they are complete, or once there are so many bytes of them. */
export const buffering = (target: string, bytes = Number.POSITIVE_INFINITY): RequestListener =>
  proxyTo(target, (from, to) => {
    let held: Buffer[] = [];
    const release = (): void => {
      to.write(Buffer.concat(held));
      held = [];
    };
    to.writeHead(from.statusCode ?? 502, { ...headersOf(from), server: "nginx" });
    from.on("data", (chunk: Buffer) => {
      held.push(chunk);
      if (held.reduce((sum, { length }) => sum + length, 0) >= bytes) {
        release();
      }
    });
    from.on("end", () => {
      release();
      to.end();
    });
    from.on("error", () => to.destroy());
  });

/** Streams are compressed where the client reads gzip, and nothing is flushed before the end. */
export const gzipping =
  (target: string): RequestListener =>
  (request, response) => {
    const isAsked = String(request.headers["accept-encoding"]).includes("gzip");
    const compress: Pass = (from, to) => {
      to.writeHead(from.statusCode ?? 502, { ...headersOf(from), "content-encoding": "gzip", server: "nginx" });
      from.pipe(createGzip()).pipe(to);
    };
    proxyTo(target, (from, to) => (isAsked && isStream(from) ? compress(from, to) : passOn(from, to)))(
      request,
      response,
    );
  };
