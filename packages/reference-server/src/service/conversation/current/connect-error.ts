import { type ApiAnswer, jsonAnswer } from "../api/api-answer.ts";

/** Codes of the Connect protocol and their status on this server. */
const statuses = {
  invalid_argument: 400,
  failed_precondition: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  // Real instances use 404. The protocol defines a different status.
  unimplemented: 404,
  deadline_exceeded: 408,
  resource_exhausted: 413,
  internal: 500,
} as const;

export type ConnectCode = keyof typeof statuses;

/** Creates an error response of the current interface. */
export const connectError = (code: ConnectCode, message: string): ApiAnswer =>
  jsonAnswer(statuses[code], { code, message });
