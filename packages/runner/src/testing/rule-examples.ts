import { ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { RuleExample, ShownResponse } from "@assay/results";
import type { MutationTrial, Edit } from "@assay/rules";
import { readBodyBytes } from "../judge/body-bytes.ts";
import { findFirstDifference } from "../judge/explain-rule.ts";
import { judgeBundle } from "../judge/judge-bundle.ts";
import { judgeEditedConversations, createStreamJudge } from "../judge/prove-rules.ts";
import type { JudgedForProof } from "../judge/prove-rules.ts";
import { recordedRun, recordedRuns } from "./recorded-run.ts";

/** Bytes shown before and from the first difference. */
const shownBefore = 60;
const shownAfter = 140;

/** The first finding of a rule in an edit, if any. */
function findingOf(judged: JudgedForProof, rule: RuleId, edit: Edit): string | undefined {
  const streams = judged.streams.rules.filter(({ id }) => id === rule);
  const conversations = judged.conversations.rules.filter(({ id }) => id === rule);
  const outcomes =
    streams.length > 0
      ? createStreamJudge(judged)(streams, edit)
      : judgeEditedConversations(judged, conversations, edit);
  return outcomes.get(rule)?.findings[0]?.message;
}

/** An excerpt of a body around an offset, as visible text. */
function excerptOf(body: Uint8Array, offset: number): string {
  const from = Math.max(0, offset - shownBefore);
  const to = Math.min(body.length, offset + shownAfter);
  return `${from > 0 ? "…" : ""}${visibleText(body.subarray(from, to), 500)}${to < body.length ? "…" : ""}`;
}

/** The arrival of a body, in times since the request was sent. */
function arrivalOf({ record: { response, end, times } }: RecordedExchange): string {
  const arrivals = (response?.body.chunks ?? []).map(([, at]) => Math.round((at - times.sentAtMicros) / 1000));
  const [first = 0] = arrivals;
  const last = arrivals.at(-1) ?? first;
  const chunks =
    first === last ? `all bytes after ${last} ms` : `${arrivals.length} chunks, after ${first} to ${last} ms`;
  return end.kind === "complete" ? chunks : `${chunks}, then ${end.code}`;
}

function exampleOf(original: RecordedExchange, edited: RecordedExchange): Omit<RuleExample, "what"> {
  const [sent, instead] = [readBodyBytes(original), readBodyBytes(edited)];
  const offset = findFirstDifference(sent, instead);
  const arrivals = [arrivalOf(original), arrivalOf(edited)];
  const showsArrival = offset === undefined && arrivals[0] !== arrivals[1];
  const shown = (exchange: RecordedExchange, body: Uint8Array): ShownResponse => ({
    status: exchange.record.response?.status ?? 0,
    ...(offset === undefined ? {} : { bytes: excerptOf(body, offset) }),
    ...(showsArrival ? { arrival: arrivalOf(exchange) } : {}),
  });
  const { method, url } = original.record.request;
  const { pathname, search } = new URL(url);
  return {
    request: `${method} ${visibleText(`${pathname}${search}`, 300)}`,
    passes: shown(original, sent),
    fails: shown(edited, instead),
    ...(offset === undefined ? {} : { offset }),
  };
}

/** The most informative altered exchange: if only its times differ, the one with the most chunks. */
function shownExchange({ replacements }: Edit, exchanges: ReadonlyMap<string, RecordedExchange>): RecordedExchange {
  const [first] = replacements;
  const chunksOf = ({ record }: RecordedExchange): number =>
    exchanges.get(record.id)?.record.response?.body.chunks.length ?? 0;
  const original = exchanges.get(first.record.id);
  return original === undefined || findFirstDifference(readBodyBytes(original), readBodyBytes(first)) !== undefined
    ? first
    : replacements.reduce((best, each) => (chunksOf(each) > chunksOf(best) ? each : best), first);
}

function shownProof(
  rule: RuleId,
  { confirmed }: MutationTrial,
  { judged, exchanges }: { judged: JudgedForProof; exchanges: ReadonlyMap<string, RecordedExchange> },
): readonly RuleExample[] {
  if (confirmed === undefined) {
    return [];
  }
  const edited = shownExchange(confirmed.edit, exchanges);
  const original = exchanges.get(edited.record.id);
  const finding = findingOf(judged, rule, confirmed.edit);
  return original === undefined
    ? []
    : [
        {
          what: confirmed.edit.effect,
          ...exampleOf(original, edited),
          ...(finding === undefined ? {} : { finding: visibleText(finding, 400) }),
        },
      ];
}

/** One example of each rule, by its id: a recorded response of the reference server, and a failing alteration of it. */
export async function ruleExamples(): Promise<Readonly<Record<string, RuleExample>>> {
  const examples = new Map<string, RuleExample>();
  for (const name of recordedRuns) {
    const { bundle, close } = await recordedRun(name);
    const exchanges = new Map(bundle.exchanges.map((exchange) => [exchange.record.id, exchange]));
    await judgeBundle(bundle, {
      confirmsPasses: true,
      onProofs: (proofs, judged) => {
        for (const [rule, mutations] of proofs) {
          const all = examples.has(rule)
            ? []
            : mutations.flatMap((mutation) => shownProof(rule, mutation, { judged, exchanges }));
          const best =
            all.find(({ offset, finding }) => offset !== undefined && finding !== undefined) ??
            all.find(({ finding }) => finding !== undefined) ??
            all[0];
          if (best !== undefined) {
            examples.set(rule, best);
          }
        }
      },
    });
    close();
  }
  return Object.fromEntries(
    ruleIds.flatMap((id) => {
      const example = examples.get(id);
      return example === undefined ? [] : [[id, example]];
    }),
  );
}
