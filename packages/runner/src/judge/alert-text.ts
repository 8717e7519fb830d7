import { type RecordedExchange, visibleText } from "@assay/evidence";
import { bodyBytes } from "./body-bytes.ts";

const alertEvent = /^event: ?alert\r?\ndata: ?(.*)$/mu;
const mostCharacters = 200;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What the first alert of some searches says, its title and what describes it, on one line; undefined without any. */
export function alertText(exchanges: readonly RecordedExchange[]): string | undefined {
  for (const exchange of exchanges.filter(({ record }) => record.interface === "stream")) {
    const alert = parsed(alertEvent.exec(bodyBytes(exchange).toString("utf8"))?.[1] ?? "");
    const words = isObject(alert)
      ? [alert["title"], alert["description"]].filter((word) => typeof word === "string")
      : [];
    if (words.length > 0) {
      return visibleText(words.join(": "), mostCharacters);
    }
  }
  return undefined;
}
