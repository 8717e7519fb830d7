import { describe, expect, test } from "vitest";
import { readTerminal } from "./terminal.ts";

const tty = { isTTY: true, columns: 80 };
const pipe = {};

describe("a terminal", () => {
  test.each([
    { name: "is coloured", env: {}, stdout: tty, colour: true },
    { name: "is plain when asked to be", env: { NO_COLOR: "1" }, stdout: tty, colour: false },
    { name: "is coloured when that is empty", env: { NO_COLOR: "" }, stdout: tty, colour: true },
    { name: "is plain when colours are forced off", env: { FORCE_COLOR: "0" }, stdout: tty, colour: false },
    {
      name: "is coloured when they are forced, whatever else is set",
      env: { FORCE_COLOR: "1", NO_COLOR: "1" },
      stdout: tty,
      colour: true,
    },
  ])("$name", ({ env, stdout, colour }) => {
    expect(readTerminal({ env, stdout, stderr: pipe }).colour).toBe(colour);
  });

  test.each([
    { name: "is plain", env: {}, colour: false },
    { name: "is plain when forced to be", env: { FORCE_COLOR: "false" }, colour: false },
    { name: "is coloured when forced to be", env: { FORCE_COLOR: "1" }, colour: true },
  ])("that is none $name", ({ env, colour }) => {
    expect(readTerminal({ env, stdout: pipe, stderr: pipe }).colour).toBe(colour);
  });

  test.each([
    { columns: 80, width: 80 },
    { columns: 20, width: 60 },
    { columns: 0, width: 100 },
    { columns: 500, width: 120 },
    { columns: undefined, width: 100 },
  ])("of $columns columns is $width wide", ({ columns, width }) => {
    const stdout = columns === undefined ? pipe : { isTTY: true, columns };
    expect(readTerminal({ env: {}, stdout, stderr: pipe }).width).toBe(width);
  });

  test.each([
    { stderr: tty, env: {}, isTty: true, isCi: false },
    { stderr: pipe, env: { CI: "true" }, isTty: false, isCi: true },
    { stderr: tty, env: { CI: "" }, isTty: true, isCi: false },
  ])("may rewrite lines: $isTty, is one of a build: $isCi", ({ stderr, env, isTty, isCi }) => {
    expect(readTerminal({ env, stdout: tty, stderr })).toMatchObject({ isTty, isCi });
  });
});
