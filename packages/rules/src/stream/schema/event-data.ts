import { matchTypes } from "@assay/contract";
import { searchStreamValidators } from "@assay/openapi";
import { isRecord, member } from "@assay/reading";
import { forEachMatch } from "../../engine/for-each-match.ts";
import { dataPosition } from "../../engine/event-position.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { schemaErrorCode } from "../../engine/schema-error-code.ts";
import { isInsideSkippedEntry, skippedEntries } from "../../engine/skipped-entry.ts";

/** `matches` contains an array of objects with a type. Source: search-stream, sections 2.3 and 6. */
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
          ...dataPosition(event, ""),
        });
        return;
      }
      forEachMatch(event, (match, index) => {
        if (!isRecord(match)) {
          const message = "an element of `matches` is not an object";
          report.violation({ message, code: "no-object", ...dataPosition(event, `/${index}`) });
        } else if (typeof member(match, "type") !== "string") {
          const message = "a match has no string `type`";
          report.violation({ message, code: "no-type", ...dataPosition(event, `/${index}`) });
        }
      });
    },
  },
});

const documentedTypes: ReadonlySet<unknown> = new Set(matchTypes);

/** The list of match types is closed. Source: search-stream, sections 2.3 and 6. */
export const matchTypeIsListed = defineStreamRule({
  id: "stream/match-type-is-listed",
  start: () => undefined,
  on: {
    matches(_, event, report) {
      forEachMatch(event, (match, index) => {
        const type = member(match, "type");
        if (typeof type !== "string") {
          return;
        }
        report.observation();
        if (!documentedTypes.has(type)) {
          report.violation({
            message: `a match has the type \`${formatValue(type)}\``,
            code: "unlisted",
            argument: type,
            ...dataPosition(event, `/${index}/type`),
          });
        }
      });
    },
  },
});

/**
 * A content match fits the schema. Only the fields of content matches are documented. Source: search-stream, section
 * 2.3.
 */
export const contentMatchFitsSchema = defineStreamRule({
  id: "stream/content-match-fits-schema",
  start: () => searchStreamValidators().ContentMatch,
  on: {
    matches(schema, event, report) {
      forEachMatch(event, (match, index) => {
        if (member(match, "type") !== "content") {
          return;
        }
        report.observation();
        if (schema.check(match)) {
          return;
        }
        for (const error of schema.errors(match)) {
          const message = `content match: ${error.message}`;
          report.violation({ message, ...schemaErrorCode(error), ...dataPosition(event, `/${index}${error.pointer}`) });
        }
      });
    },
  },
});

/** A `progress` object fits the schema. Skipped entries have a separate rule. Source: search-stream, section 2.2. */
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
          report.violation({ message, ...schemaErrorCode(error), ...dataPosition(event, error.pointer) });
        }
      }
    },
  },
});

/** Each skipped entry fits the schema. Source: search-stream, section 2.2. */
export const skippedFitsSchema = defineStreamRule({
  id: "stream/skipped-fits-schema",
  start: () => searchStreamValidators().Skipped,
  on: {
    progress(schema, event, report) {
      for (const [index, entry] of skippedEntries(event.value).entries()) {
        report.observation();
        for (const error of schema.check(entry) ? [] : schema.errors(entry)) {
          const message = `skipped entry: ${error.message}`;
          const position = dataPosition(event, `/skipped/${index}${error.pointer}`);
          report.violation({ message, ...schemaErrorCode(error), ...position });
        }
      }
    },
  },
});

/** Filter suggestions fit the schema. Source: search-stream, sections 2.1 and 6. */
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
        report.violation({ message, ...schemaErrorCode(error), ...dataPosition(event, error.pointer) });
      }
    },
  },
});
