import { expect, test } from "vitest";
import { redactUrl } from "./redact-url.ts";

test.each([
  { name: "without a user stays", text: "https://search.example/prefix", shown: "https://search.example/prefix" },
  { name: "with an @ in its path stays", text: "https://search.example/@team", shown: "https://search.example/@team" },
  { name: "loses its password", text: "https://me:hunter22@search.example", shown: "https://***@search.example" },
  {
    name: "that cannot be read for its password loses it",
    text: "https://me:hunt/er22@search.example",
    shown: "https://***@search.example",
  },
  { name: "loses all of a password", text: "https://me:hunt@er22@p:1", shown: "https://***@p:1" },
  { name: "without a scheme loses it", text: "me:hunter22@proxy.example:3128", shown: "***@proxy.example:3128" },
  { name: "of another scheme loses it", text: "socks5://me:hunter22@p", shown: "socks5://***@p" },
  { name: "that is not a URL is shown as it is", text: "--embedded", shown: "--embedded" },
])("an address $name", ({ text, shown }) => {
  expect(redactUrl(text)).toBe(shown);
});
