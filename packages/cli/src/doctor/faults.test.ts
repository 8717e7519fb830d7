import { selectRows } from "@assay/tools/proving";
import type { DoctorCheckId, DoctorStatus } from "@assay/results";
import { doctorChecks } from "@assay/results";
import { describe, expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { examined, serverFor, tokensOf } from "./testing/examined.ts";

const repo = sharedRepository();

/** A fault, the check that it changes, and the exit code. */
interface Flip {
  readonly fault: string;
  readonly check: DoctorCheckId;
  readonly is: DoctorStatus;
  readonly found: RegExp;
  readonly code: number;
  readonly options?: DoctorOptions;
}

/** Faults of the connection and of access. */
const flips: readonly Flip[] = [
  {
    fault: "redirect-to-login",
    check: "redirects",
    is: "problem",
    found: /another host \(https:\/\/login\.example\.com/,
    code: 3,
  },
  { fault: "redirect-to-login:how=sign-in", check: "redirects", is: "problem", found: /a sign-in page/, code: 3 },
  { fault: "access-token-refused:how=redirect", check: "redirects", is: "problem", found: /sign-in/, code: 1 },
  { fault: "html-200", check: "is-the-api", is: "problem", found: /a web page with status 200/, code: 1 },
  { fault: "empty-body", check: "is-the-api", is: "problem", found: /an empty response/, code: 1 },
  { fault: "via-proxy", check: "front", is: "note", found: /nginx/, code: 0 },
  { fault: "via-proxy:how=cloudflare", check: "front", is: "note", found: /Cloudflare/, code: 0 },
  { fault: "via-proxy:how=via", check: "front", is: "note", found: /Squid \(via: 1\.1 gateway/, code: 0 },
  { fault: "clock-skew", check: "clock", is: "problem", found: /at least 10 min behind ours/, code: 1 },
  {
    fault: "clock-skew:seconds=90,direction=ahead",
    check: "clock",
    is: "note",
    found: /(?:89|90) s ahead of ours/,
    code: 0,
  },
  { fault: "access-token-refused", check: "own-token", is: "problem", found: /cannot search: status 401/, code: 1 },
  { fault: "anonymous-accepted", check: "without-token", is: "note", found: /anyone can search/, code: 0 },
  {
    fault: "anonymous-accepted",
    check: "without-token",
    is: "problem",
    found: /--access is private/,
    code: 1,
    options: { access: "private" },
  },
  {
    fault: "anonymous-refused",
    check: "without-token",
    is: "problem",
    found: /--access is public/,
    code: 1,
    options: { access: "public" },
  },
  { fault: "any-token-accepted", check: "invalid-token", is: "problem", found: /never issued can search/, code: 1 },
  { fault: "scope-ignored", check: "scopes", is: "problem", found: /without scopes can access search/, code: 1 },
  {
    fault: "current-scope-ignored",
    check: "scopes",
    is: "problem",
    found: /without scopes can access current/,
    code: 1,
  },
  {
    fault: "legacy-token-turned-away",
    check: "scopes",
    is: "note",
    found: /without scopes cannot access legacy/,
    code: 0,
  },
  { fault: "oauth-token-refused", check: "scopes", is: "note", found: /OAuth token cannot access search/, code: 0 },
  { fault: "search-missing", check: "stream-interface", is: "problem", found: /not available \(status 404\)/, code: 1 },
  { fault: "status-500", check: "stream-interface", is: "problem", found: /status 500/, code: 1 },
  {
    fault: "no-answer",
    check: "stream-interface",
    is: "problem",
    found: /no response/,
    code: 1,
    options: { timeout: 2 },
  },
  { fault: "reset-before-head", check: "stream-interface", is: "problem", found: /reset/, code: 1 },
  { fault: "interface-missing", check: "legacy-interface", is: "note", found: /not available/, code: 0 },
  { fault: "interface-missing:how=current", check: "current-interface", is: "note", found: /not available/, code: 0 },
  { fault: "conversation-status-500", check: "current-interface", is: "problem", found: /status 500/, code: 1 },
  {
    fault: "current-no-api-reference",
    check: "api-reference",
    is: "note",
    found: /no document at \/api-reference \(status 404\)/,
    code: 0,
  },
  {
    fault: "current-no-api-reference:how=not-openapi",
    check: "api-reference",
    is: "note",
    found: /no usable document/,
    code: 0,
  },
  { fault: "search-rate-limited", check: "rate-limit", is: "note", found: /status 429.*Retry-After: 1/, code: 3 },
  { fault: "conversation-rate-limited", check: "rate-limit", is: "note", found: /status 429/, code: 0 },
];

/** Faults of the stream. */
const streamFlips: readonly Flip[] = [
  { fault: "truncate", check: "stream-end", is: "problem", found: /cut off after/, code: 1 },
  { fault: "reset-mid-event", check: "stream-end", is: "problem", found: /cut off after/, code: 1 },
  { fault: "no-done", check: "stream-end", is: "problem", found: /without `done`/, code: 1 },
  { fault: "closed-after-done", check: "stream-end", is: "problem", found: /without the final chunk/, code: 1 },
  { fault: "open-after-done", check: "stream-end", is: "note", found: /left open after `done`/, code: 0 },
  {
    fault: "endless",
    check: "stream-end",
    is: "could-not-tell",
    found: /had not ended/,
    code: 3,
    options: { timeout: 2 },
  },
  { fault: "all-at-once", check: "buffering", is: "could-not-tell", found: /too fast to be conclusive/, code: 0 },
  {
    fault: "compressed-always",
    check: "compression",
    is: "problem",
    found: /"gzip" although the client did not request compression/,
    code: 1,
  },
  { fault: "gzip-garbage", check: "compression", is: "problem", found: /decod|gzip/, code: 1 },
  { fault: "comment", check: "stream-format", is: "problem", found: /comment lines, such as ": ping"/, code: 1 },
  { fault: "crlf", check: "stream-format", is: "problem", found: /a carriage return/, code: 1 },
  { fault: "bom", check: "stream-format", is: "problem", found: /a byte order mark/, code: 1 },
  { fault: "wrong-content-type", check: "content-type", is: "problem", found: /"application\/octet-stream"/, code: 1 },
  { fault: "cacheable", check: "cache-control", is: "note", found: /public, max-age=300/, code: 0 },
];

/** `npm test` changes each check once, `npm run prove` by every other fault. */
const tried = (all: readonly Flip[]): readonly Flip[] => {
  const checks = all.map(({ check }) => check);
  return selectRows(all, ({ check }, index) => checks.indexOf(check) === index);
};

async function found({ check, fault, options }: Flip): Promise<readonly [string, number]> {
  const server = await serverFor(repo, { fault });
  const { code, line } = await examined(options ?? {}, tokensOf(server));
  return [line(check), code];
}

describe("a fault of the connection or of access changes its check", () => {
  test.concurrent.each(tried(flips))("$fault: $check is $is", { tags: "more" }, async (flip) => {
    const [line, code] = await found(flip);
    expect(line).toMatch(new RegExp(`^${flip.is}: .*${flip.found.source}`));
    expect(code).toBe(flip.code);
  });
});

describe("a fault of the stream changes its check", () => {
  test.concurrent.each(tried(streamFlips))("$fault: $check is $is", { tags: "more" }, async (flip) => {
    const [line, code] = await found(flip);
    expect(line).toMatch(new RegExp(`^${flip.is}: .*${flip.found.source}`));
    expect(code).toBe(flip.code);
  });
});

/** Checks that no fault of a server can change, and that of sharing, which needs a conversation. They have tests of their own. */
const elsewhere: readonly DoctorCheckId[] = [
  "reachable",
  "proxy",
  "encryption",
  "certificate",
  "sharing",
  "http-versions",
];

test("each check has something that changes it", () => {
  const flipped = new Set<string>(
    [...flips, ...streamFlips].filter(({ is }) => is !== "fine").map(({ check }) => check),
  );
  expect(Object.keys(doctorChecks).filter((id) => !flipped.has(id))).toEqual(elsewhere);
});
