import {
  apiReferencePath,
  currentPath,
  currentProcedures,
  legacyPath,
  operationNames,
  searchPath,
} from "@assay/contract";
import type { InterfaceName, OperationName } from "@assay/contract";

/** The interface and operation of a request. */
export interface RequestKind {
  readonly interface: InterfaceName;
  readonly operation: OperationName;
}

/** Paths under the base path of the legacy interface, by method. Source: conversation-api, section 4.1. */
const legacyOperations: readonly (readonly [method: string, rest: RegExp, operation: OperationName])[] = [
  ["POST", /^\/?$/, "create"],
  ["GET", /^\/?$/, "list"],
  ["GET", /^\/[^/]+$/, "get"],
  ["DELETE", /^\/[^/]+$/, "delete"],
  ["POST", /^\/[^/]+\/questions$/, "follow-up"],
  ["POST", /^\/[^/]+\/questions\/[^/]+\/cancel$/, "cancel"],
];

const procedures = new Map<string, OperationName>(
  operationNames.flatMap((name) => (isProcedure(name) ? [[currentProcedures[name], name]] : [])),
);

function isProcedure(name: OperationName): name is keyof typeof currentProcedures {
  return Object.hasOwn(currentProcedures, name);
}

/** Returns the part of a path after `prefix`, wherever it occurs, or undefined. */
function pathAfter(path: string, prefix: string): string | undefined {
  const at = path.lastIndexOf(prefix);
  const rest = path.slice(at + prefix.length);
  return at === -1 || !(rest === "" || rest.startsWith("/")) ? undefined : rest;
}

function findLegacyKind(method: string, path: string): RequestKind | undefined {
  const rest = pathAfter(path, legacyPath);
  const match =
    rest === undefined ? undefined : legacyOperations.find(([verb, pattern]) => verb === method && pattern.test(rest));
  return match && { interface: "legacy", operation: match[2] };
}

function findCurrentKind(method: string, path: string): RequestKind | undefined {
  const operation = procedures.get(pathAfter(path, currentPath)?.slice(1) ?? "");
  return method === "POST" && operation !== undefined ? { interface: "current", operation } : undefined;
}

/**
 * Returns the operation of a request, from its method and URL. Any path may precede the documented one. Returns undefined for all other
 * requests, such as preflights.
 */
export function requestKind(method: string, url: string): RequestKind | undefined {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    return undefined;
  }
  const path = new URL(url).pathname;
  if (method === "GET" && path.endsWith(searchPath)) {
    return { interface: "stream", operation: "search" };
  }
  if (method === "GET" && path.endsWith(apiReferencePath)) {
    return { interface: "reference", operation: "describe" };
  }
  return findLegacyKind(method, path) ?? findCurrentKind(method, path);
}

/**
 * Returns the base URL of a request to the service: the URL without credentials, the documented path and everything after it. Returns
 * undefined for other requests.
 */
export function parseBaseUrl(url: string): string | undefined {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    return undefined;
  }
  const { origin, pathname } = new URL(url);
  const at = Math.max(
    ...[searchPath, apiReferencePath, legacyPath, currentPath].map((path) => pathname.lastIndexOf(path)),
  );
  return at === -1 ? undefined : `${origin}${pathname.slice(0, at)}`;
}
