import { counted } from "../../document/counted.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";

interface ProseProps {
  readonly text: string;
  readonly kind?: Parameters<typeof escapeForDisplay>[1];
}

/** Shows escaped text. `code` between backticks is set as code. */
export const Prose = ({ text, kind = "sentence" }: ProseProps) => {
  const parts = escapeForDisplay(text, kind).split("`");
  const hasPairedBackticks = parts.length % 2 === 1;
  return (
    <>
      {hasPairedBackticks
        ? parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))
        : parts.join("`")}
    </>
  );
};

/** Shows an escaped name, set as code. */
export const Name = ({ text }: { readonly text: string }) => <code>{escapeForDisplay(text, "name")}</code>;

interface MoreProps {
  readonly count: number;
  readonly noun: string;
  /** Plural of the noun. Default: the noun with an s. */
  readonly plural?: string;
}

/** Shows the number of omitted items. Nothing for 0. */
export const More = ({ count, noun, plural = `${noun}s` }: MoreProps) =>
  count > 0 ? <p class="more">{`and ${counted(count, `more ${noun}`, `more ${plural}`)}`}</p> : null;
