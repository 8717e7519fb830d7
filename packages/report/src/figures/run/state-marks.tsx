import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";

/** The colour and pattern of a state; the pattern identifies it without colour. */
interface StateMark {
  readonly colour: string;
  readonly pattern: "stripes" | "solid" | "crossed" | "dots" | "rules" | "columns";
}

const marks: Readonly<Record<string, StateMark>> = {
  pending: { colour: palette.unknown, pattern: "rules" },
  processing: { colour: palette.accent, pattern: "stripes" },
  completed: { colour: palette.good, pattern: "solid" },
  error: { colour: palette.bad, pattern: "crossed" },
  canceled: { colour: palette.warn, pattern: "dots" },
};
const otherMark: StateMark = { colour: palette.third, pattern: "columns" };

/** Returns the mark of a state. Unlisted states share one mark. */
export const getStateMark = (state: string): StateMark =>
  Object.hasOwn(marks, state) ? (marks[state] ?? otherMark) : otherMark;

/** Returns the fill of a state's bar. The figure must contain `StatePatterns` with the same id. */
export const getStateFill = (id: string, state: string): string => `url(#${id}-${getStateMark(state).pattern})`;

const size = 7;

const lines: Readonly<Record<Exclude<StateMark["pattern"], "solid">, string>> = {
  stripes: `M-1 1L1 -1M0 ${size}L${size} 0M${size - 1} ${size + 1}L${size + 1} ${size - 1}`,
  crossed: `M0 ${size}L${size} 0M0 0L${size} ${size}`,
  dots: "M3.5 2v3M2 3.5h3",
  rules: "M0 3.5h7",
  columns: "M3.5 0v7",
};

/** SVG definitions of the patterns of all states. */
export const StatePatterns = ({ id }: { readonly id: string }): JSX.Element => (
  <defs>
    {[...Object.values(marks), otherMark].map(({ colour, pattern }) => (
      <pattern id={`${id}-${pattern}`} width={size} height={size} patternUnits="userSpaceOnUse">
        <rect width={size} height={size} fill={colour} fill-opacity={pattern === "solid" ? 0.85 : 0.3} />
        {pattern === "solid" ? null : <path d={lines[pattern]} stroke={colour} stroke-width="1.6" />}
      </pattern>
    ))}
  </defs>
);
