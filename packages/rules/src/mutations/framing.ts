import { Buffer } from "node:buffer";
import { grammarViolations } from "@assay/contract";
import type { GrammarViolationCode, RuleId } from "@assay/contract";
import { deleteSpan, insertBytes, replaceSpan } from "@assay/evidence";
import type { Splice } from "@assay/evidence";
import { bodyEdit, spread } from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import type { EventText, SearchText } from "./proof-evidence.ts";

/** An edit of one event, or of the end of a stream, that violates the format. */
interface Departure {
  readonly effect: string;
  /** Events that can be edited [any]. */
  readonly isIn?: (event: EventText, index: number, all: readonly EventText[]) => boolean;
  readonly splices: (text: BlockText) => readonly (Splice | undefined)[];
}

/** The bytes of one event. */
interface BlockText {
  readonly body: Uint8Array;
  readonly event: EventText;
  /** Offset and text of each non-empty line of the event, without its line feed. */
  readonly lines: readonly { readonly offset: number; readonly text: string }[];
}

function blockText(search: SearchText, event: EventText): BlockText {
  const body = search.body();
  const from = event.event.offset;
  const text = Buffer.from(body.subarray(from, event.endOffset)).toString("latin1");
  let offset = from;
  const lines = text.split("\n").map((line) => {
    const at = offset;
    offset += line.length + 1;
    return { offset: at, text: line };
  });
  return { body, event, lines: lines.filter((line) => line.text !== "") };
}

const text = (value: string): Uint8Array => Buffer.from(value);

const lineOf = ({ lines }: BlockText, field: string) => lines.find((line) => line.text.startsWith(`${field}:`));

const insertedBeforeEvent = ({ event }: BlockText, line: string) => [
  insertBytes(event.event.offset, text(`${line}\n`)),
];

const withoutLine = (block: BlockText, field: string) => {
  const line = lineOf(block, field);
  return [line === undefined ? undefined : deleteSpan({ offset: line.offset, length: line.text.length + 1 })];
};

const lineTwice = (block: BlockText, field: string) => {
  const line = lineOf(block, field);
  return [line === undefined ? undefined : insertBytes(line.offset, text(`${line.text}\n`))];
};

const isLast = (_: EventText, index: number, all: readonly EventText[]): boolean => index === all.length - 1;
const isFirst = (_: EventText, index: number): boolean => index === 0;
const isNotLast = (_: EventText, index: number, all: readonly EventText[]): boolean => index < all.length - 1;
const isDone = ({ event }: EventText): boolean => event.name === "done";

const dataSpan = ({ event: { event } }: BlockText) => ({ offset: event.dataOffset, length: event.dataBytes });

/** The line feeds between an event and the next one. */
const gapAfter = ({ body, event }: BlockText) => {
  let offset = event.endOffset;
  while (body[offset - 1] === 0x0a) {
    offset -= 1;
  }
  return { offset, length: event.endOffset - offset };
};

