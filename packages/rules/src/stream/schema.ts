import { matchTypes } from "@assay/contract";
import { isRecord, member } from "@assay/reading";
import type { JsonRecord } from "@assay/reading";
import { searchStreamValidators } from "@assay/openapi";
import { levelMembers, levelProblem } from "../engine/alert-level.ts";
import { eachMatch } from "../engine/each-match.ts";
import { dataOf } from "../engine/event-place.ts";
import { formatValue } from "../engine/format-value.ts";
import { codeOfSchemaError } from "../engine/schema-error-code.ts";
import { defineStreamRule } from "../engine/rule.ts";
import { isInsideSkippedEntry, skippedEntries } from "../engine/skipped-entry.ts";

export { chunkMatchHasContext } from "./schema/chunk-match-has-context.ts";
export { contentMatchShowsLines } from "./schema/content-match-shows-lines.ts";
export { pathRangesStayInThePath } from "./schema/path-ranges.ts";
export { lineNumbersFitChunks } from "./schema/line-numbers-fit-chunks.ts";
export { linesHaveTheirOwnNumbers } from "./schema/line-numbers.ts";
export { linePairsMarkTheWord, linePairsStayInTheLine } from "./schema/line-pairs.ts";

/** `matches` has an array of objects with their type. Source: search-stream, sections 2.3 and 6. */
export const matchesIsAnArray = defineStreamRule({
  id: "stream/matches-is-an-array",
  start: () => undefined,
  on: {
    matches(_, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observation();
      if (!Array.isArray(event.value)) {
        report.violation({
          message: `the data of \`matches\` is ${formatValue(event.value)}, not an array`,
          code: "no-array",
          ...dataOf(event, ""),
        });
        return;
      }
      eachMatch(event, (match, index) => {
        if (!isRecord(match)) {
          const message = "an element of `matches` is not an object";
          report.violation({ message, code: "no-object", ...dataOf(event, `/${index}`) });
        } else if (typeof member(match, "type") !== "string") {
          const message = "a match has no string `type`";
          report.violation({ message, code: "no-type", ...dataOf(event, `/${index}`) });
        }
      });
    },
  },
});

const listed: ReadonlySet<unknown> = new Set(matchTypes);

/** The list of match types is closed. Source: search-stream, sections 2.3 and 6. */
export const matchTypeIsListed = defineStreamRule({
  id: "stream/match-type-is-listed",
  start: () => undefined,
  on: {
    matches(_, event, report) {
      eachMatch(event, (match, index) => {
        const type = member(match, "type");
        if (typeof type !== "string") {
          return;
        }
        report.observation();
        if (!listed.has(type)) {
          report.violation({
            message: `a match has the type \`${formatValue(type)}\``,
            code: "unlisted",
            argument: type,
            ...dataOf(event, `/${index}/type`),
          });
        }
      });
    },
  },
});

/** Only the fields of content matches are documented. Source: search-stream, section 2.3. */
export const contentMatchFitsSchema = defineStreamRule({
  id: "stream/content-match-fits-schema",
  start: () => searchStreamValidators().ContentMatch,
  on: {
    matches(schema, event, report) {
      eachMatch(event, (match, index) => {
        if (member(match, "type") !== "content") {
          return;
        }
        report.observation();
        if (schema.check(match)) {
          return;
        }
        for (const error of schema.errors(match)) {
          const message = `content match: ${error.message}`;
          report.violation({ message, ...codeOfSchemaError(error), ...dataOf(event, `/${index}${error.pointer}`) });
        }
      });
    },
  },
});

/** The progress object itself; skipped entries have a separate rule. Source: search-stream, section 2.2. */
export const progressFitsSchema = defineStreamRule({
  id: "stream/progress-fits-schema",
  start: () => searchStreamValidators().ProgressEvent,
  on: {
    progress(schema, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observation();
      if (schema.check(event.value)) {
        return;
      }
      for (const error of schema.errors(event.value)) {
        if (!isInsideSkippedEntry(error.pointer)) {
          const message = `progress: ${error.message}`;
          report.violation({ message, ...codeOfSchemaError(error), ...dataOf(event, error.pointer) });
        }
      }
    },
  },
});

/** Each reason for incomplete results. Source: search-stream, section 2.2. */
export const skippedFitsSchema = defineStreamRule({
  id: "stream/skipped-fits-schema",
  start: () => searchStreamValidators().Skipped,
  on: {
    progress(schema, event, report) {
      for (const [index, entry] of skippedEntries(event.value).entries()) {
        report.observation();
        for (const error of schema.check(entry) ? [] : schema.errors(entry)) {
          const message = `skipped entry: ${error.message}`;
          const place = dataOf(event, `/skipped/${index}${error.pointer}`);
          report.violation({ message, ...codeOfSchemaError(error), ...place });
        }
      }
    },
  },
});

/** Filter suggestions. Source: search-stream, sections 2.1 and 6. */
export const filtersFitSchema = defineStreamRule({
  id: "stream/filters-fit-schema",
  start: () => searchStreamValidators().FiltersEvent,
  on: {
    filters(schema, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observation();
      for (const error of schema.check(event.value) ? [] : schema.errors(event.value)) {
        const message = `filters: ${error.message}`;
        report.violation({ message, ...codeOfSchemaError(error), ...dataOf(event, error.pointer) });
      }
    },
  },
});

/** Describes the place of the level of an alert, which is unspecified. */
function levelMessage(alert: JsonRecord): string {
  const levels = levelMembers.filter((name) => Object.hasOwn(alert, name));
  return levels.length === 0
    ? "alerts have no field for their level"
    : `the level of an alert is in ${levels.map((name) => `\`${name}\`: \`${formatValue(alert[name])}\``).join(" and ")}`;
}

/**
 * An alert is an object with unspecified content. The first of a stream shows where its level is. Source:
 * search-stream, section 6.
 */
export const alertIsAnObject = defineStreamRule({
  id: "stream/alert-is-an-object",
  start: () => ({ isLevelTold: false }),
  on: {
    alert(state, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observation();
      if (!isRecord(event.value)) {
        report.violation({ message: "the data of `alert` is not an object", ...dataOf(event, "") });
      } else if (!state.isLevelTold) {
        state.isLevelTold = true;
        report.note({ message: levelMessage(event.value), code: "alert-level", ...dataOf(event, "") });
      }
    },
  },
});

/** Every alert has a level of a closed set, in an unspecified member. Source: search-stream, section 7. */
export const alertLevelIsListed = defineStreamRule({
  id: "stream/alert-level-is-listed",
  start: () => undefined,
  on: {
    alert(_, event, report) {
      if (!isRecord(event.value)) {
        return;
      }
      report.observation();
      const wrong = levelProblem(event.value);
      if (wrong === "none") {
        const message = "an alert has no level: nothing in it is info, warning or error";
        report.violation({ message, code: "no-level", ...dataOf(event, "") });
      } else if (wrong !== undefined) {
        const { name = "level", level } = wrong;
        const message = `the ${name} of an alert is \`${formatValue(level)}\`, not info, warning or error`;
        const argument = typeof level === "string" ? level : JSON.stringify(level);
        const place = dataOf(event, wrong.name === undefined ? "" : `/${wrong.name}`);
        report.violation({ message, code: "unlisted", argument: argument.slice(0, 80), ...place });
      }
    },
  },
});
