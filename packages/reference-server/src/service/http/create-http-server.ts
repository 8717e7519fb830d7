import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { searchPath } from "@assay/contract";
import { answerCall } from "../conversation/api/answer-call.ts";
import type { ApiAnswer } from "../conversation/api/api-answer.ts";
import type { ApiService } from "../conversation/api/api-service.ts";
import { unknownProcedure } from "../conversation/api/refusals.ts";
import { routeCall } from "../conversation/api/route-call.ts";
import { serveApiDocs, isApiDocsPath } from "../../api-docs/serve-api-docs.ts";
import { answerSearch } from "./answer-search.ts";

/** Result of routing: a handler that writes the response itself, or a complete response. */
type RouteResult =
  | {
      readonly kind: "answering";
      readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    }
  | { readonly kind: "short"; readonly answer: ApiAnswer };

const createTextRoute = (
  status: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
): RouteResult => ({
  kind: "short",
  answer: { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, text: `${line}\n` },
});

const notFound = createTextRoute(404, "404 page not found");
const undecodable = createTextRoute(400, "bad request");
const rejectMethod = (allow: string): RouteResult => createTextRoute(405, "method not allowed", { allow });

const routeGet = (
  method: string,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): RouteResult => (method === "GET" ? { kind: "answering", answer } : rejectMethod("GET"));

const routeRequest = (service: ApiService, method: string, path: string): RouteResult => {
  const { searchService } = service;
  if (path === searchPath) {
    return routeGet(method, (request, response) => answerSearch(searchService, request, response));
  }
  if (isApiDocsPath(path)) {
    return routeGet(method, (request, response) => serveApiDocs(searchService, { request, response }));
  }
  const call = routeCall(method, path);
  switch (call.kind) {
    case "call":
      return {
        kind: "answering",
        answer: (request, response) => answerCall(service, call.route, { request, response }),
      };
    case "wrong-method":
      return rejectMethod(call.allow);
    case "unknown-procedure":
      return { kind: "short", answer: unknownProcedure };
    case "elsewhere":
      return notFound;
  }
};

const sendShort = (response: ServerResponse, { headers, json, status, text }: ApiAnswer): void => {
  const body = text ?? JSON.stringify(json);
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
};

const isDecodable = (path: string): boolean => {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
};

const answerRequest = async (
  service: ApiService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { journal, ports, tokens } = service.searchService;
  const url = request.url ?? "/";
  request.url = ports.wire?.toServer(url) ?? url;
  const path = request.url.split("?", 1)[0] ?? "";
  const route = isDecodable(path) ? routeRequest(service, request.method ?? "", path) : undecodable;
  if (route.kind === "answering") {
    await route.answer(request, response);
    return;
  }
  const journalLine = journal.open({ request, fault: ports.faultId, tokens });
  sendShort(response, route.answer);
  journalLine.recordEnd("finished", route.answer.status);
};

/** The HTTP server of a service. */
export interface HttpServer {
  /** Answers one request. */
  readonly dispatch: (request: IncomingMessage, response: ServerResponse) => void;
  /** Returns the URL. Rejects with an error of the system. */
  listen(host: string, port: number): Promise<string>;
  /** Closes all connections, and returns when no request is being answered. */
  close(): Promise<void>;
}

/** All addresses of the machine are named by that of the loopback interface. */
const formatUrl = ({ address, family, port }: AddressInfo): string => {
  const host = address === "0.0.0.0" ? "127.0.0.1" : address;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
};

/** Creates the server without listening. Handlers take over a request before its body is read. */
export const createHttpServer = (service: ApiService): HttpServer => {
  const unfinishedHandlers = new Set<Promise<void>>();
  const dispatch: HttpServer["dispatch"] = (request, response) => {
    const answering = answerRequest(service, request, response).catch(() => response.destroy());
    const handlerPromise = answering.then(() => void unfinishedHandlers.delete(handlerPromise));
    unfinishedHandlers.add(handlerPromise);
  };
  // A client may keep a connection longer than it waits between requests, and may take as long as it likes to send one.
  const server = createServer({ keepAliveTimeout: 72_000, requestTimeout: 0 }, dispatch);
  return {
    dispatch,
    listen: async (host, port) => {
      server.listen({ host, port });
      await once(server, "listening");
      const address = server.address();
      if (address === null || typeof address === "string") {
        throw new Error("the server listens on no port");
      }
      return formatUrl(address);
    },
    close: async () => {
      const closing = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closing;
      await Promise.all(unfinishedHandlers);
    },
  };
};
