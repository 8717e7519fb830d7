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
import { finalProgressBeforeDone } from "./order/final-progress-before-done.ts";
import { progressStaysFinal } from "./order/progress-stays-final.ts";
import { oneFinalProgress } from "./order/one-final-progress.ts";
import { finalProgressCountsRepositories } from "./order/final-progress-counts-repositories.ts";
import { resultsPrecedeFinalProgress } from "./order/results-precede-final-progress.ts";
import { matchCountNeverFalls } from "./order/match-count-never-falls.ts";
import { durationNeverFalls } from "./order/duration-never-falls.ts";
import { filterKindIsKnown } from "./observed/filter-kind-is-known.ts";
import { skippedReasonIsKnown } from "./observed/skipped-reason-is-known.ts";
import { skippedSeverityIsKnown } from "./observed/skipped-severity-is-known.ts";
import { accessTokenIsAccepted } from "./access/access-token-is-accepted.ts";
import { oauthTokenIsAccepted } from "./access/oauth-token-is-accepted.ts";
import { missingTokenIsRefused } from "./access/missing-token-is-refused.ts";
import { invalidTokenIsRefused } from "./access/invalid-token-is-refused.ts";
import { anonymousSearchIsAccepted } from "./access/anonymous-search-is-accepted.ts";
import { documentedParametersAreAccepted } from "./parameters/documented-parameters-are-accepted.ts";
import { displayBoundsMatches } from "./parameters/display-bounds-matches.ts";
import type { Rule } from "./engine/rule.ts";

/** Every rule, in the order of the catalogue; a test holds both together. */
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
  finalProgressBeforeDone,
  progressStaysFinal,
  oneFinalProgress,
  finalProgressCountsRepositories,
  resultsPrecedeFinalProgress,
  matchCountNeverFalls,
  durationNeverFalls,
  filterKindIsKnown,
  skippedReasonIsKnown,
  skippedSeverityIsKnown,
  accessTokenIsAccepted,
  oauthTokenIsAccepted,
  missingTokenIsRefused,
  invalidTokenIsRefused,
  anonymousSearchIsAccepted,
  documentedParametersAreAccepted,
  displayBoundsMatches,
];
