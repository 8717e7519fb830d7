import { defined } from "@assay/contract";
import { expect, test } from "vitest";
import type { CallSketch } from "../testing/recorded-calls.ts";
import { describeReport } from "../testing/calls-report.ts";
import { completedConversation, failedConversation, processingConversation } from "../testing/sample-conversations.ts";

const asks = (credential: CallSketch["credential"]): CallSketch => ({
  interface: "current",
  operation: "create",
  answer: processingConversation(),
  ...defined({ credential }),
});
const read = (answer: unknown): CallSketch => ({ interface: "current", operation: "get", answer });
const error = (code: string): object => failedConversation({ code, message: "No.", retryTime: "2026-02-01T00:00:00Z" });
const quota = asks("quota-token");
const entitlement = asks("entitlement-token");

test.each<{ name: string; calls: readonly CallSketch[]; says: string }>([
  { name: "the error of the quota", calls: [quota, read(error("ERROR_QUOTA_EXCEEDED"))], says: "holds" },
  { name: "another error for the quota", calls: [quota, read(error("ERROR_INTERNAL"))], says: "broken" },
  { name: "an answer for the quota", calls: [quota, read(completedConversation())], says: "not observed" },
  {
    name: "the error of the entitlement",
    calls: [entitlement, read(error("ERROR_ENTITLEMENT_EXCEEDED"))],
    says: "holds",
  },
  {
    name: "another error for the entitlement",
    calls: [entitlement, read(error("ERROR_QUOTA_EXCEEDED"))],
    says: "broken",
  },
  { name: "a code that is not listed", calls: [quota, read(error("ERROR_OTHER"))], says: "not observed" },
  { name: "no end", calls: [quota, read(processingConversation())], says: "not observed" },
  { name: "a refusal", calls: [{ ...quota, status: 403, answer: {} }], says: "not observed" },
  { name: "anybody else", calls: [asks("access-token"), read(error("ERROR_INTERNAL"))], says: "not observed" },
])("$name $says", ({ calls, says }) => {
  expect(describeReport("current/exceeded-limit-has-its-error", calls)).toBe(says);
});
