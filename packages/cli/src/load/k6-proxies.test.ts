import { describe, expect, test } from "vitest";
import { createK6ProxyVariables } from "./k6-proxies.ts";

const targetAt = (url: string, embedded = false) => ({ url, embedded });
const variables = (env: NodeJS.ProcessEnv, ...urls: readonly string[]) => {
  const [base = targetAt("http://a.test"), head] = urls.map((url) => targetAt(url));
  return createK6ProxyVariables({ targets: head === undefined ? { base } : { base, head }, env });
};
test("without a variable there are none", () => {
  expect(variables({ NO_PROXY: "x", HTTP_PROXY: "" }, "http://a.test")).toEqual({});
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
    expect(JSON.parse(variables(env, ...urls)["ASSAY_PROXIES"] ?? "")).toEqual(proxies);
  });

  test("and none for a server that was started for the run", () => {
    const a = targetAt("http://127.0.0.1:1", true);
    expect(createK6ProxyVariables({ targets: { base: a }, env: { SRC_PROXY: "http://p" } })).toEqual({
      ASSAY_PROXIES: '{"http://127.0.0.1:1":""}',
    });
  });
});

test("a proxy that cannot be used is refused and not quoted", () => {
  expect(() => variables({ HTTP_PROXY: "socks5://u:hunter2@p" }, "http://a.test")).toThrow(
    /^bad-proxy: HTTP_PROXY is a SOCKS/u,
  );
});
