import { expect, test } from "vitest";
import { toMemberKey } from "./schema-shape.ts";

test.each([
  ["retryTime", "retry_time"],
  ["retry_time", "retry_time"],
  ["repositoryID", "repository_id"],
  ["nextPageToken", "next_page_token"],
  ["page2Token", "page2_token"],
  ["__proto__", "__proto__"],
  ["", ""],
])("%s is the member %s", (name, key) => {
  expect(toMemberKey(name)).toBe(key);
});
