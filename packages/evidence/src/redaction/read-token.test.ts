import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { exampleDraft, exampleRedactor } from "../testing/exchange-example.ts";
import type { ExchangeDraft } from "../exchange.ts";

const uuid = "3f1c2a4e-0b1d-4c5e-8f90-a1b2c3d4e5f6";

/** An answer of the legacy interface that arrived in these pieces. */
function answer(pieces: readonly string[], request: Partial<ExchangeDraft["request"]> = {}): ExchangeDraft {
  const draft = exampleDraft("1", pieces);
  return {
    ...draft,
    interface: "legacy",
    operation: "get",
    request: { ...draft.request, method: "POST", ...request },
  };
}

const bodyOf = ({ response }: ExchangeDraft): string =>
  Buffer.concat(response?.chunks.map(({ bytes }) => bytes) ?? []).toString();

describe("a read token", () => {
  const text = (token: string): string =>
    JSON.stringify({ read_token: token, share_url: `https://other.example.com/deepsearch/${token}?x=1` });

  test.each([
    ["a UUID", uuid],
    ["any word", "not-a-uuid-but-a-token"],
    ["two words", "two words and-a-token"],
  ])("that is %s stays equal in the link that holds it", (_, token) => {
    const redacted = JSON.parse(bodyOf(exampleRedactor().draft(answer([text(token)]))));
    expect(JSON.stringify(redacted)).not.toContain(token);
    expect(redacted.share_url).toContain(redacted.read_token);
    expect(redacted.read_token).toHaveLength(token.length);
  });

  test("is replaced from the first answer on, in requests, links and messages", () => {
    const redactor = exampleRedactor();
    redactor.draft(answer([text("some-token-1")]));
    const later = redactor.draft({
      ...answer(['{"message":"some-token-1 is gone"}'], {
        url: "http://127.0.0.1:1/.api/deepsearch/v1?filter_read_token=some-token-1",
        body: '{"token":"some-token-1"}',
      }),
      end: { kind: "failed", code: "reset", message: "after some-token-1" },
    });
    expect(JSON.stringify([later.request, bodyOf(later), later.end])).not.toContain("some-token-1");
  });

  test.each([
    ["as it is", "a+b/c=d&e~f=="],
    ["with escapes of JSON", String.raw`a+b\/c\u003dd\u0026e~f==`],
  ])("is learned from a body that has it %s", (_, written) => {
    const redactor = exampleRedactor();
    const body = JSON.parse(bodyOf(redactor.draft(answer([`{"read_token":"${written}"}`]))));
    const url = "http://127.0.0.1:1/.api/deepsearch/v1?filter_read_token=a%2Bb%2Fc%3Dd%26e~f%3D%3D";
    const asked = new URL(redactor.draft(answer(["{}"], { url })).request.url).searchParams.get("filter_read_token");
    expect([asked, body.read_token].map((token) => token.replace(/\.+$/u, ""))).toEqual([
      redactor.text("a+b/c=d&e~f=="),
      redactor.text("a+b/c=d&e~f=="),
    ]);
  });

  test.each(["two%20words%20here", "two+words+here"])("with spaces is found in a URL with %s", (written) => {
    const redactor = exampleRedactor();
    const body = JSON.parse(bodyOf(redactor.draft(answer(['{"read_token":"two words here"}']))));
    const url = `http://127.0.0.1:1/.api/deepsearch/v1?filter_read_token=${written}`;
    const asked = new URL(redactor.draft(answer(["{}"], { url })).request.url).searchParams.get("filter_read_token");
    expect(asked?.replace(/\.+$/u, "")).toBe(body.read_token);
  });

  test("is replaced in a link of the current interface, whose answers contain no token", () => {
    const body = JSON.stringify({ url: `https://search.example.com/deepsearch/${uuid}` });
    const redacted = bodyOf(exampleRedactor().draft({ ...answer([body]), interface: "current" }));
    expect(redacted).not.toContain(uuid);
    expect(redacted).toHaveLength(body.length);
  });

  test("of fewer than eight characters is replaced only where it is named", () => {
    const redacted = JSON.parse(
      bodyOf(exampleRedactor().draft(answer(['{"read_token":"abc","text":"abc is a word"}']))),
    );
    expect([redacted.read_token === "abc", redacted.text]).toEqual([false, "abc is a word"]);
  });

  test("is not learned from streams, which contain arbitrary text", () => {
    const redactor = exampleRedactor();
    redactor.draft(exampleDraft("1", ['{"read_token":"function"}']));
    expect(redactor.text("a function")).toBe("a function");
  });
});

test("the request body is redacted like any other text", () => {
  const redactor = exampleRedactor([{ name: "ASSAY_TOKEN", value: "sesame-open" }]);
  const { request } = redactor.draft(answer(["{}"], { body: '{"question":"is sesame-open a token?"}' }));
  expect(request.body).not.toContain("sesame-open");
  expect(request.body).toHaveLength('{"question":"is sesame-open a token?"}'.length);
});
