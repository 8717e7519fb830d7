import { Buffer } from "node:buffer";
import { grammarViolations } from "@assay/contract";
import type { GrammarViolationCode, RuleId } from "@assay/contract";
import { deleteSpan, insertBytes, replaceSpan } from "@assay/evidence";
import type { Splice } from "@assay/evidence";
import { editBody, firstMiddleAndLast } from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import type { EditableEvent, EditableSearch } from "./proof-evidence.ts";

/** An edit of one event, or of the end of a stream, that violates the format. */
interface FormatViolation {
  readonly effect: string;
  /** Events that can be edited. Default: any. */
  readonly canEdit?: (event: EditableEvent, index: number, events: readonly EditableEvent[]) => boolean;
  readonly splices: (text: EventBlock) => readonly (Splice | undefined)[];
}

/** The bytes of one event. */
interface EventBlock {
  readonly body: Uint8Array;
  readonly event: EditableEvent;
  /** Offset and text of each non-empty line of the event, without its line feed. */
  readonly lines: readonly { readonly offset: number; readonly text: string }[];
}

function readBlock(search: EditableSearch, event: EditableEvent): EventBlock {
  const body = search.body();
  const startOffset = event.event.offset;
  const blockText = Buffer.from(body.subarray(startOffset, event.endOffset)).toString("latin1");
  let offset = startOffset;
  const lines = blockText.split("\n").map((line) => {
    const lineOffset = offset;
    offset += line.length + 1;
    return { offset: lineOffset, text: line };
  });
  return { body, event, lines: lines.filter((line) => line.text !== "") };
}

const toBytes = (value: string): Uint8Array => Buffer.from(value);

const findLine = ({ lines }: EventBlock, field: string) => lines.find((line) => line.text.startsWith(`${field}:`));

const insertBeforeEvent = ({ event }: EventBlock, line: string) => [
  insertBytes(event.event.offset, toBytes(`${line}\n`)),
];

const removeLine = (block: EventBlock, field: string) => {
  const line = findLine(block, field);
  return [line === undefined ? undefined : deleteSpan({ offset: line.offset, length: line.text.length + 1 })];
};

const repeatLine = (block: EventBlock, field: string) => {
  const line = findLine(block, field);
  return [line === undefined ? undefined : insertBytes(line.offset, toBytes(`${line.text}\n`))];
};

const isLast = (_: EditableEvent, index: number, events: readonly EditableEvent[]): boolean =>
  index === events.length - 1;
const isFirst = (_: EditableEvent, index: number): boolean => index === 0;
const isNotLast = (_: EditableEvent, index: number, events: readonly EditableEvent[]): boolean =>
  index < events.length - 1;
const isDone = ({ event }: EditableEvent): boolean => event.name === "done";

const dataSpan = ({ event: { event } }: EventBlock) => ({ offset: event.dataOffset, length: event.dataBytes });

/** Returns the line feeds between an event and the next one. */
const findGapAfter = ({ body, event }: EventBlock) => {
  let offset = event.endOffset;
  while (body[offset - 1] === 0x0a) {
    offset -= 1;
  }
  return { offset, length: event.endOffset - offset };
};

