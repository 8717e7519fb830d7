import { expect, test } from "vitest";
import { clientCertificate, headersFor } from "./credentials.ts";

test.each([
  {
    name: "the first token for the base",
    side: "base",
    env: { ASSAY_TOKEN: "t", ASSAY_AGAINST_TOKEN: "u" },
    headers: { Authorization: "token t" },
  },
  {
    name: "the second token for the head",
    side: "head",
    env: { ASSAY_TOKEN: "t", ASSAY_AGAINST_TOKEN: "u" },
    headers: { Authorization: "token u" },
  },
  { name: "never the first token for the head", side: "head", env: { ASSAY_TOKEN: "t" }, headers: {} },
  { name: "nothing without a token", side: "base", env: {}, headers: {} },
  {
    name: "further headers",
    side: "base",
    env: { ASSAY_TOKEN: "t", ASSAY_EXTRA_HEADERS: '{"X-Route":"blue"}' },
    headers: { "X-Route": "blue", Authorization: "token t" },
  },
  { name: "no further headers when there are none", side: "base", env: { ASSAY_EXTRA_HEADERS: "{}" }, headers: {} },
] as const)("requests carry $name", ({ side, env, headers }) => {
  expect(headersFor(env, side)).toEqual(headers);
});

test.each(["secret", '["secret"]', '{"a": 3}', ""])(
  "further headers that are none are refused without being shown: %s",
  (value) => {
    expect(() => headersFor({ ASSAY_EXTRA_HEADERS: value }, "base")).toThrow(
      /^ASSAY_EXTRA_HEADERS must be JSON(?!.*secret)/u,
    );
  },
);

test.each([
  { name: "none without one", env: {}, given: {} },
  {
    name: "the one that is named, its key in a frame",
    env: { ASSAY_CLIENT_CERT_PEM: "c", ASSAY_CLIENT_KEY_PEM: "a2V5" },
    given: { tlsAuth: [{ cert: "c", key: "-----BEGIN PRIVATE KEY-----\na2V5\n-----END PRIVATE KEY-----\n" }] },
  },
  {
    name: "a key in its own frame",
    env: { ASSAY_CLIENT_CERT_PEM: "c", ASSAY_CLIENT_KEY_PEM: "-----BEGIN EC PRIVATE KEY-----" },
    given: { tlsAuth: [{ cert: "c", key: "-----BEGIN EC PRIVATE KEY-----" }] },
  },
])("a target that asks for a certificate is given $name", ({ env, given }) => {
  expect(clientCertificate(env)).toEqual(given);
});
