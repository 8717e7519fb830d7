import { conversationTrials } from "./conversation-trials.ts";
import { searchTrials } from "./search-trials.ts";
import type { Trial } from "./trial.ts";

/** Every trial; those of conversations once for each interface, under one name. */
export const trials: readonly Trial[] = [...searchTrials, ...conversationTrials];

/** The name of every trial once, in the order of the trials. */
export const trialNames: readonly string[] = [...new Set(trials.map(({ name }) => name))];
