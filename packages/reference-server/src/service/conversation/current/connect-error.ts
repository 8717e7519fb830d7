import { type ApiAnswer, jsonAnswer } from "../api/api-answer.ts";

/** Codes of the Connect protocol that this server uses, with the status that goes with each. */
const statuses = {
  invalid_argument: 400,
  failed_precondition: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  // As instances in the field answer it; the protocol itself has another status for it.
  unimplemented: 404,
  deadline_exceeded: 408,
  resource_exhausted: 413,
  internal: 500,
} as const;

/** Code of a call that failed. */
export type ConnectCode = keyof typeof statuses;

/** The answer to a call of the current interface that failed. */
export const connectError = (code: ConnectCode, message: string): ApiAnswer =>
  jsonAnswer(statuses[code], { code, message });
