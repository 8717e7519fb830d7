import { defined } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import type { Pace } from "../drive/pace.ts";
import type { PatientClient } from "../drive/patient-client.ts";
import type { ConversationInterface } from "./dialect.ts";
import { dialects } from "./dialects.ts";

/** The requests to send if the last one got no response. */
interface AnswerCheck {
  readonly interfaces: readonly ConversationInterface[];
  readonly credential: CredentialKind;
  readonly token: string | undefined;
  readonly pace: Pick<Pace, "waitForTurn">;
  readonly signal: AbortSignal;
}

/** Timeout of a request that only checks for any response, in milliseconds. */
const answerTimeoutMs = 5000;

/**
 * Reports whether the target answers at all. If the last request timed out, this requests the API reference and a list of each interface
 * concurrently, and records nothing. This distinguishes a target that answers nothing from one whose searches hang.
 */
export async function isAnswering(
  client: PatientClient,
  { interfaces, credential, token, pace, signal }: AnswerCheck,
): Promise<boolean> {
  if (!client.isTargetUnresponsive) {
    return true;
  }
  const requestOptions = { totalTimeoutMs: answerTimeoutMs, signal };
  const requests = [
    () => client.describe(requestOptions),
    ...interfaces.map(
      (name) => () => client.call({ ...dialects[name].list(), ...requestOptions, credential, ...defined({ token }) }),
    ),
  ];
  const drafts = await Promise.all(
    requests.map(async (sendRequest) => {
      await pace.waitForTurn();
      return sendRequest();
    }),
  );
  return drafts.some(({ response }) => response !== undefined);
}
