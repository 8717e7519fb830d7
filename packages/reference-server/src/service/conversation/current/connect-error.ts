import { type ApiAnswer, jsonAnswer } from "../api/api-answer.ts";

/**
 * HTTP status of each Connect error code on this server. `deadline_exceeded`, `resource_exhausted` and
 * `unimplemented` differ from the protocol, which defines 504, 429 and 501. The first two describe the request body
 * here. Real instances use 404 for `unimplemented`.
 */
const httpStatusByCode = {
  invalid_argument: 400,
  failed_precondition: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  unimplemented: 404,
  deadline_exceeded: 408,
  resource_exhausted: 413,
  internal: 500,
} as const;

export type ConnectCode = keyof typeof httpStatusByCode;

/** Creates an error response of the current interface. */
export const createConnectError = (code: ConnectCode, message: string): ApiAnswer =>
  jsonAnswer(httpStatusByCode[code], { code, message });
