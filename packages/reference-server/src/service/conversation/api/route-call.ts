import { currentPath, currentProcedures, legacyPath } from "@assay/contract";
import type { ApiCall, ApiOperation } from "./api-call.ts";

/** Interface, operation and ids of a call. */
export type CallRoute = Pick<ApiCall, "interface" | "operation" | "conversationId" | "questionId">;

/** Result of routing a request of the conversation API. */
export type RoutedCall =
  | { readonly kind: "call"; readonly route: CallRoute }
  /** The path exists, but only for the methods in `allow`. */
  | { readonly kind: "wrong-method"; readonly allow: string }
  /** A procedure of the current interface that does not exist. */
  | { readonly kind: "unknown-procedure" }
  | { readonly kind: "elsewhere" };

interface LegacyPath {
  readonly pattern: RegExp;
  readonly operations: Readonly<Record<string, ApiOperation>>;
}

/** Paths below the base path. A segment that is not a number refers to an unknown conversation. */
const legacyPaths: readonly LegacyPath[] = [
  { pattern: /^$/u, operations: { GET: "list", POST: "create" } },
  { pattern: /^\/(?<conversation>[^/]+)$/u, operations: { GET: "get", DELETE: "delete" } },
  { pattern: /^\/(?<conversation>[^/]+)\/questions$/u, operations: { POST: "follow-up" } },
  { pattern: /^\/(?<conversation>[^/]+)\/questions\/(?<question>[^/]+)$/u, operations: { GET: "get-question" } },
  {
    pattern: /^\/(?<conversation>[^/]+)\/questions\/(?<question>[^/]+)\/cancel$/u,
    operations: { POST: "cancel" },
  },
];

const readId = (name: "conversationId" | "questionId", text: string | undefined): Partial<CallRoute> =>
  text !== undefined && /^[1-9]\d{0,14}$/u.test(text) ? { [name]: Number(text) } : {};

const routeLegacy = (method: string, subpath: string): RoutedCall => {
  const path = legacyPaths.find(({ pattern }) => pattern.test(subpath));
  if (path === undefined) {
    return { kind: "elsewhere" };
  }
  const operation = Object.hasOwn(path.operations, method) ? path.operations[method] : undefined;
  if (operation === undefined) {
    return { kind: "wrong-method", allow: Object.keys(path.operations).join(", ") };
  }
  const groups = path.pattern.exec(subpath)?.groups ?? {};
  return {
    kind: "call",
    route: {
      interface: "legacy",
      operation,
      ...readId("conversationId", groups["conversation"]),
      ...readId("questionId", groups["question"]),
    },
  };
};

const operations = ["create", "get", "list", "follow-up", "cancel", "delete"] as const;

const routeCurrent = (method: string, procedure: string): RoutedCall => {
  const operation = operations.find((name) => currentProcedures[name] === procedure);
  if (operation === undefined) {
    return { kind: "unknown-procedure" };
  }
  return method === "POST"
    ? { kind: "call", route: { interface: "current", operation } }
    : { kind: "wrong-method", allow: "POST" };
};

/** Routes a request by method and path, without the query. Source: conversation-api, section 4. */
export const routeCall = (method: string, path: string): RoutedCall => {
  if (path === legacyPath || path.startsWith(`${legacyPath}/`)) {
    return routeLegacy(method, path.slice(legacyPath.length));
  }
  return path.startsWith(`${currentPath}/`)
    ? routeCurrent(method, path.slice(currentPath.length + 1))
    : { kind: "elsewhere" };
};
