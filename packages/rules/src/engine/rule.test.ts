import { expect, test } from "vitest";
import { defineExchangeRule, defineFramingRule, defineStreamRule } from "./rule.ts";

const id = "stream/two-fields";

test.each([
  { rule: defineFramingRule({ id, counts: "events" }), needs: "framing" },
  { rule: defineStreamRule({ id, start: () => undefined, on: {} }), needs: "stream" },
  { rule: defineExchangeRule({ id, check() {} }), needs: "exchanges" },
])("a rule about $needs tells that it needs them", ({ rule, needs }) => {
  expect(rule).toMatchObject({ id, needs });
});
