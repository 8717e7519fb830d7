export * from "./cancel-has-effect.ts";
export * from "./cancel-is-accepted.ts";
export * from "./delete-is-accepted.ts";
export * from "./deleted-is-gone.ts";
export * from "./follow-up-answers-the-conversation.ts";
export * from "./follow-up-id-must-match.ts";
export * from "./follow-up-is-accepted.ts";
export * from "./id-is-not-reused.ts";
