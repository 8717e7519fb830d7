import type { InterfaceName, OperationName } from "@assay/contract";
import type { ApiDescription, DescribedInterface } from "./description/api-description.ts";
import { describedStatus } from "./description/operation-parts.ts";

/** An observed response. Without a status, the operation was only attempted. */
export interface SeenOperation {
  readonly interface: InterfaceName;
  readonly operation: OperationName;
  readonly status?: number | undefined;
}

/** The parts of a document that no response showed. */
export interface UnseenOperations {
  /** Operations of the tested interfaces without any response. */
  readonly operations: readonly UnseenOperation[];
  /** Responses that never occurred, of operations with a response. `status` is spelled the same as in the document. */
  readonly responses: readonly (UnseenOperation & { readonly status: string })[];
  /** Method and path of untested operations; untrusted text. */
  readonly otherOperations: readonly string[];
}

/** An operation of a tested interface, in the words of the document. */
export interface UnseenOperation {
  readonly interface: DescribedInterface;
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;
}

/**
 * Returns the part of `api` that was never observed. A response matches its status if that is described, otherwise its range, otherwise
 * `default`.
 */
export const unseenOperations = (
  api: Pick<ApiDescription, "operations" | "otherOperations">,
  seen: Iterable<SeenOperation>,
): UnseenOperations => {
  const statuses = seenStatuses(seen);
  const operations: UnseenOperation[] = [];
  const responses: (UnseenOperation & { readonly status: string })[] = [];
  for (const { interface: name, operation, method, path, statuses: described } of api.operations) {
    const came = statuses.get(`${name}/${operation}`);
    const unseen = { interface: name, operation, method, path };
    if (came === undefined) {
      operations.push(unseen);
      continue;
    }
    const allOperations = new Set(described);
    const counted = new Set([...came].map((status) => describedStatus(allOperations, status)));
    responses.push(...described.filter((status) => !counted.has(status)).map((status) => ({ ...unseen, status })));
  }
  return { operations, responses, otherOperations: api.otherOperations };
};

const seenStatuses = (seen: Iterable<SeenOperation>): ReadonlyMap<string, ReadonlySet<number>> => {
  const statuses = new Map<string, Set<number>>();
  for (const { interface: name, operation, status } of seen) {
    if (status !== undefined) {
      const label = `${name}/${operation}`;
      statuses.set(label, (statuses.get(label) ?? new Set()).add(status));
    }
  }
  return statuses;
};
