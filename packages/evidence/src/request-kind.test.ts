import { describe, expect, test } from "vitest";
import { parseBaseUrl, requestKind } from "./request-kind.ts";

const base = "https://search.example.com";
const legacy = `${base}/.api/deepsearch/v1`;
const current = `${base}/api/deepsearch.v1.Service`;

describe("the kind of a request", () => {
  test.each([
    ["GET", `${base}/.api/search/stream?q=a`, "stream", "search"],
    ["GET", `${base}/behind/a/prefix/.api/search/stream`, "stream", "search"],
    ["GET", `${base}/api-reference`, "reference", "describe"],
    ["POST", legacy, "legacy", "create"],
    ["POST", `${legacy}/`, "legacy", "create"],
    ["GET", legacy, "legacy", "list"],
    ["GET", `${legacy}?sort=id`, "legacy", "list"],
    ["GET", `${legacy}/12`, "legacy", "get"],
    ["DELETE", `${legacy}/12`, "legacy", "delete"],
    ["POST", `${legacy}/12/questions`, "legacy", "follow-up"],
    ["POST", `${legacy}/12/questions/7/cancel`, "legacy", "cancel"],
    ["POST", `${base}/prefix/.api/deepsearch/v1`, "legacy", "create"],
    ["POST", `${current}/CreateConversation`, "current", "create"],
    ["POST", `${current}/GetConversation`, "current", "get"],
    ["POST", `${current}/ListConversationSummaries`, "current", "list"],
    ["POST", `${current}/AddConversationQuestion`, "current", "follow-up"],
    ["POST", `${current}/CancelConversation`, "current", "cancel"],
    ["POST", `${current}/DeleteConversation`, "current", "delete"],
  ])("%s %s is of the interface %s: %s", (method, url, ...kind) => {
    const [name, operation] = kind;
    expect(requestKind(method, url)).toEqual({ interface: name, operation });
  });

  test.each([
    ["POST", `${base}/.api/search/stream`],
    ["OPTIONS", legacy],
    ["PUT", `${legacy}/12`],
    ["GET", `${legacy}/12/questions/7`],
    ["GET", `${base}/.api/deepsearch/v12`],
    ["GET", `${current}/GetConversation`],
    ["POST", `${current}/toString`],
    ["POST", `${current}/`],
    ["POST", current],
    ["POST", `${base}/api/deepsearch.v1.Services/GetConversation`],
    ["GET", `${base}/api-references`],
    ["GET", "file:///.api/search/stream"],
    ["GET", "no address"],
    ["GET", ""],
  ])("%s %s is nothing of the service", (method, url) => {
    expect(requestKind(method, url)).toBeUndefined();
  });
});

test.each([
  [`${base}/.api/search/stream?q=a`, base],
  ["https://user:pass@h:8443/a/b/.api/deepsearch/v1/1/questions", "https://h:8443/a/b"],
  [`${current}/GetConversation`, base],
  [`${base}/p/api-reference`, `${base}/p`],
  [`${base}/other`, undefined],
  ["/.api/search/stream", undefined],
])("the base URL of %s is %s", (url, expected) => {
  expect(parseBaseUrl(url)).toBe(expected);
});
