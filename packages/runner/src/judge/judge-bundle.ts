import type { RuleId } from "@assay/contract";
import { defined, isRuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { Bundle, Footer, KnownFailureFile, Manifest, StopCause } from "@assay/evidence";
import type { IncompleteReason, RunFacts, RunResult } from "@assay/results";
import { knownFailureList } from "../known-failures/known-failure-list.ts";
import { findProfile } from "../plan/select-rules.ts";
import { catalogueDigest, openApiDigest } from "./catalogue-digest.ts";
import {
  judgeCallsAlone,
  judgeExchanges,
  judgeSearchesEarly,
  judgeSecondShare,
  judgeWithOtherThread,
} from "./judge-exchanges.ts";
import type { JudgedCalls, JudgedSearches, JudgeInput, OtherThread, SecondShare } from "./judge-exchanges.ts";
import { findCompleteInterfaces } from "./coverage-reasons.ts";
import type { JudgeSettings } from "./judge-settings.ts";
import { findServedApi } from "./served-api.ts";
import type { RunStop } from "./not-tested-reasons.ts";

/** Settings that override the manifest's. */
export interface SettingOverrides extends Partial<Pick<JudgeSettings, "rules" | "strict">> {
  /** Whether the run is judged as a recording. An interrupt during recording then makes it incomplete instead of interrupted. */
  readonly isRecording?: boolean;
  /** Whether passes are confirmed. Default: as in the run; true for older runs. */
  readonly confirmsPasses?: boolean;
  /** See `JudgeInput.onProofs`. */
  readonly onProofs?: JudgeInput["onProofs"];
  readonly onProgress?: JudgeInput["onProgress"];
  /** A thread that judges a part of the same bundle with the same options. Default: this thread judges everything. */
  readonly otherThread?: OtherThread;
  /** See `JudgeInput.judgedSearches`. */
  readonly judgedSearches?: JudgeInput["judgedSearches"];
  /** See `JudgeInput.arrivals`. */
  readonly arrivals?: JudgeInput["arrivals"];
  /** See `JudgeInput.maxShareBytes`. */
  readonly maxShareBytes?: number;
  /** Lists of known failures. They replace the run's own. */
  readonly knownFailures?: readonly KnownFailureFile[];
}

/**
 * Judges a stored run from its stored evidence alone. The same bundle yields the same result, byte for byte. Fails with
 * `unknown-profile` if the manifest contains an unknown profile.
 */
export async function judgeBundle(bundle: Bundle, options: SettingOverrides = {}): Promise<RunResult> {
  const { otherThread } = options;
  return otherThread === undefined
    ? judgeExchanges(await createJudgeInput(bundle, options))
    : judgeWithOtherThread(createBaseInput(bundle, options), otherThread);
}

/** Judges the searches of a run that still sends calls. See `judgeSearchesEarly`. */
export const judgeBundleSearches = (
  bundle: Bundle,
  options: SettingOverrides = {},
): Promise<JudgedSearches | undefined> => judgeSearchesEarly(createBaseInput(bundle, options));

/** Judges the second share of a large stored run. Returns undefined for all other runs. */
export const judgeBundleShare = (bundle: Bundle, options: SettingOverrides = {}): SecondShare | undefined =>
  judgeSecondShare(createBaseInput(bundle, options));

/** Judges only the calls of the conversation API in a stored run. */
export const judgeBundleCalls = async (bundle: Bundle, options: SettingOverrides = {}): Promise<JudgedCalls> =>
  judgeCallsAlone(await createJudgeInput(bundle, options));

const createJudgeInput = async (bundle: Bundle, options: SettingOverrides): Promise<JudgeInput> => ({
  ...createBaseInput(bundle, options),
  api: await findServedApi(bundle.exchanges),
});

/** Creates the input for judging, without the OpenAPI document of the target. */
function createBaseInput(bundle: Bundle, options: SettingOverrides): JudgeInput {
  const { manifest } = bundle;
  const isInterruptedRecording = options.isRecording === true && findInterrupt(bundle) !== undefined;
  const interrupted = options.isRecording === true ? undefined : findInterrupt(bundle);
  const { target, profile, seed, runId, startedAt } = manifest;
  const settings = resolveSettings(manifest, options);
  const { strict } = settings;
  return {
    exchanges: sortExchanges(bundle),
    settings,
    tool: manifest.tool,
    run: { id: runId, startedAt, target: target.url, embedded: target.embedded, profile, seed, strict },
    knownFailures: (options.knownFailures ?? manifest.knownFailures ?? []).map((file) => knownFailureList(file)),
    incomplete: [...listIncompleteReasons(bundle), ...(isInterruptedRecording ? [interruptedReason] : [])],
    confirmsPasses: options.confirmsPasses ?? manifest.proof ?? true,
    ...defined({ interrupted, onProofs: options.onProofs, onProgress: options.onProgress }),
    ...defined({ maxShareBytes: options.maxShareBytes, arrivals: options.arrivals }),
    ...defined({ judgedSearches: options.judgedSearches }),
    ...defined({ stop: findStop(bundle) }),
    ...readFooterFacts(bundle),
  };
}

/** Facts about skipped work, from the footer of the run. */
const readFooterFacts = ({ footer }: Bundle): Pick<JudgeInput, "unsent" | "cleanupFailure"> => ({
  ...(footer?.unsent === undefined ? {} : { unsent: footer.unsent }),
  ...(footer?.left === undefined ? {} : { cleanupFailure: footer.left }),
});

/** Returns the settings for judging: the overrides, and for all others the settings of the run. */
function resolveSettings(
  { rules: selectedRules, profile, strict, target }: Manifest,
  options: SettingOverrides,
): JudgeSettings {
  const rules = options.rules ?? selectedRules.filter((id): id is RuleId => isRuleId(id));
  const { access, sharing = "undeclared", asksNothing } = target;
  const selectedProfile = findProfile(profile);
  return {
    rules,
    // A recording contains arbitrary requests, and a stopped run has its own reason.
    ...(options.isRecording === true ? {} : { completeInterfaces: findCompleteInterfaces(selectedProfile, rules) }),
    mustTest: selectedProfile.mustTest.filter((id) => rules.includes(id)),
    strict: options.strict ?? strict,
    access,
    sharing,
    ...defined({ noQuestionsReason: asksNothing }),
  };
}

/** Sorts exchanges, because verdicts must not depend on the order in which concurrent searches end. */
const sortExchanges = ({ exchanges }: Bundle): Bundle["exchanges"] =>
  [...exchanges].sort((first, second) => (first.record.id < second.record.id ? -1 : 1));

const listIncompleteReasons = (bundle: Bundle): readonly IncompleteReason[] => [
  ...checkEvidence(bundle),
  ...checkRuleIds(bundle.manifest),
  ...(bundle.footer?.ended === "stopped" ? createStopReasons(bundle.footer) : []),
];

/** Returns notes, as sentences, that qualify the verdicts on a stored run. */
export function bundleNotes({
  manifest,
  problems,
}: Pick<Bundle, "problems"> & { readonly manifest: Manifest }): readonly string[] {
  const { digests } = manifest;
  const hasOtherRules = digests.catalogue !== catalogueDigest() || digests.openapi !== openApiDigest();
  const note =
    "the run was recorded with another version of the rules; verdicts may differ from those it was given then";
  return [...(hasOtherRules ? [note] : []), ...problems];
}

const interruptedReason: IncompleteReason = {
  code: "evidence-incomplete",
  message: "the run was interrupted before all was sent; run it again",
};

/** Reports selected rules that this version does not know. Without this reason they would appear to have been judged. */
function checkRuleIds({ rules }: Manifest): readonly IncompleteReason[] {
  const unknownIds = rules.filter((id) => !isRuleId(id)).map((id) => visibleText(id, 80));
  const message = `the run selected rules that this version does not have: ${unknownIds.slice(0, 5).join(", ")}; judge it with the version that recorded it`;
  return unknownIds.length === 0 ? [] : [{ code: "evidence-incomplete", message }];
}

const checkEvidence = ({ isComplete, problems }: Bundle): readonly IncompleteReason[] =>
  isComplete ? [] : [{ code: "evidence-incomplete", message: `the evidence is incomplete: ${problems.join("; ")}` }];

const createStopReasons = ({
  cause = "deadline",
  reason = "the run was stopped before all was sent",
}: Pick<Footer, "cause" | "reason">): readonly IncompleteReason[] => [{ code: stopCodes[cause], message: reason }];

/** Returns the cause of an early end. Its text is the first reason for incompleteness, except after `--bail`. */
function findStop(bundle: Bundle): RunStop | undefined {
  if (bundle.footer?.cause === "bail") {
    return { reason: "stopped by --bail", isBail: true };
  }
  const [first] = [
    ...checkEvidence(bundle),
    ...(bundle.footer?.ended === "stopped" ? createStopReasons(bundle.footer) : []),
    ...(bundle.footer?.ended === "interrupted" ? [interruptedReason] : []),
  ];
  return first && { reason: first.message, isBail: false };
}

const stopCodes = {
  deadline: "deadline",
  "broken-searches": "transport",
  bail: "bail",
} as const satisfies Readonly<Record<StopCause, IncompleteReason["code"]>>;

function findInterrupt({ footer }: Bundle): RunFacts["interrupted"] {
  if (footer?.ended !== "interrupted") {
    return undefined;
  }
  return footer.reason === "SIGTERM" ? "SIGTERM" : "SIGINT";
}
