import { InvalidArgumentError } from "commander";
import type { Reader } from "../flag.ts";

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
type Unit = keyof typeof unitsMs;
const isUnit = (text: string): text is Unit => Object.hasOwn(unitsMs, text);

const pattern = String.raw`^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$`;

interface Bounds {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Parses a duration such as `500ms`, `15s`, `2m` or `1.5h` as milliseconds. Throws an `InvalidArgumentError` for other text. */
export const durationReader = ({ minMs, maxMs }: Bounds): Reader<number> => ({
  schema: { type: "string", pattern, title: "a time with its unit, such as 15s, 2m or 1h" },
  read: (text) => {
    const [, digits = "", unit = ""] = new RegExp(pattern, "u").exec(text.trim()) ?? [];
    const value = isUnit(unit) ? Math.round(Number(digits) * unitsMs[unit]) : Number.NaN;
    if (!(value >= minMs && value <= maxMs)) {
      const min = minMs % 1000 === 0 ? `${minMs / 1000}s` : `${minMs}ms`;
      throw new InvalidArgumentError(
        `It must be a time with its unit, such as 15s, 2m or 1h, from ${min} to ${maxMs / unitsMs.h}h.`,
      );
    }
    return value;
  },
});
