import { type IncomingHttpHeaders, request } from "node:http";
import type { RunningServer } from "../server-options.ts";

/** An answer as received, undecoded. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Lengths of the pieces in which the body arrived. */
  readonly pieces: readonly number[];
  /** `complete`, or the code of the error that ended the exchange. `body` has everything before it. */
  readonly end: string;
}

export interface RawRequest {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly path?: string;
}

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : error.message;

/** Sends one request on its own connection, like curl: no decoding, retries or redirects. */
export const rawRequest = (url: string, options: RawRequest): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { headers = {}, method = "GET", parameters = {}, path = "/.api/search/stream" } = options;
    const query = new URLSearchParams(parameters).toString();
    let finishAnswer: ((end: string) => void) | undefined;
    const sent = request(
      `${url}${path}${query === "" ? "" : `?${query}`}`,
      { method, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        const finish = (end: string): void =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
            pieces: chunks.map(({ length }) => length),
            end,
          });
        finishAnswer = finish;
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => finish("complete"));
        response.on("error", (error) => finish(codeOf(error)));
      },
    );
    sent.setTimeout(300_000, () => sent.destroy(new Error("the answer took too long")));
    // Newer versions of Node report a broken connection on the request first.
    sent.on("error", (error) => (finishAnswer === undefined ? reject(error) : finishAnswer(codeOf(error))));
    sent.end();
  });

/** A search with the access token. */
export const rawSearch = (
  server: RunningServer,
  q: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> =>
  rawRequest(server.url, {
    parameters: { q, ...parameters },
    headers: { authorization: `token ${server.token}`, accept: "text/event-stream" },
  });
