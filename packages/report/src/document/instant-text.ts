import { escapeForDisplay } from "./shown-text.ts";

const isoPattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/u;

/** Formats a time such as `2026-01-02 03:04:05 UTC`. Returns any other text escaped. */
export const formatInstant = (instant: string): string => {
  const parts = isoPattern.exec(instant);
  return parts === null ? escapeForDisplay(instant, "name") : `${parts[1]} ${parts[2]} UTC`;
};
