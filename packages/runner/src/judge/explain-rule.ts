import { visibleText } from "@assay/evidence";
import type { Bundle, RecordedExchange } from "@assay/evidence";
import { defined } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { ExplainedMutation, Explanation, MutationProof, ShownEdit } from "@assay/results";
import type { MutationTrial, Edit } from "@assay/rules";
import { readBodyBytes } from "./body-bytes.ts";
import { judgeBundle } from "./judge-bundle.ts";
import type { JudgeInput } from "./judge-exchanges.ts";
import type { OnJudgeProgress } from "./judge-progress.ts";

/** Numbers of bytes shown before the first difference, and from it on. */
const bytesBefore = 30;
const bytesAfter = 90;

/** Judges a stored run again and explains one rule. Returns undefined if the run did not select the rule. */
export async function explainRule(
  bundle: Bundle,
  rule: RuleId,
  onProgress?: OnJudgeProgress,
): Promise<Explanation | undefined> {
  let proofs: readonly MutationTrial[] = [];
  const onProofs: JudgeInput["onProofs"] = (proofsByRule) => {
    proofs = proofsByRule.get(rule) ?? [];
  };
  const { verdicts } = await judgeBundle(bundle, { confirmsPasses: true, onProofs, ...defined({ onProgress }) });
  const verdict = verdicts.find((ruleVerdict) => ruleVerdict.rule === rule);
  const exchanges = new Map(bundle.exchanges.map((exchange) => [exchange.record.id, exchange]));
  return verdict === undefined
    ? undefined
    : {
        verdict,
        mutations: (verdict.proof ?? []).map((mutation, index) => explainMutation(mutation, proofs[index], exchanges)),
      };
}

function explainMutation(
  mutation: MutationProof,
  proof: MutationTrial | undefined,
  exchanges: ReadonlyMap<string, RecordedExchange>,
): ExplainedMutation {
  const edit = proof?.confirmed?.edit;
  const original = edit === undefined ? undefined : exchanges.get(edit.replacements[0].record.id);
  return edit === undefined || original === undefined ? mutation : { ...mutation, edit: describeEdit(original, edit) };
}

function describeEdit(original: RecordedExchange, { replacements: [edited] }: Edit): ShownEdit {
  const { record } = original;
  const [originalBytes, editedBytes] = [readBodyBytes(original), readBodyBytes(edited)];
  const statuses = { sent: record.response?.status ?? 0, instead: edited.record.response?.status ?? 0 };
  const offset = findFirstDifference(originalBytes, editedBytes);
  const from = Math.max(0, (offset ?? 0) - bytesBefore);
  const excerpt = (bytes: Uint8Array): string =>
    visibleText(new TextDecoder().decode(bytes.subarray(from, (offset ?? 0) + bytesAfter)), 400);
  return {
    exchange: record.id,
    url: visibleText(record.request.url, 500),
    ...(statuses.sent === statuses.instead ? {} : { status: statuses }),
    ...(offset === undefined ? {} : { offset }),
    sent: excerpt(originalBytes),
    instead: excerpt(editedBytes),
  };
}

/** Returns the index of the first differing byte, or undefined if the arrays are equal. */
export function findFirstDifference(original: Uint8Array, edited: Uint8Array): number | undefined {
  const length = Math.max(original.length, edited.length);
  for (let index = 0; index < length; index += 1) {
    if (original[index] !== edited[index]) {
      return index;
    }
  }
  return undefined;
}
