import { afterAll, beforeAll, expect, test } from "vitest";
import { type OtherHost, startOtherHost } from "./other-host.ts";

// Its Base64 contains both characters in which the alphabets differ, at one of the alignments.
const token = "sgp_~~~???~~~???0123456789>>>";

let host: OtherHost;

beforeAll(async () => {
  host = await startOtherHost();
});

afterAll(() => host.close());

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test.each([
  { name: "in plain text", written: token },
  { name: "in Base64", written: base64(token) },
  { name: "in Base64 after a name", written: base64(`x:${token}`) },
  { name: "in Base64 after a longer name", written: base64(`you:${token}:`) },
  { name: "in Base64 within JSON", written: base64(JSON.stringify({ token })) },
  { name: "in Base64 for addresses", written: Buffer.from(`x:${token}`).toString("base64url") },
])("a token is found $name", async ({ written }) => {
  const url = `http://localhost:${host.port}/`;
  await fetch(url, { headers: { authorization: `Basic ${written}` } });
  await fetch(url, { method: "POST", body: `token=${encodeURIComponent(written)}&plain=${written}` });
  await fetch(url, { headers: { authorization: `Basic ${base64("x:sgp_of_nobody")}` } });
  expect(
    host
      .requests(token)
      .slice(-3)
      .map(({ tokenIn }) => tokenIn),
  ).toEqual([["the header authorization"], ["the body"], []]);
});

test("a recorded address contains no part of a token", async () => {
  await fetch(`http://localhost:${host.port}/?auth=${encodeURIComponent(base64(`you:${token}`))}`);
  const seen = host.requests(token).at(-1);
  expect(seen).toMatchObject({ tokenIn: ["the address"], url: expect.stringContaining("<token>") });
  expect(seen?.url.replace("<token>", "").length).toBeLessThan("/?auth=".length + base64("you:").length + 4);
});
