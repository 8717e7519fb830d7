import type { InterfaceName, OperationName } from "@assay/contract";
import type { ApiDescription, DescribedInterface } from "./description/api-description.ts";
import { describedStatus } from "./description/operation-parts.ts";

/** An answer that came; without a status the operation was only tried. */
export interface SeenOperation {
  readonly interface: InterfaceName;
  readonly operation: OperationName;
  readonly status?: number | undefined;
}

/** What a document describes and nobody saw. */
export interface UnseenOperations {
  /** Operations of the tested interfaces without any answer. */
  readonly operations: readonly UnseenOperation[];
  /** Responses that never came, of operations that had an answer; `status` as the document writes it. */
  readonly responses: readonly (UnseenOperation & { readonly status: string })[];
  /** Method and path of the operations that nothing here tests; text of a stranger. */
  readonly otherOperations: readonly string[];
}

/** An operation of a tested interface, with the text of the document about where it is. */
export interface UnseenOperation {
  readonly interface: DescribedInterface;
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;
}

/**
 * What of `api` was never seen. An answer counts for one response: for its status if that is described, else for the range
 * it is in, else for `default`.
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
    const all = new Set(described);
    const counted = new Set([...came].map((status) => describedStatus(all, status)));
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
