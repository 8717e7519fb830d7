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
  /** The path does not belong to the conversation API. */
  | { readonly kind: "elsewhere" };

interface LegacyRoute {
  /** Matches the path below the base path. */
  readonly pattern: RegExp;
  readonly operationByMethod: Readonly<Record<string, ApiOperation>>;
}

/** All routes of the legacy interface. A segment that is not a number refers to an unknown conversation. */
const legacyRoutes: readonly LegacyRoute[] = [
  { pattern: /^$/u, operationByMethod: { GET: "list", POST: "create" } },
  { pattern: /^\/(?<conversation>[^/]+)$/u, operationByMethod: { GET: "get", DELETE: "delete" } },
  { pattern: /^\/(?<conversation>[^/]+)\/questions$/u, operationByMethod: { POST: "follow-up" } },
  { pattern: /^\/(?<conversation>[^/]+)\/questions\/(?<question>[^/]+)$/u, operationByMethod: { GET: "get-question" } },
  {
    pattern: /^\/(?<conversation>[^/]+)\/questions\/(?<question>[^/]+)\/cancel$/u,
    operationByMethod: { POST: "cancel" },
  },
];

const readId = (name: "conversationId" | "questionId", text: string | undefined): Partial<CallRoute> =>
  text !== undefined && /^[1-9]\d{0,14}$/u.test(text) ? { [name]: Number(text) } : {};

const routeLegacy = (method: string, subpath: string): RoutedCall => {
  const legacyRoute = legacyRoutes.find(({ pattern }) => pattern.test(subpath));
  if (legacyRoute === undefined) {
    return { kind: "elsewhere" };
  }
  const operation = Object.hasOwn(legacyRoute.operationByMethod, method)
    ? legacyRoute.operationByMethod[method]
    : undefined;
  if (operation === undefined) {
    return { kind: "wrong-method", allow: Object.keys(legacyRoute.operationByMethod).join(", ") };
  }
  const groups = legacyRoute.pattern.exec(subpath)?.groups ?? {};
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

const currentOperations = ["create", "get", "list", "follow-up", "cancel", "delete"] as const;

const routeCurrent = (method: string, procedure: string): RoutedCall => {
  const operation = currentOperations.find((name) => currentProcedures[name] === procedure);
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
