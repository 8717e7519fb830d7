import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";
import type { Block, Entry, Line, Piece, Section, TextTable } from "../../document/document.ts";
import type { Sign } from "../../document/outcome-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { DataTable } from "./data-table.tsx";
import { ExcerptBlock } from "./excerpt-block.tsx";
import { Folded, type PagePart } from "./page-section.tsx";
import { Name, Prose } from "./prose.tsx";

/** Returns the link to the part of the page about a name, such as the id of a rule, or undefined. */
export const NameLinkContext = createContext<(name: string) => string | undefined>(() => undefined);

const LinkedName = ({ name }: { readonly name: string }): JSX.Element => {
  const href = useContext(NameLinkContext)(name);
  return href === undefined ? (
    <Name text={name} />
  ) : (
    <a href={href}>
      <Name text={name} />
    </a>
  );
};

const HtmlPiece = ({ piece }: { readonly piece: Piece }): JSX.Element => {
  if (typeof piece === "string") {
    return <Prose text={piece} />;
  }
  if ("name" in piece) {
    return <LinkedName name={piece.name} />;
  }
  if ("invalid" in piece) {
    return (
      <s>
        <Prose text={piece.invalid} />
      </s>
    );
  }
  return (
    <code>{"url" in piece ? escapeForDisplay(piece.url, "url") : escapeForDisplay(piece.command, "command")}</code>
  );
};

const HtmlLine = ({ line }: { readonly line: Line }): JSX.Element => (
  <>
    {(typeof line === "string" ? [line] : line).map((piece) => (
      <HtmlPiece piece={piece} />
    ))}
  </>
);

const tones = { "✓": "good", "✗": "bad", "~": "warn", "?": "unknown", "-": "none" } as const satisfies Record<
  Sign,
  string
>;

/** Returns the class that sets the colour of a sign. */
const getToneClass = (sign: Sign | undefined): string | undefined =>
  sign === undefined ? undefined : `t-${tones[sign]}`;

const EntryItem = ({ entry: { sign, label, line, note, children = [] } }: { readonly entry: Entry }): JSX.Element => (
  <li class={getToneClass(sign)}>
    {sign === undefined ? null : <b class="sign">{sign} </b>}
    {label === undefined ? null : <Prose text={`${label}: `} />}
    <HtmlLine line={line} />
    {note === undefined ? null : (
      <span class="meta">
        {" "}
        <Prose text={note} />
      </span>
    )}
    <Blocks blocks={children} />
  </li>
);

const List = ({ entries, more }: Pick<Extract<Block, { kind: "list" }>, "entries" | "more">): JSX.Element => {
  const items = entries.map((entry) => <EntryItem entry={entry} />);
  return (
    <>
      {entries.some(({ number }) => number !== undefined) ? (
        <ol class="entries">{items}</ol>
      ) : (
        <ul class={entries.some(({ sign }) => sign !== undefined) ? "entries signed" : "entries"}>{items}</ul>
      )}
      {more === undefined ? null : (
        <p class="more">
          <Prose text={more} />
        </p>
      )}
    </>
  );
};

const Table = ({ table: { caption = "", head, rows, notes = [], isVoid = false } }: { readonly table: TextTable }) => (
  <DataTable
    caption={caption}
    head={head}
    rows={rows.map(([name = "", ...cells], index) => [
      <>
        <Prose text={name} />
        {notes[index] === undefined ? null : <small> {notes[index]}</small>}
      </>,
      ...cells.map((cell) =>
        isVoid && cell !== "-" ? (
          <s>
            <Prose text={cell} />
          </s>
        ) : (
          <Prose text={cell} />
        ),
      ),
    ])}
  />
);

/** Shows a command that can be copied into a shell. */
export const Command = ({ command }: { readonly command: string }): JSX.Element => (
  <pre class="curl">
    <code>{escapeForDisplay(command, "command")}</code>
  </pre>
);

const HtmlBlock = ({ block }: { readonly block: Block }): JSX.Element => {
  switch (block.kind) {
    case "text":
      return (
        <p class={[block.isFaint === true ? "meta" : "", getToneClass(block.sign) ?? ""].join(" ").trim() || undefined}>
          <HtmlLine line={block.line} />
        </p>
      );
    case "list":
      return <List {...block} />;
    case "table":
      return <Table table={block.table} />;
    case "excerpt":
      return <ExcerptBlock excerpt={block.excerpt} />;
    case "command":
      return <Command command={block.command} />;
    case "folded":
      return (
        <Folded summary={escapeForDisplay(block.summary)}>
          <Blocks blocks={block.blocks} />
        </Folded>
      );
    case "per-format":
      return <Blocks blocks={block.page} />;
  }
};

/** Renders the blocks of a section as HTML. */
export const Blocks = ({ blocks }: { readonly blocks: readonly Block[] }): JSX.Element => (
  <>
    {blocks.map((block) => (
      <HtmlBlock block={block} />
    ))}
  </>
);

/** Renders a section under its title. Nothing for a section without blocks. */
export const HtmlSection = ({ section: { title, sign, blocks } }: { readonly section: Section }): JSX.Element | null =>
  blocks.length === 0 ? null : (
    <>
      {title === undefined ? null : (
        <p class={getToneClass(sign)}>
          <b>
            {sign === undefined ? null : `${sign} `}
            <HtmlLine line={title} />
          </b>
        </p>
      )}
      <Blocks blocks={blocks} />
    </>
  );

/** Renders a section in a coloured box. */
export const Notice = ({ section }: { readonly section: Section }): JSX.Element | null =>
  section.blocks.length === 0 ? null : (
    <div class={`notice ${getToneClass(section.sign ?? "?") ?? ""}`}>
      <HtmlSection section={section} />
    </div>
  );

/** Creates a part of the page from a section. `title` defaults to the title of the section. Returns no part for a section without blocks. */
export const createSectionPart = (id: string, section: Section, title?: string): readonly PagePart[] => {
  const { title: sectionTitle, ...untitledSection } = section;
  return section.blocks.length === 0
    ? []
    : [
        {
          id,
          title: title ?? (typeof sectionTitle === "string" ? sectionTitle : ""),
          body: <HtmlSection section={untitledSection} />,
        },
      ];
};
