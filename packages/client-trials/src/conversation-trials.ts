import type { Trial, TrialInterface } from "./trial.ts";

/** Exceeds the maximum length of a question. */
const longQuestion = `Where is größe used? ${"Look everywhere. ".repeat(1300)}Thank you.`;

type ConversationTrial = Omit<Trial, "interface">;

const askDefaults = { task: "ask", token: "access" } as const;
const access = "private";

const trials: readonly ConversationTrial[] = [
  {
    ...askDefaults,
    name: "polling-completed",
    title: "a question that is answered after about 2 s",
    expects: "asks once, polls until the answer is available, and ends with 0",
    ending: "complete",
    readingCheck: "user/success-is-told",
    server: { access, fault: { id: "conversation-slow", params: { ms: 2500 } } },
  },
  {
    ...askDefaults,
    name: "polling-failure",
    title: "a question that fails because it is too long",
    expects: "stops polling and reports the failure",
    ending: "refused",
    asks: longQuestion,
    server: { access },
  },
  {
    ...askDefaults,
    name: "polling-new-fields",
    title: "answers whose objects have members that no specification lists",
    expects: "ignores them",
    ending: "complete",
    readingCheck: "reading/new-fields",
    server: { access, fault: { id: "conversation-new-members" } },
  },
  {
    ...askDefaults,
    name: "polling-too-fast",
    title: "status 429 with `Retry-After: 1` for the second poll",
    expects: "waits that long before it polls again, or reports the failure",
    ending: "put-off",
    retryAfterSeconds: 1,
    server: { access, latencyFactor: 12, fault: { id: "conversation-busy", params: { seconds: 1 } } },
  },
  {
    ...askDefaults,
    name: "quota",
    title: "a question beyond the quota",
    expects: "reports the failure, and asks no more before the quota resets",
    ending: "refused",
    token: "quota",
    server: { access },
  },
  {
    ...askDefaults,
    name: "entitlement",
    title: "a question beyond the entitlement",
    expects: "reports the failure, and asks no more before the retry time",
    ending: "refused",
    token: "entitlement",
    server: { access },
  },
  {
    ...askDefaults,
    name: "cancel",
    task: "cancel",
    title: "a question that takes 6 s and is no longer needed",
    expects: "cancels it as soon as it is in progress",
    ending: "cancelled",
    server: { access, latencyFactor: 50 },
  },
];

const interfaces: readonly TrialInterface[] = ["legacy", "current"];

/** Trials of conversations, each for both interfaces. */
export const conversationTrials: readonly Trial[] = trials.flatMap((trial) =>
  interfaces.map((name) => ({ ...trial, interface: name })),
);
