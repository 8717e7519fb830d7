import { ownMember, ownObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { dereference } from "./dereference.ts";
import { findOperations } from "./find-operations.ts";
import { readOperationParts } from "./operation-parts.ts";

/** Maximum number of schemas read per request, and of member names collected. */
const maxSchemas = 50;
const maxMembers = 200;

/** Returns the names of the described members of a request body, including references and combined schemas, at most 200. */
export function listSchemaMembers(document: JsonObject, schema: unknown): readonly string[] {
  const names = new Set<string>();
  const pending: unknown[] = [schema];
  for (let index = 0; index < Math.min(pending.length, maxSchemas); index += 1) {
    const target = dereference(document, pending[index]);
    if (target !== undefined) {
      Object.keys(ownObject(target, "properties")).forEach((name) => names.add(name));
      for (const keyword of ["allOf", "anyOf", "oneOf"]) {
        const parts = ownMember(target, keyword);
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
export function listRequestMembers(document: JsonObject): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, readonly string[]>();
  for (const found of findOperations(document)) {
    const { place } = found;
    const label = place?.operation === undefined ? undefined : `${place.interface}/${place.operation}`;
    if (label !== undefined && !members.has(label)) {
      members.set(label, listSchemaMembers(document, readOperationParts(document, found).requestBody?.schema));
    }
  }
  return members;
}
