import { apiReferencePath } from "@assay/contract";
import { type ApiAnswer } from "../conversation/api/api-answer.ts";
import { sendAnswer } from "../conversation/api/send-answer.ts";
import { effectAt } from "../faults/fault.ts";
import { type Exchange, keepExchange } from "../http/exchange.ts";
import type { SearchService } from "../http/search-service.ts";
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

/** Where the page and the document are; JSON is YAML as well, so both downloads have the same bytes. */
const contentTypes: Readonly<Record<string, string>> = {
  [apiReferencePath]: "text/html; charset=utf-8",
  [`${apiReferencePath}/openapi.yaml`]: "application/yaml",
  [`${apiReferencePath}/openapi.json`]: "application/json",
};

/** Whether a path is one of the API reference. */
export const isReferencePath = (path: string): boolean => Object.hasOwn(contentTypes, path);

/** The document as text; undefined where a fault has it missing. */
const documentText = (service: SearchService, { run }: Exchange): string | undefined => {
  const describe = effectAt(service.active?.fault, "conversation")?.describe;
  const described = describe === undefined ? apiDocument : describe(apiDocument, run);
  return described === undefined ? undefined : `${JSON.stringify(described, undefined, 2)}\n`;
};

/** The page as a fault has it. */
const pageText = (service: SearchService, { run }: Exchange): string => {
  const change = effectAt(service.active?.fault, "conversation")?.referencePage;
  return change === undefined ? page : change(page, run);
};

const missing: ApiAnswer = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8" },
  text: "404 page not found\n",
};

/** Answers with the page or the document. Neither needs a token. Source: conversation-api, section 9. */
export const answerReference = (
  service: SearchService,
  streams: Pick<Exchange, "request" | "response">,
): Promise<void> =>
  keepExchange(service, streams, async (exchange) => {
    const path = (exchange.request.url ?? "").split("?", 1)[0] ?? "";
    const document = documentText(service, exchange);
    if (document === undefined) {
      await sendAnswer(exchange, missing);
      return;
    }
    await sendAnswer(exchange, {
      status: 200,
      headers: { "content-type": contentTypes[path] ?? "text/plain", "x-content-type-options": "nosniff" },
      text: path === apiReferencePath ? pageText(service, exchange) : document,
    });
  });
