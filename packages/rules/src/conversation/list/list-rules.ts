import type { ConversationRule } from "../engine/conversation-rule.ts";
import { filterIdFilters } from "./filter-id-filters.ts";
import { filterIsStarredFilters } from "./filter-is-starred-filters.ts";
import { filterReadTokenFilters } from "./filter-read-token-filters.ts";
import { filterUserIdFilters } from "./filter-user-id-filters.ts";
import { listIsAccepted } from "./list-is-accepted.ts";
import { listParametersAreAccepted } from "./list-parameters-are-accepted.ts";
import { pageFirstBounds } from "./page-first-bounds.ts";
import { pagesDoNotOverlap } from "./pages-do-not-overlap.ts";
import { selfStandsForTheUser } from "./self-stands-for-the-user.ts";
import { defaultSortIsNewestUpdateFirst, sortIsKept } from "./sort-is-kept.ts";

/** Rules about lists of conversations. */
export const listRules: readonly ConversationRule[] = [
  listParametersAreAccepted,
  filterIdFilters,
  filterUserIdFilters,
  filterReadTokenFilters,
  filterIsStarredFilters,
  pageFirstBounds,
  pagesDoNotOverlap("legacy"),
  sortIsKept,
  defaultSortIsNewestUpdateFirst,
  listIsAccepted,
  selfStandsForTheUser,
  pagesDoNotOverlap("current"),
];
