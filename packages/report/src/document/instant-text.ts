import { shownText } from "./shown-text.ts";

const iso = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/u;

/** A time such as `2026-01-02 03:04:05 UTC`; other text is escaped and returned. */
export const instantText = (instant: string): string => {
  const parts = iso.exec(instant);
  return parts === null ? shownText(instant, "name") : `${parts[1]} ${parts[2]} UTC`;
};
