import { counted } from "../../document/counted.ts";
import { shownText } from "../../document/shown-text.ts";

interface ProseProps {
  readonly text: string;
  readonly kind?: Parameters<typeof shownText>[1];
}

/** Escaped text in which `code` between back-ticks is set as code. */
export const Prose = ({ text, kind = "sentence" }: ProseProps) => {
  const parts = shownText(text, kind).split("`");
  const isPaired = parts.length % 2 === 1;
  return <>{isPaired ? parts.map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part)) : parts.join("`")}</>;
};

/** An escaped name, set as code. */
export const Name = ({ text }: { readonly text: string }) => <code>{shownText(text, "name")}</code>;

interface MoreProps {
  readonly count: number;
  readonly noun: string;
  /** [the noun with an s] */
  readonly plural?: string;
}

/** The number of items that were left out; nothing for none. */
export const More = ({ count, noun, plural = `${noun}s` }: MoreProps) =>
  count > 0 ? <p class="more">{`and ${counted(count, `more ${noun}`, `more ${plural}`)}`}</p> : null;
