import { type ConnectCode, createConnectError } from "../current/connect-error.ts";
import type { AccessProblem, ApiAccess } from "./api-access.ts";
import { type ApiAnswer, textAnswer } from "./api-answer.ts";
import type { ApiCall } from "./api-call.ts";
import type { BodyResult } from "./read-body.ts";
import type { JsonResult } from "./read-json.ts";

type InterfaceName = ApiCall["interface"];

const accessStatuses: Readonly<Record<AccessProblem, { readonly status: number; readonly code: ConnectCode }>> = {
  "no-token": { status: 401, code: "unauthenticated" },
  "invalid-token": { status: 401, code: "unauthenticated" },
  "other-scheme": { status: 401, code: "unauthenticated" },
  "missing-scope": { status: 403, code: "permission_denied" },
  "client-header": { status: 400, code: "invalid_argument" },
};

/** Builds the response to a refused call in the format of its interface. */
export const createAccessRefusal = (
  name: InterfaceName,
  { message, problem }: Extract<ApiAccess, { allowed: false }>,
): ApiAnswer => {
  const { code, status } = accessStatuses[problem];
  return name === "legacy" ? textAnswer(status, message) : createConnectError(code, message);
};

const bodyProblems = {
  "too-large": { status: 413, code: "resource_exhausted", message: "The body is larger than 1 MiB." },
  "too-slow": { status: 408, code: "deadline_exceeded", message: "The body did not arrive in time." },
  broken: { status: 400, code: "invalid_argument", message: "The body ended early." },
} as const;

/** Builds the response to an invalid body. Returns undefined if the body is valid or not needed. */
export const createBodyRefusal = (
  name: InterfaceName,
  body: BodyResult,
  json: JsonResult | undefined,
): ApiAnswer | undefined => {
  if (!body.ok) {
    const { code, message, status } = bodyProblems[body.reason];
    return name === "legacy" ? textAnswer(status, message) : createConnectError(code, message);
  }
  if (json === undefined || json.ok) {
    return undefined;
  }
  if (json.problem === "content-type") {
    return textAnswer(415, json.message);
  }
  return name === "legacy" ? textAnswer(400, json.message) : createConnectError("invalid_argument", json.message);
};

/** Refuses Connect protocol versions other than 1. The header is optional. */
export const checkProtocol = ({ headers, interface: name }: ApiCall): ApiAnswer | undefined => {
  const version = headers["connect-protocol-version"];
  return name === "legacy" || version === undefined || version === "1"
    ? undefined
    : createConnectError("invalid_argument", 'connect-protocol-version must be "1"');
};

/** Builds the response to an internal error. */
export const createServerFailure = (name: InterfaceName): ApiAnswer =>
  name === "legacy"
    ? textAnswer(500, "internal server error")
    : createConnectError("internal", "internal server error");

/** The response to a call of an unknown procedure. */
export const unknownProcedure: ApiAnswer = createConnectError("unimplemented", "there is no such procedure");
