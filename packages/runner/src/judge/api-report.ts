import type { RecordedExchange } from "@assay/evidence";
import { pinnedApi, unseenOperations } from "@assay/openapi";
import type { ApiDescription } from "@assay/openapi";
import type { ApiDocumentReport } from "@assay/results";
import type { ServedApi } from "./served-api.ts";

const noDocument =
  "the target served no OpenAPI document that could be used, so the one that comes with the tool judged; --openapi names another";

/** Operations and statuses that a document describes and nothing showed, a sentence each. */
function unseenSentences(api: ApiDescription, exchanges: readonly RecordedExchange[]): readonly string[] {
  const { operations, responses } = unseenOperations(api, exchanges.map(seenOf));
  return [
    ...operations.map(({ interface: name, operation }) => `${name} ${operation}: never asked`),
    ...responses.map(({ interface: name, operation, status }) => `${name} ${operation}: status ${status}`),
  ];
}

const seenOf = ({ record }: RecordedExchange) => ({
  interface: record.interface,
  operation: record.operation,
  status: record.response?.status,
});

/** Which document judged the answers, how it differs from the pinned one, and what of it nothing showed. */
export function apiReport(served: ServedApi, exchanges: readonly RecordedExchange[]): ApiDocumentReport {
  const { api = pinnedApi(), address, sha256, notes } = served;
  const isServed = served.api !== undefined;
  return {
    source: isServed ? "served" : "pinned",
    ...(address === undefined ? {} : { address }),
    ...(sha256 === undefined ? {} : { sha256 }),
    notes: [...notes, ...api.notes, ...(isServed ? [] : [noDocument])],
    differences: api.differences.map(({ operation, message }) => `${operation}: ${message}`),
    unseen: unseenSentences(api, exchanges),
  };
}
