import { drawSample } from "@assay/tools/proving";
import { mutationsOf } from "@assay/rules";
import { expect, test } from "vitest";
import { judgedAlone, recordedRun } from "../testing/recorded-run.ts";
import { judgeEditedConversations, toProofEvidence } from "./prove-rules.ts";

test("conversations that were judged before have the same outcomes as those that were not", async () => {
  const { bundle, close } = await recordedRun();
  const { judged } = await judgedAlone(bundle, bundle.exchanges, { confirmsPasses: false });
  const { rules } = judged.conversations;
  const evidence = toProofEvidence(judged);
  const mutations = drawSample(
    rules.flatMap(({ id }) => mutationsOf(id)),
    40,
  );
  const edits = mutations.flatMap((mutation) => [...mutation.edits(evidence)].slice(0, 2));
  let failingEdits = 0;
  for (const edit of edits) {
    // A copy has a cache of its own.
    const alone = { ...judged, conversations: { ...judged.conversations } };
    const outcomes = [...judgeEditedConversations(judged, rules, edit)];
    expect(outcomes).toEqual([...judgeEditedConversations(alone, rules, edit)]);
    failingEdits += Number(outcomes.some(([, { findings }]) => findings.some(({ kind }) => kind === "violation")));
  }
  expect(failingEdits).toBeGreaterThan(0);
  close();
});
