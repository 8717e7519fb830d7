import { conversationTrials } from "./conversation-trials.ts";
import { searchTrials } from "./search-trials.ts";
import type { Trial } from "./trial.ts";

/** Every trial. Trials of conversations occur once for each interface, with the same name. */
export const trials: readonly Trial[] = [...searchTrials, ...conversationTrials];

/** The name of every trial once, in trial order. */
export const trialNames: readonly string[] = [...new Set(trials.map(({ name }) => name))];
