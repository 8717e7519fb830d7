import type { InterfaceName, OperationName } from "@assay/contract";
import type { ApiDescription, DescribedInterface } from "./description/api-description.ts";
import { findDescribedStatus } from "./description/operation-parts.ts";

/** An observed response. Without a status, the operation was only attempted. */
export interface ObservedOperation {
  readonly interface: InterfaceName;
  readonly operation: OperationName;
  readonly status?: number | undefined;
}

/** The parts of a document that no response showed. */
export interface UnobservedParts {
  /** Operations of the tested interfaces without any response. */
  readonly operations: readonly UnobservedOperation[];
  /** Responses that never occurred, of operations with a response. `status` is spelled the same as in the document. */
  readonly responses: readonly (UnobservedOperation & { readonly status: string })[];
  /** Method and path of untested operations; untrusted text. */
  readonly otherOperations: readonly string[];
}

/** An operation of a tested interface, in the words of the document. */
export interface UnobservedOperation {
  readonly interface: DescribedInterface;
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;
}

/**
 * Returns the part of `api` that was never observed. A response matches its status if that is described, otherwise its range, otherwise
 * `default`.
 */
export const findUnobservedParts = (
  api: Pick<ApiDescription, "operations" | "otherOperations">,
  seen: Iterable<ObservedOperation>,
): UnobservedParts => {
  const statusesByOperation = collectStatuses(seen);
  const operations: UnobservedOperation[] = [];
  const responses: (UnobservedOperation & { readonly status: string })[] = [];
  for (const { interface: name, operation, method, path, statuses: described } of api.operations) {
    const observedStatuses = statusesByOperation.get(`${name}/${operation}`);
    const unobserved = { interface: name, operation, method, path };
    if (observedStatuses === undefined) {
      operations.push(unobserved);
      continue;
    }
    const allOperations = new Set(described);
    const countedStatuses = new Set([...observedStatuses].map((status) => findDescribedStatus(allOperations, status)));
    responses.push(
      ...described.filter((status) => !countedStatuses.has(status)).map((status) => ({ ...unobserved, status })),
    );
  }
  return { operations, responses, otherOperations: api.otherOperations };
};

const collectStatuses = (seen: Iterable<ObservedOperation>): ReadonlyMap<string, ReadonlySet<number>> => {
  const statuses = new Map<string, Set<number>>();
  for (const { interface: name, operation, status } of seen) {
    if (status !== undefined) {
      const label = `${name}/${operation}`;
      statuses.set(label, (statuses.get(label) ?? new Set()).add(status));
    }
  }
  return statuses;
};
