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
interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Returns the part of the Base64 encoding of `text` that does not depend on adjacent bytes, if it follows 0, 1 or 2 bytes of a group of
 * three.
 */
const encodeBase64Part = (text: string, offset: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
};

/** Returns encodings of a token: plain, and Base64 in both alphabets, alone or in a longer text. */
const encodeVariants = (token: string): readonly string[] => {
  const base64Parts = [0, 1, 2].map((offset) => encodeBase64Part(token, offset));
  const urlSafeParts = base64Parts.map((part) => part.replaceAll("+", "-").replaceAll("/", "_"));
  const percentEncodedParts = base64Parts.map((part) => encodeURIComponent(part));
  return [...new Set([token, ...base64Parts, ...urlSafeParts, ...percentEncodedParts])];
};

const redactToken = (text: string, token: string): string =>
  encodeVariants(token).reduce((redacted, spelling) => redacted.replaceAll(spelling, "<token>"), text);

const findTokenPlaces = ({ body, headers, url }: ReceivedRequest, token: string): readonly string[] => {
  const spellings = encodeVariants(token);
  const containsToken = (text: string): boolean => spellings.some((spelling) => text.includes(spelling));
  const headerPlaces = Object.entries(headers)
    .filter(([, value]) => containsToken(String(value)))
    .map(([name]) => `the header ${name}`);
  return [
    ...headerPlaces,
    ...(containsToken(url) ? ["the address"] : []),
    ...(containsToken(body) ? ["the body"] : []),
  ];
};

/**
 * Starts the host as `localhost`, which every client treats as a host other than `127.0.0.1`. Responds to every request with status 404.
 */
export const startOtherHost = async (): Promise<OtherHost> => {
  const requests: ReceivedRequest[] = [];
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
        url: redactToken(request.url, token),
        tokenIn: findTokenPlaces(request, token),
      })),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
