import type { CredentialKind } from "@assay/evidence";
import type { JudgedExchange } from "../engine/rule.ts";

const statusOf = ({ record }: JudgedExchange): number => record.response?.status ?? 0;

/** Whether the search was answered: the head says success. Which other codes exist is not shown. */
export const isAnswered = (exchange: JudgedExchange): boolean => statusOf(exchange) >= 200 && statusOf(exchange) < 300;

/** Whether the target refused the credential. */
export const isRefused = (exchange: JudgedExchange): boolean =>
  statusOf(exchange) === 401 || statusOf(exchange) === 403;

/** Whether the target was too busy or broken, or the connection failed: nothing can be learned from it. */
export const isDistressed = (exchange: JudgedExchange): boolean =>
  exchange.record.response === undefined || statusOf(exchange) === 429 || statusOf(exchange) >= 500;

/** Whether the search carried a token that should work. */
export const isAuthorised = ({ record }: JudgedExchange): boolean =>
  record.credential === "access-token" || record.credential === "oauth-token";

/** The exchanges that carried this credential. */
export const withCredential = (
  exchanges: readonly JudgedExchange[],
  credential: CredentialKind,
): readonly JudgedExchange[] => exchanges.filter(({ record }) => record.credential === credential);

/** Whether matches were delivered. */
export const hasMatches = ({ stream }: JudgedExchange): boolean => (stream?.matches ?? 0) > 0;
