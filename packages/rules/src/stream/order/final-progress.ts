import { member } from "@assay/reading";
import type { StreamEvent } from "@assay/stream-grammar";
import { dataPosition } from "../../engine/event-position.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";

interface SearchState {
  readonly context: StreamContext;
  /** Set after an event that only a search sends. Alerts, errors and undocumented events do not count. */
  hasSearchEvent: boolean;
  isFinished: boolean;
  hasUnreadableProgress: boolean;
}

const recordSearch = (state: SearchState): void => {
  state.hasSearchEvent = true;
};

function addProgress(state: SearchState, { value }: StreamEvent): void {
  const done = member(value, "done");
  state.hasSearchEvent = true;
  state.isFinished ||= done === true;
  // An unreadable event may have been the final one. `stream/progress-fits-schema` reports it.
  state.hasUnreadableProgress ||= typeof done !== "boolean";
}

/** A `progress` event reports the end of the search before `done`. Source: search-stream, sections 2.2 and 3. */
export const finalProgressBeforeDone = defineStreamRule<SearchState>({
  id: "stream/final-progress-before-done",
  start: (context) => ({ context, hasSearchEvent: false, isFinished: false, hasUnreadableProgress: false }),
  on: {
    matches: recordSearch,
    filters: recordSearch,
    progress: addProgress,
    done(state, event, report) {
      const mayBeLost = state.hasUnreadableProgress || state.context.gaps.hasLostEvent;
      if (!state.hasSearchEvent || (!state.isFinished && mayBeLost)) {
        return;
      }
      report.observation();
      if (!state.isFinished) {
        report.violation({
          message: "`done` arrived before a `progress` event with `done: true`",
          ...dataPosition(event),
        });
      }
    },
  },
});

/** A finished search does not continue. Source: search-stream, section 3. */
export const progressStaysFinal = defineStreamRule({
  id: "stream/progress-stays-final",
  start: () => ({ isFinished: false }),
  on: {
    progress(state, event, report) {
      const done = member(event.value, "done");
      if (done === true && !state.isFinished) {
        state.isFinished = true;
        report.observation();
      } else if (done === false && state.isFinished) {
        report.violation({
          message: "a `progress` event has `done: false` after one with `done: true`",
          ...dataPosition(event, "/done"),
        });
      }
    },
  },
});

/** Exactly one `progress` event is final. Source: search-stream, sections 2.2 and 3. */
export const oneFinalProgress = defineStreamRule({
  id: "stream/one-final-progress",
  start: () => ({ isFinished: false }),
  on: {
    progress(state, event, report) {
      if (member(event.value, "done") !== true) {
        return;
      }
      if (state.isFinished) {
        report.violation({
          message: "more than one `progress` event has `done: true`",
          ...dataPosition(event, "/done"),
        });
      } else {
        state.isFinished = true;
        report.observation();
      }
    },
  },
});

const isPositive = (value: unknown): boolean => typeof value === "number" && value > 0;

/**
 * The final `progress` event contains the number of repositories, even if there are no matches: the specification
 * makes no exception. Source: search-stream, section 2.2.
 */
export const finalProgressCountsRepositories = defineStreamRule({
  id: "stream/final-progress-counts-repositories",
  start: () => ({ hasMatches: false, isFinished: false }),
  on: {
    match(state) {
      state.hasMatches = true;
    },
    progress(state, event, report) {
      if (member(event.value, "done") !== true || state.isFinished) {
        return;
      }
      state.isFinished = true;
      report.observation();
      const count = member(event.value, "repositoriesCount");
      if (count !== undefined && count !== null) {
        return;
      }
      const isEmpty = !state.hasMatches && !isPositive(member(event.value, "matchCount"));
      report.violation({
        message: `the final progress${isEmpty ? " of a search without matches" : ""} has no \`repositoriesCount\``,
        code: isEmpty ? "left-out-at-zero" : "left-out",
        ...dataPosition(event, ""),
      });
    },
  },
});

interface FinalState {
  isFinished: boolean;
}

function judgeResult({ isFinished }: FinalState, event: StreamEvent, report: Reporter): void {
  report.observation();
  if (isFinished) {
    const message = `\`${event.name}\` arrived after the final progress`;
    report.violation({ message, code: "late", argument: event.name, ...dataPosition(event) });
  }
}

/** A finished search sends no more results. This is plausible, but not required. Source: search-stream, section 3. */
export const resultsPrecedeFinalProgress = defineStreamRule<FinalState>({
  id: "stream/results-precede-final-progress",
  start: () => ({ isFinished: false }),
  on: {
    matches: judgeResult,
    filters: judgeResult,
    progress(state, { value }) {
      state.isFinished ||= member(value, "done") === true;
    },
  },
});
