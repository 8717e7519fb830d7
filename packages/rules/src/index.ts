export { allRules, conversationRules } from "./all-rules.ts";
export type { ParsedRequest } from "./conversation/engine/parsed-request.ts";
export type {
  CallResponse,
  ConversationCall,
  ConversationInterface,
  ConversationOperation,
  RecordedCall,
} from "./conversation/engine/conversation-call.ts";
export type { ConversationEvidence } from "./conversation/engine/conversation-evidence.ts";
export type { ConversationRule } from "./conversation/engine/conversation-rule.ts";
export { conversationView, questionView } from "./conversation/engine/conversation-view.ts";
export { cachePerObject } from "./engine/cache-per-object.ts";
export { HistoryCache } from "./conversation/history/check-history.ts";
export { judgeConversations } from "./conversation/engine/judge-conversations.ts";
export type { ConversationsToJudge } from "./conversation/engine/judge-conversations.ts";
export type { ReferenceContent, ReferenceResponse } from "./conversation/engine/reference-response.ts";
export type { RecordedConversation } from "./conversation/engine/recorded-conversations.ts";
export { findLinkedConversations as linkedConversations } from "./conversation/migration/linked-conversations.ts";
export { isInformational } from "./engine/alert-level.ts";
export { chunkText, findChunks } from "./engine/chunk-matches.ts";
export { createEvidenceJudge, mergeShares } from "./engine/evidence-judge.ts";
export type { EvidenceJudge, JudgedShare } from "./engine/evidence-judge.ts";
export { acceptedTokenPrerequisite } from "./engine/reporter.ts";
export type { BlockedBy } from "./engine/reporter.ts";
export { createMatchReader } from "./engine/matches/match-table.ts";
export { countMatches } from "./engine/matches/read-matches.ts";
export { maxKeptFindings, mergeOutcomes } from "./engine/rule-outcome.ts";
export type { RuleOutcome } from "./engine/rule-outcome.ts";
export type { JudgedExchange, Rule, TargetFacts } from "./engine/rule.ts";
export { mayDifferNextTime } from "./engine/skipped-entry.ts";
export type { StreamFacts } from "./engine/stream-facts.ts";
export type { StreamJudge } from "./engine/stream-judge.ts";
export type { Mutation, Edit } from "./mutations/mutation.ts";
export { mutationsOf } from "./mutations/all-mutations.ts";
export { createProofEvidence as proofEvidence } from "./mutations/proof-evidence.ts";
export type { ProofEvidence } from "./mutations/proof-evidence.ts";
export { proveRule } from "./mutations/prove-rule.ts";
export type { MutationTrial } from "./mutations/prove-rule.ts";
