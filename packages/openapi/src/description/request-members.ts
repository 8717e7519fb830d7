import { ownMember, ownObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { dereference } from "./dereference.ts";
import { findOperations } from "./find-operations.ts";
import { operationParts } from "./operation-parts.ts";

/** Maximum number of schemas read per request, and of member names collected. */
const maxSchemas = 50;
const maxMembers = 200;

/** Returns the names of the described members of a request body, including references and combined schemas, at most 200. */
export function membersOfSchema(document: JsonObject, schema: unknown): readonly string[] {
  const names = new Set<string>();
  const pending: unknown[] = [schema];
  for (let index = 0; index < Math.min(pending.length, maxSchemas); index += 1) {
    const found = dereference(document, pending[index]);
    if (found !== undefined) {
      Object.keys(ownObject(found, "properties")).forEach((name) => names.add(name));
      for (const keyword of ["allOf", "anyOf", "oneOf"]) {
        const parts = ownMember(found, keyword);
        pending.push(...(Array.isArray(parts) ? parts.slice(0, maxSchemas) : []));
      }
    }
  }
  return [...names].slice(0, maxMembers);
}

/**
 * Returns the described members of the request body of each operation, by `<interface>/<operation>`. Of duplicate operations the first one
 * is used. Does not throw.
 */
export function requestMembers(document: JsonObject): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, readonly string[]>();
  for (const found of findOperations(document)) {
    const { place } = found;
    const label = place?.operation === undefined ? undefined : `${place.interface}/${place.operation}`;
    if (label !== undefined && !members.has(label)) {
      members.set(label, membersOfSchema(document, operationParts(document, found).requestBody?.schema));
    }
  }
  return members;
}
