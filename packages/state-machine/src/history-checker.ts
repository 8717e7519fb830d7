import type { ConversationMachine } from "@assay/contract";
import { addRead, addWrite, newConversationLog, toRow } from "./conversation-log.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { ConversationRow } from "./conversation-row.ts";
import { createFindingCollector, newObservationCounts } from "./history-report.ts";
import type { HistoryCode, HistoryFinding, HistoryReport } from "./history-report.ts";
import { createInstantReader } from "./instant.ts";
import { judgeConversation } from "./judge-conversation.ts";
import type { Read, Write } from "./observation.ts";
import type { CheckerContext } from "./record-observation.ts";
import { createStateTable } from "./state-table.ts";
import type { StateTable } from "./state-table.ts";
import { boundedKey, createTextDigester } from "./text-digest.ts";
import { createSessions } from "./timed-value.ts";

/** The input of a report. */
interface ReportInput {
  readonly table: StateTable;
  readonly rows: Iterable<ConversationRow>;
  readonly maxFindingsPerCode: number;
  readonly strictEnds: boolean;
}

/** Judges every conversation. Takes time proportional to the number of conversations, not of observations. */
function buildReport({ table, rows, maxFindingsPerCode, strictEnds }: ReportInput): HistoryReport {
  const collector = createFindingCollector(maxFindingsPerCode);
  const observations = newObservationCounts();
  let staleMicros = 0;
  const judgement = {
    table,
    strictEnds,
    addFinding: (finding: HistoryFinding) => collector.add(finding),
    count: (code: HistoryCode, times: number) => {
      observations[code] += times;
    },
    recordStaleMicros: (micros: number) => {
      staleMicros = Math.max(staleMicros, micros);
    },
  };
  for (const row of rows) {
    judgeConversation(judgement, row);
  }

  return {
    findings: collector.findings(),
    dropped: collector.dropped(),
    observations,
    staleMicros,
  };
}

export interface HistoryCheckerOptions {
  /** Maximum number of findings reported per code [100]. Further ones are only counted. */
  readonly maxFindingsPerCode?: number;
  /** Report incomparable ends even if a cancellation may lie between them [true]. */
  readonly strictEnds?: boolean;
}

/** Accepts observations in any order. `finish` may be called at any time and repeatedly. It does not change the state. */
export interface HistoryChecker {
  observe(observation: Read | Write): void;
  finish(): HistoryReport;
}

/**
 * Returns a function that creates checkers for different conversations. What they know about times and texts is shared, because preparing it
 * takes as long as checking a conversation.
 */
export function prepareHistoryCheckers(
  machine: ConversationMachine,
  options: HistoryCheckerOptions = {},
): () => HistoryChecker {
  const { maxFindingsPerCode = 100, strictEnds = true } = options;
  const context: CheckerContext = {
    table: createStateTable(machine),
    readInstant: createInstantReader(),
    digestText: createTextDigester(),
    ...createSessions(),
  };
  return () => {
    const logs = new Map<string, ConversationLog>();
    const getOrCreateLog = ({ conversation }: Read | Write): ConversationLog => {
      const key = boundedKey(conversation);
      let log = logs.get(key);
      if (log === undefined) {
        log = newConversationLog(key);
        logs.set(key, log);
      }
      return log;
    };
    function* rows(): Generator<ConversationRow> {
      for (const log of logs.values()) {
        yield toRow(context, log);
      }
    }
    return {
      observe(observation) {
        if (observation.kind === "read") {
          addRead(context, getOrCreateLog(observation), observation);
        } else if (observation.outcome !== "refused") {
          addWrite(context, getOrCreateLog(observation), observation);
        }
      },
      finish: () => buildReport({ ...context, rows: rows(), maxFindingsPerCode, strictEnds }),
    };
  };
}

/**
 * Checks the answers of polls against a state machine.
 *
 * **Order.** An observation is an interval: the server read the conversation at some instant between the sending of the
 * request and the end of the answer. One observation precedes another only if it ended before the other was sent.
 * Overlapping observations have no order, and overlapping polls overtake each other all the time. (A rule that compares each
 * answer with the one received before it fails correct servers in a third of runs with four pollers.) A write without an
 * answer may take effect at any time after it was sent.
 *
 * **Pairs are enough.** Let the observed states be comparable, each leading to the next. An explanation needs an instant for
 * each state at which the server enters it: after the sending of every read that shows an earlier state, and not after the
 * end of any read that shows this state or a later one. So only two extremes matter for each state: the latest sending of a
 * read below it, and the earliest end of a read at or above it. If the first is not after the second for any state, choose
 * the instants just after the first, in order; this works because both grow from state to state. If it is after, these two
 * reads form a pair whose earlier read shows the later state, and no instant fits both. Two states of which neither leads to
 * the other can never both be shown, in any order. Therefore two reads of each state are kept, the first to end and the last
 * to be sent, and every finding has two observations. They are minima and maxima, so the order of observing makes no
 * difference, an observation takes constant time, and a conversation takes bounded memory.
 *
 * **Equal reads.** Most polls repeat what the previous one showed, and minima, maxima and counts do not need each of them. So reads with
 * the same snapshot are recorded together, and the records of a conversation are only created for judging. Until then each snapshot is
 * stored as its difference from the one before, with the extremes of its reads.
 *
 * **Epochs.** A follow-up returns a finished conversation to the initial state. The number of questions in an answer
 * identifies its epoch, no matter who asked them, and (questions, state) is again one chain. An answer without that number
 * is compared with another only if no follow-up may lie between the two. Such reads are kept until the end.
 *
 * **Staleness.** If reads may show a version that is up to D old, their sending moves to the left by D. So the smallest D
 * that explains everything is the largest amount by which a latest sending exceeds an earliest end. A regression is a stale
 * read if its update time says that it may be an older version. Otherwise it is a backward transition. It is also a backward
 * transition if one session saw both states and the last two reads still show the older one.
 *
 * **More observations** never remove a finding, with these exceptions:
 * - A regression changes between `stale-read`, `backward-transition`, `updated-at-fell` and `question-lost` as more is
 *   known.
 * - A change of a list changes between `question-lost`, `question-reordered` and `question-id-changed`.
 * - A follow-up, or a list that shows a follow-up of another client, explains reads that do not show their epoch.
 * - A deletion or a cancellation explains what may follow it.
 * - Better observations replace others, and so do the earliest findings of each code, which are the ones reported.
 *
 * No response of a target makes the checker fail. Meaningless times widen an interval, and long ids are kept as digests. Per
 * conversation it keeps at most 1024 positions, about 2048 ids and 64 ranges of update times.
 */
export const createHistoryChecker = (
  machine: ConversationMachine,
  options: HistoryCheckerOptions = {},
): HistoryChecker => prepareHistoryCheckers(machine, options)();
