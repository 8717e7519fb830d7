import { expect, test } from "vitest";
import { codeBlock, codeSpan, proseText } from "./markdown-text.ts";

test.each([
  ["plain", "`plain`"],
  ["", "`(empty)`"],
  ["a`b", "``a`b``"],
  ["`a`", "`` `a` ``"],
  ["``", "``` `` ```"],
  [" padded ", "`  padded  `"],
  ["@everyone <b> | ![i](x)", "`@everyone <b> | ![i](x)`"],
])("%j as a code span is %j", (text, span) => {
  expect(codeSpan(text)).toBe(span);
});

test("a fence is longer than any run of back-ticks in it", () => {
  expect(codeBlock(["a", "````", "b"])).toEqual(["`````text", "a", "````", "b", "`````"]);
});

test.each([
  ["two `code` words", "two `code` words"],
  ["an odd ` tick", "an odd &#96; tick"],
  ["<img src=x>", "&#60;img src=x&#62;"],
  ["&lt;", "&#38;lt;"],
  ["**b** _i_ ~s~", "&#42;&#42;b&#42;&#42; &#95;i&#95; &#126;s&#126;"],
  ["[l](javascript:x)", "&#91;l&#93;(javascript:x)"],
  ["![i](http://x)", "&#33;&#91;i&#93;(http:\u200B//x)"],
  ["@everyone and #12", "@\u200Beveryone and &#35;\u200B12"],
  ["www.evil.test", "www\u200B.evil.test"],
  ["- list", "&#45; list"],
  ["12. list", "12&#46; list"],
  ["+ list", "&#43; list"],
  ["---", "&#45;--"],
  ["    indented", "indented"],
  ["a | b \\ c", "a &#124; b &#92; c"],
])("%j as prose is %j", (text, markdown) => {
  expect(proseText(text)).toBe(markdown);
});
