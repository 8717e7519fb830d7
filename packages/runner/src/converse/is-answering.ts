import { defined } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import type { Pace } from "../drive/pace.ts";
import type { PatientClient } from "../drive/patient-client.ts";
import type { ConversationInterface } from "./dialect.ts";
import { dialects } from "./dialects.ts";

/** What is asked where the last request got no response. */
interface Asking {
  readonly interfaces: readonly ConversationInterface[];
  readonly credential: CredentialKind;
  readonly token: string | undefined;
  readonly pace: Pick<Pace, "turn">;
  readonly signal: AbortSignal;
}

/** Most time for a request that only shows whether anything answers, in milliseconds. */
const shortAnswerMs = 5000;

/**
 * Whether anything answers. Where the last request got no response in time, this asks for the reference and for a list of each
 * interface at once, and records nothing: these tell a target that answers nothing from one whose searches hang.
 */
export async function isAnswering(
  client: PatientClient,
  { interfaces, credential, token, pace, signal }: Asking,
): Promise<boolean> {
  if (!client.isUnanswered) {
    return true;
  }
  const bounds = { totalTimeoutMs: shortAnswerMs, signal };
  const asked = [
    () => client.describe(bounds),
    ...interfaces.map(
      (name) => () => client.call({ ...dialects[name].list(), ...bounds, credential, ...defined({ token }) }),
    ),
  ];
  const drafts = await Promise.all(
    asked.map(async (ask) => {
      await pace.turn();
      return ask();
    }),
  );
  return drafts.some(({ response }) => response !== undefined);
}
