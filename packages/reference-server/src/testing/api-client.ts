import { type IncomingHttpHeaders, request } from "node:http";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import type { RunningServer } from "../server-options.ts";

/** The members of a server that a call needs. */
export type CalledServer = Pick<RunningServer, "url" | "token">;

export interface ApiRequest {
  readonly method?: string;
  /** Path and query below the base URL. */
  readonly path: string;
  /** `undefined` removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Text is sent unchanged, everything else as JSON. */
  readonly body?: unknown;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as an object; empty if it is not one. */
  readonly json: PayloadObject;
}

const objectOf = (text: string): PayloadObject => {
  try {
    const parsed: unknown = JSON.parse(text);
    return isPayloadObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
};

const defined = (headers: ApiRequest["headers"] = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** Sends one request on its own connection. Rejects if there is no answer. */
export const apiRequest = (url: string, { body, headers, method = "GET", path }: ApiRequest): Promise<ApiResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { path, method, headers: defined(headers), agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: objectOf(text) });
      });
    });
    sent.setTimeout(300_000, () => sent.destroy(new Error("the answer took too long")));
    sent.on("error", reject);
    sent.end(body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });

/** Calls the legacy interface, by default with the access token. */
export const legacyCall = (
  server: CalledServer,
  path: string,
  { headers, ...rest }: Omit<ApiRequest, "path"> = {},
): Promise<ApiResponse> =>
  apiRequest(server.url, {
    ...rest,
    path: `/.api/deepsearch/v1${path}`,
    headers: {
      authorization: `token ${server.token}`,
      "x-requested-with": "test 1.0",
      "content-type": "application/json",
      ...headers,
    },
  });

/** Calls the current interface, by default with the access token. */
export const currentCall = (
  server: CalledServer,
  procedure: string,
  { headers, ...rest }: Omit<ApiRequest, "path"> = {},
): Promise<ApiResponse> =>
  apiRequest(server.url, {
    method: "POST",
    body: {},
    ...rest,
    path: `/api/deepsearch.v1.Service/${procedure}`,
    headers: { authorization: `token ${server.token}`, "content-type": "application/json", ...headers },
  });

/** Asks a question through the legacy interface; returns the id of the new conversation. */
export const askLegacy = async (server: CalledServer, question: string, token = server.token): Promise<number> => {
  const headers = { authorization: `token ${token}` };
  const { json } = await legacyCall(server, "", { method: "POST", body: { question }, headers });
  return Number(json["id"]);
};

/** Body of a creation in the current interface. */
export const creation = (text: string) => ({
  parent: "users/~self",
  conversation: { questions: [{ input: [{ question: { text } }] }] },
});

/** The members of an array that are objects. */
export const objectsAt = (json: PayloadObject, member: string): readonly PayloadObject[] => {
  const value = json[member];
  return isPayloadArray(value) ? value.filter(isPayloadObject) : [];
};

/** The last question of a conversation of either interface. */
export const lastQuestion = (json: PayloadObject): PayloadObject => objectsAt(json, "questions").at(-1) ?? {};
