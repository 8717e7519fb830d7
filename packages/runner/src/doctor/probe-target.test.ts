import { expect, test } from "vitest";
import { findProxy } from "./probe-target.ts";

const target = new URL("https://search.example.com");
const proxy = { HTTPS_PROXY: "http://me:hunter22@proxy.example.com:3128" };

test.each([
  { name: "none is exempt where nothing says so", env: {}, isExempt: false },
  { name: "one in NO_PROXY is exempt", env: { NO_PROXY: ".example.com" }, isExempt: true },
  { name: "the lower-case name wins", env: { no_proxy: "other", NO_PROXY: ".example.com" }, isExempt: false },
  { name: "an empty list is not set", env: { no_proxy: "", NO_PROXY: ".example.com" }, isExempt: true },
])("of the hosts behind a proxy $name, and its password is not kept", ({ env, isExempt }) => {
  const found = findProxy(target, { ...proxy, ...env });
  expect(found).toEqual({ variable: "HTTPS_PROXY", address: "proxy.example.com:3128", isExempt });
});
