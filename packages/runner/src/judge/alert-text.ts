import { member } from "@assay/reading";
import { type RecordedExchange, visibleText } from "@assay/evidence";
import { readEvents } from "../plan/read-events.ts";

const maxCharacters = 200;

/** Returns the title and description of the first alert in `exchanges` on one line, or undefined if there is no alert. */
export function findAlertText(exchanges: readonly RecordedExchange[]): string | undefined {
  let text: string | undefined;
  for (const exchange of exchanges.filter(({ record }) => record.interface === "stream")) {
    readEvents(exchange, ({ name, value }) => {
      const values = name === "alert" ? [member(value, "title"), member(value, "description")] : [];
      const texts = values.filter((part) => typeof part === "string");
      text ??= texts.length === 0 ? undefined : visibleText(texts.join(": "), maxCharacters);
    });
  }
  return text;
}
