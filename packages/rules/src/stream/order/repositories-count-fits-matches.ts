import type { StreamEvent } from "@assay/stream-grammar";
import { eachMatch } from "../../engine/each-match.ts";
import { isOnlyInforming } from "../../engine/alert-level.ts";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "../../engine/json-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { skippedEntries } from "../../engine/skipped-entry.ts";

/** So many repositories of one stream are told apart; of a stream with more nothing is said. */
const maxRepositories = 10_000;

/** Reasons of skipped entries that tell what was not asked for, not what was cut off. */
const exclusions: ReadonlySet<unknown> = new Set(["excluded-archive", "excluded-fork", "repository-fork"]);

interface Counted {
  readonly context: StreamContext;
  readonly repositories: Set<string>;
  /** Whether matches may be missing, or be of repositories that are not known. */
  isPartial: boolean;
  final: { readonly count: number; readonly event: StreamEvent } | undefined;
}

function takeMatches(state: Counted, event: StreamEvent): void {
  state.isPartial ||= !Array.isArray(event.value);
  eachMatch(event, (match) => {
    const repository = member(match, "repository");
    // A name with bytes that are no text may be that of another one.
    if (member(match, "type") !== "content" || typeof repository !== "string" || repository.includes("\uFFFD")) {
      state.isPartial = true;
    } else if (state.repositories.size < maxRepositories) {
      state.repositories.add(repository);
    } else {
      state.isPartial = true;
    }
  });
}

function takeProgress(state: Counted, event: StreamEvent): void {
  state.isPartial ||= skippedEntries(event.value).some((entry) => !exclusions.has(member(entry, "reason")));
  const count = member(event.value, "repositoriesCount");
  if (state.final === undefined && member(event.value, "done") === true && typeof count === "number") {
    state.final = { count, event };
  }
}

function takeDone({ context, repositories, isPartial, final }: Counted, _: StreamEvent, report: Reporter): void {
  const isLimited = searchQuery(context.exchange)
    .getAll("display")
    .some((value) => value !== "-1");
  const isKnown = searchQuery(context.exchange).has("q") && !isLimited && !context.damage.hasLostEvent;
  if (final === undefined || repositories.size === 0 || isPartial || !isKnown) {
    return;
  }
  report.observe();
  if (final.count !== repositories.size) {
    const message = `the final progress counts ${final.count} repositories, and the matches are of ${repositories.size}`;
    report.violation({ message, ...dataOf(final.event, "/repositoriesCount") });
  }
}

/**
 * A progress counts the repositories with matches, so where nothing is missing they are those of the matches; plausible, but
 * the document does not say it of the final number. Source: search-stream, sections 2.2 and 6.
 */
export const repositoriesCountFitsMatches = defineStreamRule<Counted>({
  id: "stream/repositories-count-fits-matches",
  start: (context) => ({ context, repositories: new Set(), isPartial: false, final: undefined }),
  on: {
    any(state, { name }) {
      state.isPartial ||= name === "error";
    },
    matches: takeMatches,
    progress: takeProgress,
    alert(state, { value }) {
      state.isPartial ||= !isOnlyInforming(value);
    },
    done: takeDone,
  },
});
