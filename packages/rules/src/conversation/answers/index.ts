export * from "./create-is-accepted.ts";
export * from "./current-answer-is-unchanged.ts";
export * from "./current-conversation-fits-schema.ts";
export * from "./current-created-in-progress.ts";
export * from "./current-field-gates.ts";
export * from "./current-name-is-a-resource-name.ts";
export {
  currentErrorCodeIsListed,
  currentErrorHasItsMembers,
  currentRetryTimeIsATimestamp,
  currentStateHasOneKey,
  currentStateIsListed,
} from "./current-state.ts";
export * from "./current-times-are-utc.ts";
export * from "./exceeded-limit-has-its-error.ts";
export * from "./get-returns-the-conversation.ts";
export * from "./legacy-field-gates.ts";
export * from "./legacy-objects-fit-schema.ts";
export * from "./legacy-questions.ts";
export * from "./legacy-retrieval.ts";
export * from "./legacy-share-url.ts";
export * from "./legacy-time-is-in-milliseconds.ts";
export * from "./legacy-timestamps-are-utc.ts";
export * from "./success-status-is-listed.ts";
