import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "./conversation-probe.ts";
import type { PlainCall } from "./dialect.ts";
import { type Stage, type WhyUnsent, ask, learnThread, other, skip, whyStopped } from "./stage.ts";
import { type Thread, isMarked } from "./thread.ts";

/** Pays for a question, or notes why the probe is not sent. */
export function isPaidFor(stage: Stage, probe: ConversationProbeId): boolean {
  const { budget, listener } = stage;
  const why = whyUnasked(stage);
  if (why === undefined) {
    listener?.questionAsked?.(budget.asked, budget.allowed);
  } else {
    skip(stage, probe, why);
  }
  return why === undefined;
}

/** Pays for a question unless it would not be asked anyway; why it is not asked. */
function whyUnasked(stage: Stage): WhyUnsent | undefined {
  const { caller, budget } = stage;
  const never = whyStopped(stage) ?? budget.whyReadOnly;
  if (never !== undefined) {
    return other(never);
  }
  const { distress } = caller;
  if (distress !== undefined) {
    return { ...distress, reason: `no more questions are asked because ${distress.reason}` };
  }
  const reason = budget.charge();
  return reason === undefined ? undefined : { cause: "budget", reason };
}

interface Creation {
  readonly probe: ConversationProbeId;
  readonly call: PlainCall;
  readonly credential: CredentialKind;
}

/** Whether there never was a connection on which a request could have arrived. */
const wasNeverSent = ({ kind, draft }: Answer): boolean =>
  kind === "broken" && draft.times.connectedAtMicros === undefined;

/**
 * Sends what may create a conversation, whether it should or not. Before the call and after it the ledger knows; where the
 * answer does not tell that nothing was created, it stays open there.
 */
export async function sendCreation(
  stage: Stage,
  { probe, call, credential }: Creation,
): Promise<{ readonly answer: Answer; readonly key: string } | undefined> {
  const { ledger, marker, dialect } = stage;
  const key = await ledger.intend({ marker, interface: dialect.interface, credential });
  const answer = await ask(stage, probe, { call, credential });
  if (answer === undefined) {
    await ledger.nothing(key);
    return undefined;
  }
  const { id } = answer.kind === "success" ? dialect.read(answer.json) : {};
  if (answer.kind === "refused" || wasNeverSent(answer)) {
    await ledger.nothing(key);
  } else if (id !== undefined) {
    await ledger.made(key, id);
  }
  return { answer, key };
}

/** Asks the first question of a new conversation. The answer, if there is one, and the conversation, if it tells which. */
export async function createThread(
  stage: Stage,
  probe: ConversationProbeId,
  { question, credential = stage.mainCredential }: { readonly question: string; readonly credential?: CredentialKind },
): Promise<{ readonly answer?: Answer; readonly thread?: Thread }> {
  if (!isPaidFor(stage, probe)) {
    return {};
  }
  const sent = await sendCreation(stage, {
    probe,
    call: stage.dialect.create(question),
    credential,
  });
  if (sent === undefined) {
    return {};
  }
  const { answer, key } = sent;
  const view = stage.dialect.read(answer.json);
  if (answer.kind !== "success" || view.id === undefined) {
    return { answer };
  }
  const isOurs = isMarked(view, stage.marker);
  const thread: Thread = {
    id: view.id,
    credential,
    key,
    view,
    isOurs,
    isFinished: false,
    questions: 1,
  };
  stage.threads.push(thread);
  return { answer, thread };
}

/** Asks a further question; whether it was accepted. */
export async function addQuestion(
  stage: Stage,
  thread: Thread,
  probe: ConversationProbeId = "follow-up",
): Promise<boolean> {
  if (!isPaidFor(stage, probe)) {
    return false;
  }
  const { credential } = thread;
  const call = stage.dialect.followUp(thread.id, stage.nextQuestion());
  const answer = await ask(stage, probe, { call, credential });
  if (answer === undefined || answer.kind !== "success") {
    return false;
  }
  thread.questions += 1;
  thread.isFinished = false;
  learnThread(stage, thread, answer);
  return true;
}
