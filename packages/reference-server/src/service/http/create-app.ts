import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
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

const sendShort = async (reply: FastifyReply, { headers, json, status, text }: ApiAnswer): Promise<void> => {
  await reply
    .code(status)
    .headers(headers)
    .send(text ?? JSON.stringify(json));
};

/**
 * Creates the server without listening. Handlers take over a request before its body is read. Each is in `unfinishedHandlers` until it
 * ends.
 */
export const createApp = (service: ApiService, unfinishedHandlers: Set<Promise<void>>): FastifyInstance => {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    frameworkErrors: (_error, _request, reply) => {
      reply.hijack();
      reply.raw.writeHead(400, { "content-type": "text/plain; charset=utf-8" }).end("bad request\n");
    },
  });
  app.addHook("onRequest", async (request: FastifyRequest, reply: FastifyReply) => {
    const { wire } = service.searchService.ports;
    request.raw.url = wire?.toServer(request.url) ?? request.url;
    const route = routeRequest(service, request.method, request.url.split("?", 1)[0] ?? "");
    if (route.kind === "short") {
      const { journal, ports, tokens } = service.searchService;
      const journalLine = journal.open({ request: request.raw, fault: ports.faultId, tokens });
      await sendShort(reply, route.answer);
      journalLine.recordEnd("finished", route.answer.status);
      return;
    }
    reply.hijack();
    const answerPromise = route.answer(request.raw, reply.raw).catch(() => reply.raw.destroy());
    const handlerPromise = answerPromise.then(() => void unfinishedHandlers.delete(handlerPromise));
    unfinishedHandlers.add(handlerPromise);
  });
  return app;
};
