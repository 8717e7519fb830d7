import { expect, test } from "vitest";
import { palette } from "./palette.ts";

/** The backgrounds of both themes. */
const backgrounds = { light: "#ffffff", dark: "#14161a" } as const;

const channel = (byte: number): number => {
  const share = byte / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance by WCAG 2. */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

test.each(Object.entries(palette))("%s has enough contrast on both backgrounds", (_name, colour) => {
  expect(colour).toMatch(/^#[0-9a-f]{6}$/u);
  expect(contrast(colour, backgrounds.light)).toBeGreaterThanOrEqual(3);
  expect(contrast(colour, backgrounds.dark)).toBeGreaterThanOrEqual(3);
});

test("no two colours are the same", () => {
  expect(new Set(Object.values(palette)).size).toBe(Object.keys(palette).length);
});