/** One violation for each code of the grammar. Source: search-stream, section 6. */
const formatViolations: Readonly<Record<GrammarViolationCode, FormatViolation>> = {
  "third-field": { effect: "sent a third field", splices: (block) => insertBeforeEvent(block, "more: 1") },
  "not-a-field": { effect: "sent a line that is not a field", splices: (block) => insertBeforeEvent(block, "more") },
  comment: { effect: "sent a comment line", splices: (block) => insertBeforeEvent(block, ": comment") },
  "id-field": { effect: "sent an `id` field", splices: (block) => insertBeforeEvent(block, "id: 1") },
  "retry-field": { effect: "sent a `retry` field", splices: (block) => insertBeforeEvent(block, "retry: 1") },
  "missing-event": { effect: "left out an `event` field", splices: (block) => removeLine(block, "event") },
  "missing-data": { effect: "left out a `data` field", splices: (block) => removeLine(block, "data") },
  "repeated-event": { effect: "sent an `event` field twice", splices: (block) => repeatLine(block, "event") },
  "repeated-data": { effect: "sent a `data` field twice", splices: (block) => repeatLine(block, "data") },
  "empty-event-name": {
    effect: "sent an `event` field without a name",
    splices(block) {
      const line = findLine(block, "event");
      return [
        line === undefined ? undefined : replaceSpan({ offset: line.offset, length: line.text.length }, "event:"),
      ];
    },
  },
  "carriage-return": {
    effect: "ended a line with a carriage return and a line feed",
    splices({ lines }) {
      const [line] = lines;
      return [line === undefined ? undefined : insertBytes(line.offset + line.text.length, toBytes("\r"))];
    },
  },
  "extra-blank-line": {
    effect: "sent two blank lines between events",
    canEdit: isNotLast,
    splices: ({ event }) => [insertBytes(event.endOffset, toBytes("\n"))],
  },
  "missing-blank-line": {
    effect: "left out the blank line between two events",
    canEdit: isNotLast,
    splices: (block) => [replaceSpan(findGapAfter(block), "\n")],
  },
  "unterminated-event": {
    effect: "cut the last event off in its data",
    canEdit: isLast,
    splices: (block) => {
      const { offset, length } = dataSpan(block);
      const data = Buffer.from(block.body.subarray(offset, offset + length)).toString("latin1");
      // Space after the last bracket is not part of the value. If only that were cut, the event would still be
      // complete.
      const startOffset = offset + Math.max(0, data.trimEnd().length - 1);
      return [deleteSpan({ offset: startOffset, length: block.body.length - startOffset })];
    },
  },
  "byte-order-mark": {
    effect: "began with a byte order mark",
    canEdit: isFirst,
    splices: () => [insertBytes(0, toBytes("\u{FEFF}"))],
  },
  "invalid-utf8": {
    effect: "sent a byte that is not UTF-8 in a name",
    splices(block) {
      const line = findLine(block, "event");
      return [line === undefined ? undefined : insertBytes(line.offset + line.text.length, Buffer.from([0xff]))];
    },
  },
  "data-not-json": {
    effect: "sent data that is not JSON",
    splices: (block) => [replaceSpan(dataSpan(block), "not JSON")],
  },
  "bytes-after-done": {
    effect: "sent another event after `done`",
    canEdit: isDone,
    splices: ({ body }) => [insertBytes(body.length, toBytes("\n\nevent: progress\ndata: {}\n\n"))],
  },
  "second-done": {
    effect: "sent `done` twice",
    canEdit: isDone,
    splices: ({ event, lines }) => [
      insertBytes(event.event.offset, toBytes(`${lines.map((line) => line.text).join("\n")}\n\n`)),
    ],
  },
  "no-done": {
    effect: "sent no `done`",
    canEdit: isDone,
    splices: ({ event }) => [deleteSpan({ offset: event.event.offset, length: event.endOffset - event.event.offset })],
  },
  "done-not-empty": {
    effect: "sent something in the data of `done`",
    canEdit: isDone,
    splices: (block) => [replaceSpan(dataSpan(block), '{"ok":true}')],
  },
};

function createMutation(code: GrammarViolationCode): Mutation {
  const { effect, canEdit = () => true, splices } = formatViolations[code];
  return {
    name: `sends ${grammarViolations[code].title}`,
    needs: code === "missing-blank-line" || code === "extra-blank-line" ? "a stream with two events" : "a whole stream",
    *edits({ searches }) {
      for (const search of searches) {
        for (const event of firstMiddleAndLast(search.events().filter(canEdit))) {
          yield* editBody(search.exchange, effect, splices(readBlock(search, event)));
        }
      }
    },
  };
}

const isCode = (word: string): word is GrammarViolationCode => Object.hasOwn(grammarViolations, word);

const codes = Object.keys(grammarViolations).filter(isCode);

/** Returns the mutations for one rule about the format: one for each of its codes. */
const createFramingMutations = (rule: RuleId): readonly Mutation[] =>
  codes.filter((code) => grammarViolations[code].rule === rule).map((code) => createMutation(code));

/** Mutations for the rules about the format of a stream. */
export const framingMutations = {
  "stream/two-fields": createFramingMutations("stream/two-fields"),
  "stream/lines-end-with-lf": createFramingMutations("stream/lines-end-with-lf"),
  "stream/one-blank-line-between-events": createFramingMutations("stream/one-blank-line-between-events"),
  "stream/last-event-is-complete": createFramingMutations("stream/last-event-is-complete"),
  "stream/no-byte-order-mark": createFramingMutations("stream/no-byte-order-mark"),
  "stream/text-is-utf-8": createFramingMutations("stream/text-is-utf-8"),
  "stream/data-is-json": createFramingMutations("stream/data-is-json"),
  "stream/done-is-last": createFramingMutations("stream/done-is-last"),
  "stream/done-is-an-empty-object": createFramingMutations("stream/done-is-an-empty-object"),
} as const satisfies MutationsByRule;
