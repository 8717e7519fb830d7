import { palette } from "../html/palette.ts";

const colours: Readonly<Record<string, string>> = {
  matches: palette.accent,
  progress: palette.fourth,
  filters: palette.third,
  alert: palette.warn,
  error: palette.bad,
  done: palette.good,
};

/** Colour of the marks of an event; its lane says its name. */
export const eventColour = (event: string): string =>
  Object.hasOwn(colours, event) ? (colours[event] ?? palette.unknown) : palette.unknown;