/** One violation for each code of the grammar. Source: search-stream, section 6. */
const departures: Readonly<Record<GrammarViolationCode, Departure>> = {
  "third-field": { effect: "sent a third field", splices: (block) => insertedBeforeEvent(block, "more: 1") },
  "not-a-field": { effect: "sent a line that is not a field", splices: (block) => insertedBeforeEvent(block, "more") },
  comment: { effect: "sent a comment line", splices: (block) => insertedBeforeEvent(block, ": comment") },
  "id-field": { effect: "sent an `id` field", splices: (block) => insertedBeforeEvent(block, "id: 1") },
  "retry-field": { effect: "sent a `retry` field", splices: (block) => insertedBeforeEvent(block, "retry: 1") },
  "missing-event": { effect: "left out an `event` field", splices: (block) => withoutLine(block, "event") },
  "missing-data": { effect: "left out a `data` field", splices: (block) => withoutLine(block, "data") },
  "repeated-event": { effect: "sent an `event` field twice", splices: (block) => lineTwice(block, "event") },
  "repeated-data": { effect: "sent a `data` field twice", splices: (block) => lineTwice(block, "data") },
  "empty-event-name": {
    effect: "sent an `event` field without a name",
    splices(block) {
      const line = lineOf(block, "event");
      return [
        line === undefined ? undefined : replaceSpan({ offset: line.offset, length: line.text.length }, "event:"),
      ];
    },
  },
  "carriage-return": {
    effect: "ended a line with a carriage return and a line feed",
    splices({ lines }) {
      const [line] = lines;
      return [line === undefined ? undefined : insertBytes(line.offset + line.text.length, text("\r"))];
    },
  },
  "extra-blank-line": {
    effect: "sent two blank lines between events",
    isIn: isNotLast,
    splices: ({ event }) => [insertBytes(event.endOffset, text("\n"))],
  },
  "missing-blank-line": {
    effect: "left out the blank line between two events",
    isIn: isNotLast,
    splices: (block) => [replaceSpan(gapAfter(block), "\n")],
  },
  "unterminated-event": {
    effect: "cut the last event off in its data",
    isIn: isLast,
    splices: (block) => {
      const { offset, length } = dataSpan(block);
      const data = Buffer.from(block.body.subarray(offset, offset + length)).toString("latin1");
      // Space after the last bracket is not part of the value. If only that were cut, the event would still be
      // complete.
      const from = offset + Math.max(0, data.trimEnd().length - 1);
      return [deleteSpan({ offset: from, length: block.body.length - from })];
    },
  },
  "byte-order-mark": {
    effect: "began with a byte order mark",
    isIn: isFirst,
    splices: () => [insertBytes(0, text("\u{FEFF}"))],
  },
  "invalid-utf8": {
    effect: "sent a byte that is not UTF-8 in a name",
    splices(block) {
      const line = lineOf(block, "event");
      return [line === undefined ? undefined : insertBytes(line.offset + line.text.length, Buffer.from([0xff]))];
    },
  },
  "data-not-json": {
    effect: "sent data that is not JSON",
    splices: (block) => [replaceSpan(dataSpan(block), "not JSON")],
  },
  "bytes-after-done": {
    effect: "sent another event after `done`",
    isIn: isDone,
    splices: ({ body }) => [insertBytes(body.length, text("\n\nevent: progress\ndata: {}\n\n"))],
  },
  "second-done": {
    effect: "sent `done` twice",
    isIn: isDone,
    splices: ({ event, lines }) => [
      insertBytes(event.event.offset, text(`${lines.map((line) => line.text).join("\n")}\n\n`)),
    ],
  },
  "no-done": {
    effect: "sent no `done`",
    isIn: isDone,
    splices: ({ event }) => [deleteSpan({ offset: event.event.offset, length: event.endOffset - event.event.offset })],
  },
  "done-not-empty": {
    effect: "sent something in the data of `done`",
    isIn: isDone,
    splices: (block) => [replaceSpan(dataSpan(block), '{"ok":true}')],
  },
};

function createMutation(code: GrammarViolationCode): Mutation {
  const { effect, isIn = () => true, splices } = departures[code];
  return {
    name: `sends ${grammarViolations[code].title}`,
    needs: code === "missing-blank-line" || code === "extra-blank-line" ? "a stream with two events" : "a whole stream",
    *edits({ searches }) {
      for (const search of searches) {
        for (const event of spread(search.events().filter(isIn))) {
          yield* bodyEdit(search.exchange, effect, splices(blockText(search, event)));
        }
      }
    },
  };
}

const isCode = (word: string): word is GrammarViolationCode => Object.hasOwn(grammarViolations, word);

const codes = Object.keys(grammarViolations).filter(isCode);

/** Mutations for one rule about the format: one for each of its codes. */
const framingMutations = (rule: RuleId): readonly Mutation[] =>
  codes.filter((code) => grammarViolations[code].rule === rule).map((code) => createMutation(code));

/** Mutations for the rules about the format of a stream. */
export const framing = {
  "stream/two-fields": framingMutations("stream/two-fields"),
  "stream/lines-end-with-lf": framingMutations("stream/lines-end-with-lf"),
  "stream/one-blank-line-between-events": framingMutations("stream/one-blank-line-between-events"),
  "stream/last-event-is-complete": framingMutations("stream/last-event-is-complete"),
  "stream/no-byte-order-mark": framingMutations("stream/no-byte-order-mark"),
  "stream/text-is-utf-8": framingMutations("stream/text-is-utf-8"),
  "stream/data-is-json": framingMutations("stream/data-is-json"),
  "stream/done-is-last": framingMutations("stream/done-is-last"),
  "stream/done-is-an-empty-object": framingMutations("stream/done-is-an-empty-object"),
} as const satisfies MutationsByRule;
