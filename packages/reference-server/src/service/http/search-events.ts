import { defined } from "@assay/contract";
import { parseQuery } from "../query/parse-query.ts";
import { supportedPatternTypes } from "../query/search-query.ts";
import type { Alert, SearchQuery } from "../query/search-query.ts";
import { noContext } from "../ripgrep/context-lines.ts";
import { RipgrepError } from "../ripgrep/run-ripgrep.ts";
import { createEmptyPlan, planSearch } from "../search/plan-search.ts";
import type { SearchPlan } from "../search/plan-search.ts";
import { searchRepositories } from "../search/search-repository.ts";
import { createResultCollector } from "../stream/result-collector.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { queryErrorEvents, sessionEvents } from "../stream/session-events.ts";
import { startDeadline } from "./search-deadline.ts";
import type { SearchDeadline } from "./search-deadline.ts";
import type { SearchParameters } from "./search-parameters.ts";
import type { SearchService } from "./search-service.ts";

const defaultTimeoutMs = 20_000;
const defaultLimit = 10_000;

const processingAlert = (description: string): Alert => ({
  title: "Unable To Process Query",
  level: "error",
  description,
  proposedQueries: null,
});

/** ripgrep prints the reason last. */
const invalidPatternAlert = ({ message }: RipgrepError): Alert => {
  const reason = (message.split("\n").findLast((line) => /^(?:rg: |error: )/u.test(line)) ?? message).replace(
    /^\w+: /u,
    "",
  );
  return processingAlert(`A regular expression in the query is invalid: ${reason}.`);
};

const timeoutAlert = (q: string, timeoutMs: number): Alert => ({
  title: "Timed out while searching",
  level: "warning",
  description: "The search timed out before it found any results.",
  proposedQueries: [
    {
      description: "query with longer timeout",
      query: `${q.replace(/\s*\btimeout:\S+/giu, "")} timeout:${timeoutMs * 2}ms`.trim(),
    },
  ],
});

const noRepositoriesAlert: Alert = {
  title: "No repositories found",
  level: "warning",
  description: "No repository name matches the filters.",
  proposedQueries: null,
};

/** Properties of the request other than its parameters. */
export interface SearchRequest {
  /** Fires when the client disconnects or the server closes. */
  readonly clientSignal: AbortSignal;
  /** URL in every `progress` event, if a trace was requested. */
  readonly traceUrl: string | undefined;
}

interface SearchRun {
  readonly service: SearchService;
  readonly parameters: SearchParameters;
  readonly query: SearchQuery;
  readonly deadline: SearchDeadline;
  readonly request: SearchRequest;
  /** Monotonic time of arrival. */
  readonly startedAtMs: number;
}

const now = (): number => performance.now();

const findClosingAlert = (
  { deadline, parameters, query }: SearchRun,
  plan: SearchPlan,
  matchCount: number,
): Alert | undefined => {
  if (deadline.isExpired() && matchCount === 0) {
    return timeoutAlert(parameters.q, query.timeoutMs ?? defaultTimeoutMs);
  }
  return plan.scopes.length === 0 && !deadline.isExpired() ? noRepositoriesAlert : undefined;
};

const runPlan = (run: SearchRun, plan: SearchPlan): AsyncIterable<SearchEvent> => {
  const { deadline, parameters, query, request, service, startedAtMs } = run;
  const limit = query.count ?? defaultLimit;
  const searchedNames = new Set<string>();
  const context = parameters.chunkMatches ? parameters.context : noContext;
  const collector = createResultCollector({
    ...parameters,
    context,
    limit,
    vocabulary: service.vocabulary,
    ...defined({ traceUrl: request.traceUrl }),
    elapsedMs: () => Math.floor(now() - startedAtMs),
  });
  const results = searchRepositories({
    plan,
    context,
    limit,
    signal: deadline.signal,
    pool: service.pool,
    onSearched: (name) => searchedNames.add(name),
  });
  const names = (plan.scopes.length > 0 ? plan.scopes : service.repositories.map((repository) => ({ repository }))).map(
    ({ repository }) => repository.name,
  );
  return sessionEvents(results, {
    collector,
    hasTimedFlushes: service.seed === undefined,
    now,
    listUnfinishedRepositories: () => (deadline.isExpired() ? names.filter((name) => !searchedNames.has(name)) : []),
    closingAlert: () => findClosingAlert(run, plan, collector.matchCount()),
    clientSignal: request.clientSignal,
  });
};

async function* runQuery(run: SearchRun): AsyncGenerator<SearchEvent> {
  const { deadline, query, service } = run;
  const { signal } = deadline;
  let plan = createEmptyPlan(query);
  try {
    plan = await planSearch(query, service.repositories, { pool: service.pool, signal });
  } catch (error) {
    if (error instanceof RipgrepError) {
      yield* queryErrorEvents(invalidPatternAlert(error));
      return;
    }
    if (!signal.aborted) {
      throw error;
    }
  }
  yield* runPlan(run, plan);
}

/**
 * Yields the events of a search with valid parameters, or those of a query that cannot run. A search takes at most 20 s unless the
 * query sets a timeout.
 */
export async function* searchEvents(
  service: SearchService,
  parameters: SearchParameters,
  request: SearchRequest,
): AsyncGenerator<SearchEvent> {
  const startedAtMs = now();
  const patternType = supportedPatternTypes.find((name) => name === parameters.patternType);
  if (patternType === undefined) {
    const description = `The pattern type ${parameters.patternType} is not supported on this server.`;
    yield* queryErrorEvents(processingAlert(description));
    return;
  }
  const parseResult = parseQuery(parameters.q, patternType);
  if (!parseResult.ok) {
    yield* queryErrorEvents(parseResult.alert);
    return;
  }
  const { query } = parseResult;
  const deadline = startDeadline(request.clientSignal, query.timeoutMs ?? defaultTimeoutMs);
  try {
    yield* runQuery({ service, parameters, query, deadline, request, startedAtMs });
  } finally {
    deadline.clear();
  }
}
