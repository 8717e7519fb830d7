import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { httpTarget } from "../testing/target.ts";
import { adviceOf, examined, examinedUntil, serverFor } from "./testing/examined.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import type { Examined } from "./testing/examined.ts";
import { describingLate, failingNowAndThen, givingUp, keeping, losing } from "./testing/front-proxy.ts";

const repo = sharedRepository();

/** The findings for a healthy server behind a proxy; one token is enough. */
async function through(front: (url: string) => RequestListener, options: DoctorOptions = {}): Promise<Examined> {
  const server = await serverFor(repo);
  const url = await httpTarget(front(server.url));
  return examined(options, { SRC_ENDPOINT: url, SRC_ACCESS_TOKEN: server.token });
}

describe("requests that fail in front", () => {
  test.concurrent("only for long searches: the status, and which limit to raise", async () => {
    const seen = await through((url) => givingUp(url));
    expect([seen.line("buffering"), seen.line("rate-limit"), seen.code]).toEqual([
      expect.stringMatching(/^problem: 5 of 5 longer searches received no stream: status 504 after \d/u),
      expect.stringMatching(/^problem: 5 of \d+ requests failed: 5 with status 504$/u),
      1,
    ]);
    expect(adviceOf(seen, "buffering")).toContain("proxy_read_timeout");
  });

  test.concurrent.each([
    { how: "page", every: 12, is: /^problem: 1 of \d+ requests failed: 1 with status 503$/u },
    { how: "nothing", every: 6, is: /^problem: 2 of \d+ requests failed: 2 without a complete response/u },
  ] as const)("now and then, with $how: how many, and that it is a problem", async ({ every, how, is }) => {
    const seen = await through((url) => failingNowAndThen(url, every, how));
    expect([seen.line("rate-limit"), seen.code]).toEqual([expect.stringMatching(is), 1]);
  });

  test.concurrent.each([
    { name: "once: a problem", failures: 1, is: /^problem: 1 of \d+ requests failed/u, code: 1 },
    { name: "each time: it may not exist", failures: 99, is: /^note: 2 of \d+ requests failed/u, code: 0 },
  ])("only for the OpenAPI document, $name", async ({ code, failures, is }) => {
    const seen = await through((url) => describingLate(url, failures));
    expect([seen.line("rate-limit"), seen.code]).toEqual([expect.stringMatching(is), code]);
  });

  test.concurrent("all of them, with an error page: nothing is behind the proxy, and it is not a login", async () => {
    const seen = await through((url) => failingNowAndThen(url, 1, "page"));
    expect([seen.line("is-the-api"), seen.code]).toEqual(["problem: /.api/search/stream returned status 503", 3]);
    expect(adviceOf(seen, "is-the-api")).toMatch(/the instance behind it does not/u);
  });

  test.concurrent("because a header is dropped: which one", async () => {
    const seen = await through((url) => losing(url, "x-requested-with"));
    expect([seen.line("legacy-interface"), seen.code]).toEqual([expect.stringMatching(/^problem: .*status 400/u), 1]);
    expect(adviceOf(seen, "legacy-interface")).toContain("X-Requested-With");
  });
});

describe("a large stream", () => {
  test.concurrent("that is collected after its beginning is held back, although small ones flow", async () => {
    const seen = await examinedUntil(
      (one) => one.line("buffering").startsWith("problem"),
      (out) => through((url) => keeping(url, 8000), { out }),
    );
    expect([seen.line("buffering"), adviceOf(seen, "buffering"), seen.code]).toEqual([
      // If the large ones could not be read in time, small ones are reported.
      seen.found(/^problem: large responses are held back: .* 2 of 2 large ones/u, /^(?:could-not-tell|fine): /u),
      seen.found(/proxy_buffering/u, /^/u),
      seen.ends(1),
    ]);
  });

  test.concurrent("that arrives as it is made is fine", async () => {
    const is = /^fine: [23] of 3 streams arrived/u;
    const seen = await examinedUntil(
      (one) => is.test(one.line("buffering")),
      (out) => through((url) => keeping(url), { out }),
    );
    expect([seen.line("buffering"), seen.code]).toEqual([seen.found(is, /^(?:could-not-tell|fine): /u), 0]);
  });
});
