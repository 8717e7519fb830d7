import { apiReferencePath } from "@assay/contract";
import type { ApiAnswer } from "../service/conversation/api/api-answer.ts";
import { sendAnswer } from "../service/conversation/api/send-answer.ts";
import { recordExchange } from "../service/http/exchange.ts";
import type { Exchange } from "../service/http/exchange.ts";
import type { SearchService } from "../service/http/search-service.ts";
import type { ExchangePorts } from "../service/ports.ts";
import { apiDocument } from "./api-document.ts";

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>API reference</title></head>
<body>
<h1>API reference</h1>
<p>Streaming search and conversations. <a href="${apiReferencePath}/openapi.yaml" download>Download the OpenAPI document</a>
or read it <a href="${apiReferencePath}/openapi.json">as JSON</a>.</p>
</body>
</html>
`;

/** Content types by path. JSON is valid YAML, so both downloads have the same bytes. */
const contentTypes: Readonly<Record<string, string>> = {
  [apiReferencePath]: "text/html; charset=utf-8",
  [`${apiReferencePath}/openapi.yaml`]: "application/yaml",
  [`${apiReferencePath}/openapi.json`]: "application/json",
};

/** Reports whether a path belongs to the API reference. */
export const isApiDocsPath = (path: string): boolean => Object.hasOwn(contentTypes, path);

/** Returns the document as a string, or undefined if none is served. */
const documentText = ({ reference }: ExchangePorts): string | undefined => {
  const document = reference.document(apiDocument);
  return document === undefined ? undefined : `${JSON.stringify(document, undefined, 2)}\n`;
};

const notFound: ApiAnswer = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8" },
  text: "404 page not found\n",
};

/** Serves the page or the document. Neither needs a token. Source: conversation-api, section 9. */
export const serveApiDocs = (service: SearchService, streams: Pick<Exchange, "request" | "response">): Promise<void> =>
  recordExchange(service, streams, async (exchange) => {
    const { ports } = exchange;
    const path = (exchange.request.url ?? "").split("?", 1)[0] ?? "";
    const document = documentText(ports);
    if (document === undefined) {
      await sendAnswer(exchange, notFound);
      return;
    }
    await sendAnswer(exchange, {
      status: 200,
      headers: { "content-type": contentTypes[path] ?? "text/plain", "x-content-type-options": "nosniff" },
      text: path === apiReferencePath ? ports.reference.page(page) : document,
    });
  });
