import { authentication } from "./authentication.ts";
import { endpoint } from "./endpoint.ts";
import { errorsLimitsVersions } from "./errors-limits-versions.ts";
import { events } from "./events.ts";
import { purpose } from "./purpose.ts";
import { resources } from "./resources.ts";
import { states } from "./states.ts";
import type { SentenceRows } from "./sentence-row.ts";

/**
 * Every statement of the streaming document, in its order, each with what is done about it. A table counts row by row;
 * where one sentence says several things that are judged apart, each has its own number.
 */
export const searchStreamSentences = {
  ...purpose,
  ...resources,
  ...states,
  ...endpoint,
  ...authentication,
  ...events,
  ...errorsLimitsVersions,
} as const satisfies SentenceRows;
