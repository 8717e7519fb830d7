import { describe, expect, test } from "vitest";
import { selectEnvironment } from "./environment-for-target.ts";

const given = {
  SRC_ACCESS_TOKEN: "token-of-src",
  SRC_HEADERS: "x-key:1",
  SRC_HEADER_X_TENANT: "2",
  SRC_PROXY: "http://proxy",
  ASSAY_TOKEN: "token-of-assay",
};
const theirs = ["SRC_ACCESS_TOKEN", "SRC_HEADERS", "SRC_HEADER_X_TENANT"];

describe("credentials of the instance in SRC_ENDPOINT", () => {
  test.each([
    { name: "is for it", endpoint: "https://a.example", url: "https://a.example/sub", withheld: [] },
    {
      name: "does not apply to another host",
      endpoint: "https://a.example",
      url: "https://b.example",
      withheld: theirs,
    },
    {
      name: "does not apply to a subdomain",
      endpoint: "https://example.com",
      url: "https://a.example.com",
      withheld: theirs,
    },
    {
      name: "does not apply to another port",
      endpoint: "https://a.example",
      url: "https://a.example:8443",
      withheld: theirs,
    },
    { name: "does not apply to plain text", endpoint: "https://a.example", url: "http://a.example", withheld: theirs },
    {
      name: "of this machine does not apply to another one",
      endpoint: "http://localhost:1",
      url: "https://b.example",
      withheld: theirs,
    },
    {
      name: "does not apply to another host if written without a scheme",
      endpoint: "a.example",
      url: "https://b.example",
      withheld: theirs,
    },
    {
      name: "of another machine does not apply to this one",
      endpoint: "https://a.example",
      url: "http://localhost:1",
      withheld: theirs,
    },
    {
      name: "applies to other ports of this machine",
      endpoint: "http://localhost:1",
      url: "http://127.0.0.1:2",
      withheld: [],
    },
    {
      name: "applies to every target without an endpoint",
      endpoint: "",
      url: "https://b.example",
      withheld: [],
    },
  ])("$name", ({ endpoint, url, withheld }) => {
    const found = selectEnvironment(url, { ...given, SRC_ENDPOINT: endpoint });
    expect(found.withheldNames).toEqual(withheld);
    expect(theirs.filter((name) => name in found.env)).toEqual(theirs.filter((name) => !withheld.includes(name)));
    expect(found.env).toMatchObject({ ASSAY_TOKEN: "token-of-assay", SRC_PROXY: "http://proxy" });
  });
});
