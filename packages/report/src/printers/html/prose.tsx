import { counted } from "../../document/counted.ts";
import { shownText } from "../../document/shown-text.ts";

interface ProseProps {
  readonly text: string;
  readonly kind?: Parameters<typeof shownText>[1];
}

/** A sentence made safe to show; what stands between two backticks in it is set as code. */
export const Prose = ({ text, kind = "sentence" }: ProseProps) => {
  const parts = shownText(text, kind).split("`");
  const isPaired = parts.length % 2 === 1;
  return <>{isPaired ? parts.map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part)) : parts.join("`")}</>;
};

/** A name made safe to show, set as code. */
export const Name = ({ text }: { readonly text: string }) => <code>{shownText(text, "name")}</code>;

interface MoreProps {
  readonly count: number;
  readonly noun: string;
  /** [the noun with an s] */
  readonly plural?: string;
}

/** Says how many were left out; nothing for none. */
export const More = ({ count, noun, plural = `${noun}s` }: MoreProps) =>
  count > 0 ? <p class="more">{`and ${counted(count, `more ${noun}`, `more ${plural}`)}`}</p> : null;
