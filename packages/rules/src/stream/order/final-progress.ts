import { member } from "@assay/reading";
import type { StreamEvent } from "@assay/stream-grammar";
import { dataPlace } from "../../engine/event-place.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";

interface SearchSoFar {
  readonly context: StreamContext;
  /** Set after an event that only a search sends. Alerts, errors and undocumented events do not count. */
  isSearch: boolean;
  isFinal: boolean;
  isUnreadable: boolean;
}

const recordSearch = (state: SearchSoFar): void => {
  state.isSearch = true;
};

function addProgress(state: SearchSoFar, { value }: StreamEvent): void {
  const done = member(value, "done");
  state.isSearch = true;
  state.isFinal ||= done === true;
  // An unreadable event may have been the final one. Other rules report it.
  state.isUnreadable ||= typeof done !== "boolean";
}

/** A `progress` event reports the end of the search before `done`. Source: search-stream, sections 2.2 and 3. */
export const finalProgressBeforeDone = defineStreamRule<SearchSoFar>({
  id: "stream/final-progress-before-done",
  start: (context) => ({ context, isSearch: false, isFinal: false, isUnreadable: false }),
  on: {
    matches: recordSearch,
    filters: recordSearch,
    progress: addProgress,
    done(state, event, report) {
      const mayBeLost = state.isUnreadable || state.context.damage.hasLostEvent;
      if (!state.isSearch || (!state.isFinal && mayBeLost)) {
        return;
      }
      report.observation();
      if (!state.isFinal) {
        report.violation({ message: "`done` arrived before a progress with `done` true", ...dataPlace(event) });
      }
    },
  },
});

/** A finished search does not continue. Source: search-stream, section 3. */
export const progressStaysFinal = defineStreamRule({
  id: "stream/progress-stays-final",
  start: () => ({ isFinal: false }),
  on: {
    progress(state, event, report) {
      const done = member(event.value, "done");
      if (done === true && !state.isFinal) {
        state.isFinal = true;
        report.observation();
      } else if (done === false && state.isFinal) {
        report.violation({ message: "a progress has `done` false after one with true", ...dataPlace(event, "/done") });
      }
    },
  },
});

/** Exactly one `progress` event is final. Source: search-stream, sections 2.2 and 3. */
export const oneFinalProgress = defineStreamRule({
  id: "stream/one-final-progress",
  start: () => ({ isFinal: false }),
  on: {
    progress(state, event, report) {
      if (member(event.value, "done") !== true) {
        return;
      }
      if (state.isFinal) {
        report.violation({ message: "another progress has `done` true", ...dataPlace(event, "/done") });
      } else {
        state.isFinal = true;
        report.observation();
      }
    },
  },
});

const isCounted = (value: unknown): boolean => typeof value === "number" && value > 0;

/**
 * The final `progress` event contains the number of repositories, even if there are no matches: the specification
 * makes no exception. Source: search-stream, section 2.2.
 */
export const finalProgressCountsRepositories = defineStreamRule({
  id: "stream/final-progress-counts-repositories",
  start: () => ({ hasMatches: false, isFinal: false }),
  on: {
    matches(state, { value }) {
      state.hasMatches ||= Array.isArray(value) && value.length > 0;
    },
    progress(state, event, report) {
      if (member(event.value, "done") !== true || state.isFinal) {
        return;
      }
      state.isFinal = true;
      report.observation();
      const count = member(event.value, "repositoriesCount");
      if (count !== undefined && count !== null) {
        return;
      }
      const isEmpty = !state.hasMatches && !isCounted(member(event.value, "matchCount"));
      report.violation({
        message: `the final progress${isEmpty ? " of a search without matches" : ""} has no \`repositoriesCount\``,
        code: isEmpty ? "left-out-at-zero" : "left-out",
        ...dataPlace(event, ""),
      });
    },
  },
});

interface FinalState {
  isFinal: boolean;
}

function judgeResult({ isFinal }: FinalState, event: StreamEvent, report: Reporter): void {
  report.observation();
  if (isFinal) {
    const message = `\`${event.name}\` arrived after the final progress`;
    report.violation({ message, code: "late", argument: event.name, ...dataPlace(event) });
  }
}

/** A finished search sends no more results. This is plausible, but not required. Source: search-stream, section 3. */
export const resultsPrecedeFinalProgress = defineStreamRule<FinalState>({
  id: "stream/results-precede-final-progress",
  start: () => ({ isFinal: false }),
  on: {
    matches: judgeResult,
    filters: judgeResult,
    progress(state, { value }) {
      state.isFinal ||= member(value, "done") === true;
    },
  },
});
