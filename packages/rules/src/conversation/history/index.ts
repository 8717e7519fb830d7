export * from "./name-is-stable.ts";
export * from "./question-belongs-to-conversation.ts";
export * from "./recorded-histories.ts";
