import { member } from "@assay/reading";
import type { StreamEvent } from "@assay/stream-grammar";
import { dataPosition } from "../../engine/event-position.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import type { SearchProgress } from "../../engine/search-progress.ts";

interface State {
  readonly context: StreamContext;
  /** An unreadable event may have been the final one. `stream/progress-fits-schema` reports it. */
  hasUnreadableProgress: boolean;
}

/** A `progress` event reports the end of the search before `done`. Source: search-stream, sections 2.2 and 3. */
export const finalProgressBeforeDone = defineStreamRule<State>({
  id: "stream/final-progress-before-done",
  start: (context) => ({ context, hasUnreadableProgress: false }),
  on: {
    progress(state, { value }) {
      state.hasUnreadableProgress ||= typeof member(value, "done") !== "boolean";
    },
    done({ context, hasUnreadableProgress }, event, report) {
      const { hasSearchEvent, isFinished } = context.progress;
      if (!hasSearchEvent || (!isFinished && (hasUnreadableProgress || context.gaps.hasLostEvent))) {
        return;
      }
      report.observation();
      if (!isFinished) {
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
  start: ({ progress }) => progress,
  on: {
    progress({ isFinished }, event, report) {
      const done = member(event.value, "done");
      if (done === true && !isFinished) {
        report.observation();
      } else if (done === false && isFinished) {
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
  start: ({ progress }) => progress,
  on: {
    progress({ isFinished }, event, report) {
      if (member(event.value, "done") !== true) {
        return;
      }
      if (isFinished) {
        report.violation({
          message: "more than one `progress` event has `done: true`",
          ...dataPosition(event, "/done"),
        });
      } else {
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
  start: (context) => context,
  on: {
    progress({ units, progress }, event, report) {
      if (member(event.value, "done") !== true || progress.isFinished) {
        return;
      }
      report.observation();
      const count = member(event.value, "repositoriesCount");
      if (count !== undefined && count !== null) {
        return;
      }
      const isEmpty = units.elements === 0 && !isPositive(member(event.value, "matchCount"));
      report.violation({
        message: `the final progress${isEmpty ? " of a search without matches" : ""} has no \`repositoriesCount\``,
        code: isEmpty ? "left-out-at-zero" : "left-out",
        ...dataPosition(event, ""),
      });
    },
  },
});

function judgeResult({ isFinished }: Readonly<SearchProgress>, event: StreamEvent, report: Reporter): void {
  report.observation();
  if (isFinished) {
    const message = `\`${event.name}\` arrived after the final progress`;
    report.violation({ message, code: "late", argument: event.name, ...dataPosition(event) });
  }
}

/** A finished search sends no more results. This is plausible, but not required. Source: search-stream, section 3. */
export const resultsPrecedeFinalProgress = defineStreamRule<Readonly<SearchProgress>>({
  id: "stream/results-precede-final-progress",
  start: ({ progress }) => progress,
  on: { matches: judgeResult, filters: judgeResult },
});
