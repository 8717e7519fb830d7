import { describe, expect, test } from "vitest";
import { k6ProxyVariables } from "./k6-proxies.ts";

const targetAt = (url: string, embedded = false) => ({ url, embedded });
const variables = (env: NodeJS.ProcessEnv, hasModule: boolean, ...urls: readonly string[]) => {
  const [a = targetAt("http://a.test"), b] = urls.map((url) => targetAt(url));
  return k6ProxyVariables({ targets: b === undefined ? { a } : { a, b }, env, hasModule });
};
const upper = (given: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name === name.toUpperCase()));

test.each([true, false])("without a variable nothing is said: extension %s", (hasModule) => {
  expect(variables({ NO_PROXY: "x", HTTP_PROXY: "" }, hasModule, "http://a.test")).toEqual({});
});

describe("the extension is given the proxy of each target", () => {
  test.each<[string, NodeJS.ProcessEnv, readonly string[], Readonly<Record<string, string>>]>([
    [
      "by scheme",
      { HTTP_PROXY: "p:3128" },
      ["http://a.test/x", "https://b.test"],
      { "http://a.test": "http://p:3128/", "https://b.test": "" },
    ],
    [
      "but for NO_PROXY",
      { http_proxy: "http://p", NO_PROXY: "b.test" },
      ["http://a.test:1", "http://b.test:2"],
      { "http://a.test:1": "http://p/", "http://b.test:2": "" },
    ],
    [
      "SRC_PROXY for this machine as well",
      { SRC_PROXY: "http://p" },
      ["http://127.0.0.1:3080"],
      { "http://127.0.0.1:3080": "http://p/" },
    ],
    [
      "none for this machine otherwise",
      { HTTP_PROXY: "http://p" },
      ["http://x.localhost:3080"],
      { "http://x.localhost:3080": "" },
    ],
  ])("%s", (...[, env, urls, proxies]) => {
    expect(JSON.parse(variables(env, true, ...urls)["ASSAY_PROXIES"] ?? "")).toEqual(proxies);
  });

  test("and none of one that was started for the run", () => {
    const a = targetAt("http://127.0.0.1:1", true);
    expect(k6ProxyVariables({ targets: { a }, env: { SRC_PROXY: "http://p" }, hasModule: true })).toEqual({
      ASSAY_PROXIES: '{"http://127.0.0.1:1":""}',
    });
  });
});

describe("a script without it is told by the usual variables, in both cases", () => {
  test.each<[string, NodeJS.ProcessEnv, readonly string[], NodeJS.ProcessEnv]>([
    [
      "the lower-case name wins, which Go reads last",
      { http_proxy: "http://p", HTTP_PROXY: "http://q", NO_PROXY: "x.test" },
      ["http://a.test"],
      { HTTP_PROXY: "http://p/", NO_PROXY: "x.test" },
    ],
    [
      "what Go would not read so is listed",
      { HTTP_PROXY: "http://p", NO_PROXY: ".a.test" },
      ["http://a.test:3080"],
      { NO_PROXY: ".a.test,a.test:3080" },
    ],
    [
      "an IPv6 address in brackets",
      { HTTPS_PROXY: "http://p", NO_PROXY: "[2001:db8::7]" },
      ["https://[2001:db8::7]"],
      { NO_PROXY: "[2001:db8::7],[2001:db8::7]:443" },
    ],
    ["this machine", { HTTP_PROXY: "http://p" }, ["http://x.localhost:1"], { NO_PROXY: "x.localhost:1" }],
    [
      "SRC_PROXY is for all, whatever is listed",
      { SRC_PROXY: "http://p", HTTP_PROXY: "http://q", NO_PROXY: "*" },
      ["http://a.test", "https://b.test"],
      { HTTP_PROXY: "http://p/", HTTPS_PROXY: "http://p/", NO_PROXY: "" },
    ],
  ])("%s", (...[, env, urls, expected]) => {
    const found = variables(env, false, ...urls);
    expect(upper(found)).toEqual(expected);
    expect(Object.entries(upper(found)).every(([name, value]) => found[name.toLowerCase()] === value)).toBe(true);
  });

  test("SRC_PROXY for this machine is refused, since Go would not obey", () => {
    expect(() => variables({ SRC_PROXY: "http://p" }, false, "http://127.0.0.1:3080")).toThrow(
      /^SRC_PROXY sends requests to 127\.0\.0\.1:3080 through a proxy, .* unset SRC_PROXY/u,
    );
  });
});

test.each([true, false])("a proxy that cannot be used is refused and not quoted: extension %s", (hasModule) => {
  expect(() => variables({ HTTP_PROXY: "socks5://u:hunter2@p" }, hasModule, "http://a.test")).toThrow(
    /^bad-proxy: HTTP_PROXY names a SOCKS/u,
  );
});
