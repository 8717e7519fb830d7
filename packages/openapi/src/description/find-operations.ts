import { isJsonObject, ownMember, ownObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { dereference } from "./dereference.ts";
import { findOperationPlace } from "./operation-place.ts";
import type { OperationPlace } from "./operation-place.ts";

/** An operation of a document. */
export interface LocatedOperation {
  /** Undefined for an operation outside the tested interfaces. */
  readonly place: OperationPlace | undefined;
  readonly path: string;
  /** In upper case. */
  readonly method: string;
  readonly operation: JsonObject;
  /** The enclosing object, which may contain parameters for all methods. */
  readonly pathItem: JsonObject;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;

const maxServers = 10;
const maxUrlLength = 2000;

/** Maximum length of a reported path or operation name, in characters. */
export const maxNameLength = 200;

/** Returns the name of an unnamed operation: method and path, truncated to 200 characters. */
export const methodAndPath = ({ method, path }: LocatedOperation): string =>
  `${method} ${path}`.slice(0, maxNameLength);

/** Returns every operation of a document, in order. A path is tried both alone and with the path of each of its servers. */
export const findOperations = (document: JsonObject): readonly LocatedOperation[] =>
  Object.entries(ownObject(document, "paths")).flatMap(([path, value]) => {
    const pathItem = dereference(document, value);
    return pathItem === undefined ? [] : listOperations(document, path, pathItem);
  });

const listOperations = (document: JsonObject, path: string, pathItem: JsonObject): readonly LocatedOperation[] =>
  methods.flatMap((name) => {
    const operation = ownMember(pathItem, name);
    if (!isJsonObject(operation)) {
      return [];
    }
    const method = name.toUpperCase();
    const prefixes = ["", ...serverPaths([operation, pathItem, document])];
    const places = prefixes.map((prefix) => findOperationPlace(`${prefix}/${path}`, method));
    const place =
      places.find((candidate) => candidate?.operation !== undefined) ??
      places.find((candidate) => candidate !== undefined);
    return [{ place, path, method, operation, pathItem }];
  });

/** Returns the server paths of the first holder that has any. */
const serverPaths = (holders: readonly JsonObject[]): readonly string[] => {
  const lists = holders.map((holder) => ownMember(holder, "servers"));
  const servers: readonly unknown[] = lists.find((list): list is unknown[] => Array.isArray(list)) ?? [];
  return servers.slice(0, maxServers).filter(isJsonObject).map(serverPath);
};

const serverPath = (server: JsonObject): string => {
  const variables = ownObject(server, "variables");
  const url = ownMember(server, "url");
  const template = typeof url === "string" ? url.slice(0, maxUrlLength) : "";
  const expanded = template.replaceAll(/\{([^{}]{0,100})\}/g, (whole, name: string) => {
    const value = ownMember(ownObject(variables, name), "default");
    return typeof value === "string" ? value.slice(0, maxUrlLength) : whole;
  });
  return expanded.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
};
