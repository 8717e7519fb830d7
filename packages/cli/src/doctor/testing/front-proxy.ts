import { request as sendRequest } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { createGzip } from "node:zlib";

/** How a proxy forwards a body. */
type Pass = (from: IncomingMessage, to: ServerResponse) => void;

const hopByHop = new Set(["connection", "transfer-encoding", "keep-alive"]);

const headersOf = ({ headers }: IncomingMessage): OutgoingHttpHeaders =>
  Object.fromEntries(
    // Names with a colon are HTTP/2 pseudo-headers.
    Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !name.startsWith(":")),
  );

/** Forwards requests to a server, even those for another host, and answers with the given function. */
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

/** Forwards everything immediately. */
export const passing = (target: string): RequestListener => proxyTo(target, passOn);

/** Forwards answers when they are complete, or in blocks of this many bytes. */
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

/** Compresses streams if the client accepts gzip, without flushing before the end. */
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

/** Answers some requests itself and forwards all others. */
const answering =
  (target: string, answer: (request: IncomingMessage, response: ServerResponse) => boolean): RequestListener =>
  (request, response) => {
    if (!answer(request, response)) {
      passing(target)(request, response);
    }
  };

const searchOf = ({ url = "/" }: IncomingMessage): URLSearchParams => new URL(url, "http://front").searchParams;

/** True for an authorized search for more than the first match. */
const isLongSearch = (request: IncomingMessage): boolean => {
  const query = searchOf(request).get("q");
  return query !== null && !query.endsWith("count:1");
};

/** Sends the error page of a proxy. */
const pageOf = (response: ServerResponse, status: number): true => {
  response.writeHead(status, { "content-type": "text/html" }).end(`<html><h1>${status}</h1></html>`);
  return true;
};

/** Longer searches time out before they find anything. */
export const givingUp = (target: string): RequestListener =>
  answering(target, (request, response) => isLongSearch(request) && pageOf(response, 504));

/** One in `every` requests reaches a server that is down: an error page, or no answer. */
export function failingNowAndThen(target: string, every: number, how: "page" | "nothing"): RequestListener {
  let count = 0;
  return answering(target, (request, response) => {
    count += 1;
    if (count % every !== 0) {
      return false;
    }
    if (how === "page") {
      return pageOf(response, 503);
    }
    request.socket.destroy();
    return true;
  });
}

/** Drops a request header. */
export const losing =
  (target: string, name: string): RequestListener =>
  (request, response) => {
    delete request.headers[name];
    passing(target)(request, response);
  };

/** The first requests for the OpenAPI document fail. */
export function describingLate(target: string, failures: number): RequestListener {
  let count = 0;
  return answering(target, (request, response) => {
    const isDescription = request.url?.startsWith("/api-reference") === true;
    count += isDescription ? 1 : 0;
    return isDescription && count <= failures && pageOf(response, 503);
  });
}

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const searchMs = 1200;
const tickMs = 50;

/**
 * Longer searches take more than a second and find large results all the time; with `display` they return only the first match. Forwards
 * this many bytes of each stream as they are made, and the rest at its end.
 */
export const keeping = (target: string, passedBytes = Number.POSITIVE_INFINITY): RequestListener =>
  answering(target, (request, response) => {
    if (!isLongSearch(request)) {
      return false;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    const beganMs = performance.now();
    const isSmall = searchOf(request).has("display");
    let madeBytes = 0;
    let kept = "";
    const send = (text: string): void => {
      madeBytes += text.length;
      if (madeBytes <= passedBytes) {
        response.write(text);
      } else {
        kept += text;
      }
    };
    const match = event("matches", [{ type: "path", path: "x".repeat(5000), repository: "r" }]);
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      const durationMs = Math.round(performance.now() - beganMs);
      const done = durationMs >= searchMs;
      const found = isSmall && count > 1 ? "" : match;
      send(found + event("progress", { done, matchCount: count, durationMs, skipped: [] }));
      if (done) {
        clearInterval(timer);
        response.end(`${kept}${event("done", {})}`);
      }
    }, tickMs);
    response.on("close", () => clearInterval(timer));
    return true;
  });
