import { describe, expect, test } from "vitest";
import { findOperationPlace } from "./operation-place.ts";

const legacy = "/.api/deepsearch/v1";

describe("the place of an operation", () => {
  test.each([
    ["GET", "/.api/search/stream", "stream", "search"],
    ["GET", "/prefix/.api/search/stream/", "stream", "search"],
    ["POST", legacy, "legacy", "create"],
    ["POST", `${legacy}/`, "legacy", "create"],
    ["GET", legacy, "legacy", "list"],
    ["GET", `${legacy}/{id}`, "legacy", "get"],
    ["GET", `/x/y${legacy}/{conversationId}`, "legacy", "get"],
    ["DELETE", `${legacy}/{conversation.id}`, "legacy", "delete"],
    ["POST", `${legacy}/{id}/questions`, "legacy", "follow-up"],
    ["POST", `${legacy}/{id}/questions/{qid}/cancel`, "legacy", "cancel"],
    ["POST", "/api/deepsearch.v1.Service/CreateConversation", "current", "create"],
    ["POST", "/deepsearch.v1.Service/GetConversation", "current", "get"],
    ["POST", "/api/deepsearch.v1.Service/ListConversationSummaries", "current", "list"],
    ["POST", "/api/deepsearch.v1.Service/AddConversationQuestion", "current", "follow-up"],
    ["POST", "/api/deepsearch.v1.Service/CancelConversation", "current", "cancel"],
    ["POST", "/api/deepsearch.v1.Service/DeleteConversation", "current", "delete"],
  ])("of %s %s is %s/%s", (...[method, path, name, operation]) => {
    expect(findOperationPlace(path, method)).toEqual({ interface: name, operation });
  });

  test.each([
    ["POST", "/.api/search/stream", "stream"],
    ["DELETE", legacy, "legacy"],
    ["GET", `${legacy}/7`, "legacy"],
    ["POST", `${legacy}/{id}/rotate-read-token`, "legacy"],
    ["POST", `${legacy}/{id}/questions/{qid}/cancel/again`, "legacy"],
    ["GET", "/api/deepsearch.v1.Service/GetConversation", "current"],
    ["POST", "/api/deepsearch.v1.Service/constructor", "current"],
  ])("of %s %s is in %s, without a name", (method, path, name) => {
    expect(findOperationPlace(path, method)).toEqual({ interface: name });
  });

  test.each([
    "/",
    "",
    "/.api/search/streams",
    "/.api/deepsearch/v2",
    "/api/deepsearch/v1",
    "/api/searchjobs.v1.Service/CreateSearchJob",
    "/api/deepsearch.v1.Service",
    "/api/deepsearchXv1XService/GetConversation",
    "/(a+)+$[[/.*\\",
    "/{".repeat(100_000),
  ])("of another path is none (%#)", (path) => {
    expect(findOperationPlace(path, "POST")).toBeUndefined();
  });
});
