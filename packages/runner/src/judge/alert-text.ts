import { member } from "@assay/reading";
import { type RecordedExchange, visibleText } from "@assay/evidence";
import { readEvents } from "../plan/answer-events.ts";

const mostCharacters = 200;

/** What the first alert of some searches says, its title and what describes it, on one line; undefined without any. */
export function alertText(exchanges: readonly RecordedExchange[]): string | undefined {
  let said: string | undefined;
  for (const exchange of exchanges.filter(({ record }) => record.interface === "stream")) {
    readEvents(exchange, ({ name, value }) => {
      const words = name === "alert" ? [member(value, "title"), member(value, "description")] : [];
      const texts = words.filter((word) => typeof word === "string");
      said ??= texts.length === 0 ? undefined : visibleText(texts.join(": "), mostCharacters);
    });
  }
  return said;
}
