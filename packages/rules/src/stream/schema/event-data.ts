import { matchTypes } from "@assay/contract";
import { searchStreamValidators } from "@assay/openapi";
import { dataPosition } from "../../engine/event-position.ts";
import { formatValue } from "../../engine/format-value.ts";
import { countMatches } from "../../engine/matches/read-matches.ts";
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
      if (countMatches(event) === undefined) {
        report.violation({
          message: `the data of \`matches\` is ${formatValue(event.value)}, not an array`,
          code: "no-array",
          ...dataPosition(event, ""),
        });
      }
    },
    match(_, match, report) {
      if (!match.isObject) {
        const message = "an element of `matches` is not an object";
        report.violation({ message, code: "no-object", ...match.position() });
      } else if (match.type === undefined) {
        const message = "a match has no string `type`";
        report.violation({ message, code: "no-type", ...match.position() });
      }
    },
  },
});

const documentedTypes: ReadonlySet<unknown> = new Set(matchTypes);

/** The list of match types is closed. Source: search-stream, sections 2.3 and 6. */
export const matchTypeIsListed = defineStreamRule({
  id: "stream/match-type-is-listed",
  start: () => undefined,
  on: {
    match(_, match, report) {
      const { type } = match;
      if (type === undefined) {
        return;
      }
      report.observation();
      if (!documentedTypes.has(type)) {
        report.violation({
          message: `a match has the type \`${formatValue(type)}\``,
          code: "unlisted",
          argument: type,
          ...match.position("/type"),
        });
      }
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
    match(schema, match, report) {
      if (match.type !== "content") {
        return;
      }
      report.observation();
      for (const error of match.fitsSchema ? [] : schema.errors(match.value)) {
        const message = `content match: ${error.message}`;
        report.violation({ message, ...schemaErrorCode(error), ...match.position(error.pointer) });
      }
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
