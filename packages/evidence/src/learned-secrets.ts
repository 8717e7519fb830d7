import { Buffer } from "node:buffer";
import type { Chunk, ExchangeDraft } from "./exchange.ts";
import type { Rewrites } from "./redact-pieces.ts";
import type { Replacements } from "./replacement.ts";
import { createRewrites } from "./rewrites.ts";
import { minSecretLength, type Secret } from "./secret-patterns.ts";

/** Rewrites that grow with what answers name as a secret. */
export interface LearnedSecrets {
  /** The rewrites for everything known so far. */
  readonly rewrites: () => Rewrites;
  /** Takes the read tokens that an answer names for secrets from now on, wherever they stand: links hold them too. */
  readonly learn: (draft: ExchangeDraft) => void;
}

/** Of more read tokens than any run makes, the rest are replaced only where their look gives them away. */
const maxLearned = 1000;

const namedReadToken = /"read_token"[ ]?:[ ]?"([!#-[\]-~]{1,4096})"/g;

/** Read tokens that a body names; too short ones could be anything. */
function readTokensIn(chunks: readonly Chunk[]): readonly string[] {
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString("latin1");
  const tokens = [...text.matchAll(namedReadToken)].map(([, token = ""]) => token);
  return tokens.filter((token) => token.length >= minSecretLength);
}

/** Begins with the given secrets. Streams are not learned from: they hold whatever code was found. */
export function createLearnedSecrets(secrets: readonly Secret[], replacements: Replacements): LearnedSecrets {
  const learned = new Set<string>();
  let rewrites = createRewrites(secrets, replacements);
  const learn = ({ interface: name, response }: ExchangeDraft): void => {
    const named = name === "stream" || response === undefined ? [] : readTokensIn(response.chunks);
    const fresh = named.filter((token) => !learned.has(token));
    if (fresh.length === 0 || learned.size >= maxLearned) {
      return;
    }
    fresh.forEach((token) => learned.add(token));
    const all = [...learned].map((value) => ({ name: "a read token", value }));
    rewrites = createRewrites([...secrets, ...all], replacements);
  };
  return { rewrites: () => rewrites, learn };
}
