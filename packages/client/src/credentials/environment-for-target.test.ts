import { describe, expect, test } from "vitest";
import { environmentFor } from "./environment-for-target.ts";

const given = {
  SRC_ACCESS_TOKEN: "token-of-src",
  SRC_HEADERS: "x-key:1",
  SRC_HEADER_X_TENANT: "2",
  SRC_PROXY: "http://proxy",
  ASSAY_TOKEN: "token-of-assay",
};
const theirs = ["SRC_ACCESS_TOKEN", "SRC_HEADERS", "SRC_HEADER_X_TENANT"];

describe("what belongs to the instance of SRC_ENDPOINT", () => {
  test.each([
    { name: "is for it", endpoint: "https://a.example", url: "https://a.example/sub", withheld: [] },
    { name: "is not for another host", endpoint: "https://a.example", url: "https://b.example", withheld: theirs },
    {
      name: "is not for a host below it",
      endpoint: "https://example.com",
      url: "https://a.example.com",
      withheld: theirs,
    },
    { name: "is not for another port", endpoint: "https://a.example", url: "https://a.example:8443", withheld: theirs },
    { name: "is not for plain text", endpoint: "https://a.example", url: "http://a.example", withheld: theirs },
    {
      name: "of this machine is not for another one",
      endpoint: "http://localhost:1",
      url: "https://b.example",
      withheld: theirs,
    },
    {
      name: "is not for another host where it is written without a scheme",
      endpoint: "a.example",
      url: "https://b.example",
      withheld: theirs,
    },
    {
      name: "of another machine is not for this one",
      endpoint: "https://a.example",
      url: "http://localhost:1",
      withheld: theirs,
    },
    {
      name: "is for other ports of this machine",
      endpoint: "http://localhost:1",
      url: "http://127.0.0.1:2",
      withheld: [],
    },
    {
      name: "is for whatever is named where there is no endpoint",
      endpoint: "",
      url: "https://b.example",
      withheld: [],
    },
  ])("$name", ({ endpoint, url, withheld }) => {
    const found = environmentFor(url, { ...given, SRC_ENDPOINT: endpoint });
    expect(found.withheld).toEqual(withheld);
    expect(theirs.filter((name) => name in found.env)).toEqual(theirs.filter((name) => !withheld.includes(name)));
    expect(found.env).toMatchObject({ ASSAY_TOKEN: "token-of-assay", SRC_PROXY: "http://proxy" });
  });
});
