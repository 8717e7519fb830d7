import { expect, test } from "vitest";
import { matchesTarget, readTarget } from "./target-pattern.ts";

const matches = (word: string, target: string): boolean | string => {
  const read = readTarget(word);
  return "mistake" in read ? read.mistake : matchesTarget(read.value, target);
};

test.each<[string, string, boolean]>([
  ["*", "https://staging.example.com", true],
  ["*", "recordings/a.sse", true],
  ["https://staging.example.com", "https://staging.example.com", true],
  ["https://staging.example.com/", "https://staging.example.com", true],
  ["https://staging.example.com", "https://staging.example.com/", true],
  ["HTTPS://Staging.Example.com:443", "https://staging.example.com", true],
  ["https://staging.example.com", "http://staging.example.com", false],
  ["https://staging.example.com", "https://staging.example.com:8443", false],
  ["https://staging.example.com", "https://staging.example.com.evil.test", false],
  ["https://staging.example.com", "https://staging.example.com/search", true],
  ["https://staging.example.com/search", "https://staging.example.com/search/v2", true],
  ["https://staging.example.com/search", "https://staging.example.com/searches", false],
  ["https://staging.example.com/search", "https://staging.example.com", false],
  ["https://u:p@staging.example.com", "https://staging.example.com", true],
  ["https://staging.example.com", "https://u:p@staging.example.com", true],
  ["https://staging.example.com", "recordings/a.sse", false],
  ["https://staging*", "https://staging-2.example.com/search", true],
  ["https://Staging*", "https://staging-2.example.com", true],
  ["https://staging*", "http://staging-2.example.com", false],
  ["https://u:p@staging*", "https://staging-2.example.com", true],
  ["https://*", "https://any.test", true],
  ["https://*", "http://any.test", false],
  ["http://127.0.0.1:*", "http://127.0.0.1:3080", true],
  ["https://staging.example.com/*", "https://staging.example.com", true],
  ["https://STAGING.example.com:443/Search*", "https://staging.example.com/Searches", true],
  ["https://staging.example.com/Search*", "https://staging.example.com/search", false],
  ["https://u:p@staging.example.com/*", "https://staging.example.com", true],
  ["https://staging*", "recordings/https://staging.sse", false],
])("%s means %s: %s", (word, target, expected) => {
  expect(matches(word, target)).toBe(expected);
});

const example = "write a base URL such as https://search.example.com, or `*` for any target";

test.each<[string, string]>([
  ["staging", `the target \`staging\` is not an http or https address; ${example}`],
  ["ftp://x", `the target \`ftp://x\` is not an http or https address; ${example}`],
  ["https://", `the target \`https://\` is not an http or https address; ${example}`],
  ["https://a b", `the target \`https://a b\` is not an http or https address; ${example}`],
  ["staging*", `the target \`staging*\` does not begin an http or https address; ${example}`],
  ["https*", `the target \`https*\` does not begin an http or https address; ${example}`],
  ["x-https://a*", `the target \`x-https://a*\` does not begin an http or https address; ${example}`],
  ["https://a[/*", `the target \`https://a[/*\` is not an address; ${example}`],
  ["https://*.example.com", `the target \`https://*.example.com\` has a \`*\` that is not at its end; ${example}`],
  ["https://a**", `the target \`https://a**\` has a \`*\` that is not at its end; ${example}`],
  ["https://a/?q=1", "the target `https://a/?q=1` has a query or a fragment; leave it out"],
  ["https://a/#x", "the target `https://a/#x` has a query or a fragment; leave it out"],
  ["https://a/?*", "the target `https://a/?*` has a query or a fragment; leave it out"],
])("%s is refused", (word, mistake) => {
  expect(readTarget(word)).toEqual({ mistake });
});

test.each([
  ["https://X.test:443/a/", "https://x.test/a"],
  ["https://u@x.test", "https://x.test"],
  ["https://X.te*", "https://x.te*"],
  ["https://X.test/A*", "https://x.test/A*"],
  ["*", "*"],
])("%s is spelled %s", (word, text) => {
  expect(readTarget(word)).toMatchObject({ value: { text } });
});
