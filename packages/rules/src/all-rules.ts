import { twoFields } from "./framing/two-fields.ts";
import { linesEndWithLf } from "./framing/lines-end-with-lf.ts";
import { oneBlankLineBetweenEvents } from "./framing/one-blank-line-between-events.ts";
import { lastEventIsComplete } from "./framing/last-event-is-complete.ts";
import { noByteOrderMark } from "./framing/no-byte-order-mark.ts";
import { textIsUtf8 } from "./framing/text-is-utf-8.ts";
import { dataIsJson } from "./framing/data-is-json.ts";
import { doneIsLast } from "./framing/done-is-last.ts";
import { doneIsAnEmptyObject } from "./framing/done-is-an-empty-object.ts";
import { matchesIsAnArray } from "./schema/matches-is-an-array.ts";
import { matchTypeIsListed } from "./schema/match-type-is-listed.ts";
import { contentMatchFitsSchema } from "./schema/content-match-fits-schema.ts";
import { progressFitsSchema } from "./schema/progress-fits-schema.ts";
import { skippedFitsSchema } from "./schema/skipped-fits-schema.ts";
import { filtersFitSchema } from "./schema/filters-fit-schema.ts";
import { alertIsAnObject } from "./schema/alert-is-an-object.ts";
import { chunkMatchHasContext } from "./schema/chunk-match-has-context.ts";
import { finalProgressBeforeDone } from "./order/final-progress-before-done.ts";
import { progressStaysFinal } from "./order/progress-stays-final.ts";
import { oneFinalProgress } from "./order/one-final-progress.ts";
import { finalProgressCountsRepositories } from "./order/final-progress-counts-repositories.ts";
import { resultsPrecedeFinalProgress } from "./order/results-precede-final-progress.ts";
import { matchCountNeverFalls } from "./order/match-count-never-falls.ts";
import { durationNeverFalls } from "./order/duration-never-falls.ts";
import { filtersOnlyGrow } from "./order/filters-only-grow.ts";
import { problemHasAlert } from "./order/problem-has-alert.ts";
import { resultsArriveIncrementally } from "./delivery/results-arrive-incrementally.ts";
import { filterKindIsKnown } from "./observed/filter-kind-is-known.ts";
import { skippedReasonIsKnown } from "./observed/skipped-reason-is-known.ts";
import { skippedSeverityIsKnown } from "./observed/skipped-severity-is-known.ts";
import { accessTokenIsAccepted } from "./access/access-token-is-accepted.ts";
import { oauthTokenIsAccepted } from "./access/oauth-token-is-accepted.ts";
import { missingTokenIsRefused } from "./access/missing-token-is-refused.ts";
import { invalidTokenIsRefused } from "./access/invalid-token-is-refused.ts";
import { anonymousSearchIsAccepted } from "./access/anonymous-search-is-accepted.ts";
import { scopeIsRequired } from "./access/scope-is-required.ts";
import { documentedParametersAreAccepted } from "./parameters/documented-parameters-are-accepted.ts";
import { displayBoundsMatches } from "./parameters/display-bounds-matches.ts";
import { displayKeepsCounting } from "./compare/display-keeps-counting.ts";
import { noDisplayNoLimit } from "./compare/no-display-no-limit.ts";
import { countStopsSearch } from "./compare/count-stops-search.ts";
import { countAllFindsEverything } from "./compare/count-all-finds-everything.ts";
import { cutResultsAreNamed } from "./compare/cut-results-are-named.ts";
import { limitSuggestionRaisesCount } from "./parameters/limit-suggestion-raises-count.ts";
import { cmEnablesChunkMatches } from "./parameters/cm-enables-chunk-matches.ts";
import { chunkMatchesNeedCm } from "./parameters/chunk-matches-need-cm.ts";
import { chunkLinesAreWhole } from "./compare/chunk-lines-are-whole.ts";
import { maxLineLenCutsLines } from "./compare/max-line-len-cuts-lines.ts";
import { clGivesContextLines } from "./compare/cl-gives-context-lines.ts";
import { clNeedsCm } from "./compare/cl-needs-cm.ts";
import { omittedVIsV3 } from "./compare/omitted-v-is-v3.ts";
import { omittedTIsStandard } from "./compare/omitted-t-is-standard.ts";
import { patternTypeFilterWins } from "./compare/pattern-type-filter-wins.ts";
import type { Rule } from "./engine/rule.ts";

/** Every rule about streams, in the order of the catalogue; with `conversationRules` behind them, a test holds both together. */
export const allRules: readonly Rule[] = [
  twoFields,
  linesEndWithLf,
  oneBlankLineBetweenEvents,
  lastEventIsComplete,
  noByteOrderMark,
  textIsUtf8,
  dataIsJson,
  doneIsLast,
  doneIsAnEmptyObject,
  matchesIsAnArray,
  matchTypeIsListed,
  contentMatchFitsSchema,
  progressFitsSchema,
  skippedFitsSchema,
  filtersFitSchema,
  alertIsAnObject,
  chunkMatchHasContext,
  finalProgressBeforeDone,
  progressStaysFinal,
  oneFinalProgress,
  finalProgressCountsRepositories,
  resultsPrecedeFinalProgress,
  matchCountNeverFalls,
  durationNeverFalls,
  filtersOnlyGrow,
  problemHasAlert,
  resultsArriveIncrementally,
  filterKindIsKnown,
  skippedReasonIsKnown,
  skippedSeverityIsKnown,
  accessTokenIsAccepted,
  oauthTokenIsAccepted,
  missingTokenIsRefused,
  invalidTokenIsRefused,
  anonymousSearchIsAccepted,
  scopeIsRequired,
  documentedParametersAreAccepted,
  displayBoundsMatches,
  displayKeepsCounting,
  noDisplayNoLimit,
  countStopsSearch,
  countAllFindsEverything,
  cutResultsAreNamed,
  limitSuggestionRaisesCount,
  cmEnablesChunkMatches,
  chunkMatchesNeedCm,
  chunkLinesAreWhole,
  maxLineLenCutsLines,
  clGivesContextLines,
  clNeedsCm,
  omittedVIsV3,
  omittedTIsStandard,
  patternTypeFilterWins,
];
