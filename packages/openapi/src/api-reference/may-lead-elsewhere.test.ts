import { expect, test } from "vitest";
import { mayLeadElsewhere } from "./may-lead-elsewhere.ts";

const links = ["/openapi.yaml"];

test.each<{ name: string; page: string; elsewhere: boolean }>([
  { name: "words alone", page: "<h1>Reference</h1>", elsewhere: false },
  { name: "the known link", page: '<a href="/openapi.yaml">x</a>', elsewhere: false },
  {
    name: "links to page resources",
    page: '<link rel="stylesheet" href="/a.css"><link rel="icon" href="/i.png"><meta http-equiv="x-ua-compatible"><a href="#top">up</a>',
    elsewhere: false,
  },
  {
    name: "a form that tries a call",
    page: '<form method="POST" action="/x"><button>x</button></form>',
    elsewhere: false,
  },
  { name: "another link", page: '<a href="/download/42">the schema</a>', elsewhere: true },
  { name: "a script", page: '<script src="/viewer.js"></script>', elsewhere: true },
  { name: "a page inside", page: '<iframe src="/viewer"></iframe>', elsewhere: true },
  { name: "an element of a viewer", page: "<rapi-doc></rapi-doc>", elsewhere: true },
  { name: "a handler", page: '<button onclick="load()">x</button>', elsewhere: true },
  { name: "a sign-in", page: '<form method="post"><input type="Password"></form>', elsewhere: true },
  { name: "a form that asks for something", page: '<form action="/search"></form>', elsewhere: true },
  { name: "a move", page: '<meta http-equiv="Refresh" content="0;url=/viewer">', elsewhere: true },
])("$name", ({ page, elsewhere }) => {
  expect(mayLeadElsewhere(new TextEncoder().encode(page), links)).toBe(elsewhere);
});
