import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { ElsewhereRequest } from "./trial-record.ts";

/** A host other than the reference server. Records whether it receives a token. */
export interface OtherHost {
  readonly port: number;
  /** The newest 100 requests, and where each contained the token. */
  requests(token: string): readonly ElsewhereRequest[];
  close(): Promise<void>;
}

const maxBodyBytes = 64 * 1024;
const maxRequests = 100;

const readBody = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    const part: Buffer = piece;
    bytes += part.length;
    if (bytes <= maxBodyBytes) {
      pieces.push(part);
    }
  }
  return Buffer.concat(pieces).toString();
};

/** A complete request, kept only in memory. */
interface WholeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Returns the part of the Base64 encoding of `text` that does not depend on adjacent bytes, if it follows 0, 1 or 2 bytes of a group of
 * three.
 */
const encodeBase64Part = (text: string, before: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
};

/** Returns encodings of a token: plain, and Base64 in both alphabets, alone or in a longer text. */
const encodeVariants = (token: string): readonly string[] => {
  const encoded = [0, 1, 2].map((before) => encodeBase64Part(token, before));
  const ofAddresses = encoded.map((part) => part.replaceAll("+", "-").replaceAll("/", "_"));
  const ofForms = encoded.map((part) => encodeURIComponent(part));
  return [...new Set([token, ...encoded, ...ofAddresses, ...ofForms])];
};

const withoutToken = (text: string, token: string): string =>
  encodeVariants(token).reduce((rest, spelling) => rest.replaceAll(spelling, "<token>"), text);

const findToken = ({ body, headers, url }: WholeRequest, token: string): readonly string[] => {
  const spellings = encodeVariants(token);
  const has = (text: string): boolean => spellings.some((spelling) => text.includes(spelling));
  const inHeaders = Object.entries(headers)
    .filter(([, value]) => has(String(value)))
    .map(([name]) => `the header ${name}`);
  return [...inHeaders, ...(has(url) ? ["the address"] : []), ...(has(body) ? ["the body"] : [])];
};

/**
 * Starts the host as `localhost`, which every client treats as a host other than `127.0.0.1`. Responds to every request with status 404.
 */
export const startOtherHost = async (): Promise<OtherHost> => {
  const requests: WholeRequest[] = [];
  const server = createServer((request, response) => {
    const { headers, method = "", url = "" } = request;
    const respond = async (): Promise<void> => {
      requests.push({ method, url, headers, body: await readBody(request) });
      requests.splice(0, requests.length - maxRequests);
      response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("404 page not found\n");
    };
    respond().catch(() => response.destroy());
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    requests: (token) =>
      requests.map((request) => ({
        method: request.method,
        url: withoutToken(request.url, token),
        tokenIn: findToken(request, token),
      })),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
