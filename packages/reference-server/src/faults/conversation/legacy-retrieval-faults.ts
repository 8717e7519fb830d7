import { type Fault, oneOf, type Variants, violating } from "../fault.ts";
import { having, lacking, type Spoil } from "../spoiling.ts";
import { callsOf, editing, type JsonEdit, showing } from "./call-effects.ts";
import { inMember, inQuestions, inText, isConversation, later, when } from "./conversation-parts.ts";

const retrievals = callsOf("legacy", "get");

const viewers: Variants<Spoil> = {
  missing: lacking("viewer"),
  null: having("viewer", null),
  text: having("viewer", "owner"),
  empty: having("viewer", {}),
  "is-owner-text": having("viewer", { is_owner: "true" }),
};

const inQuota = (spoil: Spoil): JsonEdit => inMember("quota_usage", spoil);

const quotas: Variants<JsonEdit> = {
  missing: lacking("quota_usage"),
  null: having("quota_usage", null),
  "total-missing": inQuota(lacking("total_quota")),
  "total-fraction": inQuota(having("total_quota", 0.5)),
  "limit-missing": inQuota(lacking("quota_limit")),
  "limit-text": inQuota(having("quota_limit", "none")),
  "reset-missing": inQuota(lacking("reset_time")),
  "reset-number": inQuota(having("reset_time", 1_700_000_000)),
};

const shareUrls: Variants<(url: string) => string> = {
  "other-token": (url) => url.replace(/[^/]*$/u, "00000000-0000-4000-8000-000000000000"),
  "no-token": (url) => url.replace(/\/[^/]*$/u, ""),
  "half-token": (url) => url.slice(0, -18),
};

/** Variants to write a time that are not ISO 8601 in UTC. The first ones still tell the instant. */
const timeForms: Variants<(time: string) => string> = {
  "no-offset": (time) => time.replace("Z", ""),
  "other-offset": (time) => String(later(time, 2 * 3_600_000)).replace("Z", "+02:00"),
  "date-alone": (time) => time.slice(0, 10),
  words: (time) => new Date(time).toUTCString(),
  "no-such-day": (time) => time.replace(/-\d\d-\d\dT/u, "-13-32T"),
};

const timePlaces: Variants<(write: (time: string) => string) => JsonEdit> = {
  created: (write) => when(isConversation, inText("created_at", write)),
  updated: (write) => when(isConversation, inText("updated_at", write)),
  "question-created": (write) => inQuestions(inText("created_at", write)),
  "question-updated": (write) => inQuestions(inText("updated_at", write)),
  reset: (write) => inQuota(inText("reset_time", write)),
};

/** Faults in what a legacy conversation tells about its viewer, its quota, its address and its times. */
export const legacyRetrievalFaults: readonly Fault[] = [
  violating("legacy/viewer-on-retrieval", "legacy-viewer-malformed")(
    "Retrieved legacy conversations have no `viewer`, or one that does not tell whether it is the owner.",
    oneOf(viewers, (spoil) => editing(retrievals, spoil)),
  ),
  violating("legacy/owner-is-viewer", "legacy-owner-denied")(
    "Who retrieves a legacy conversation of his own is told that he is not its owner.",
    editing(retrievals, having("viewer", { is_owner: false })),
  ),
  violating("legacy/quota-usage-on-retrieval", "legacy-quota-usage-malformed")(
    "Retrieved legacy conversations have no `quota_usage`, or one that lacks a member or mistypes it.",
    oneOf(quotas, (spoil) => editing(retrievals, spoil)),
  ),
  violating("legacy/share-url-holds-read-token", "legacy-share-url-of-another-token")(
    "The share URL of retrieved legacy conversations has another read token in it, or none.",
    oneOf(shareUrls, (write) => editing(retrievals, inText("share_url", write))),
  ),
  violating("legacy/timestamps-are-utc", "legacy-timestamp-not-utc")(
    "A time of legacy conversations is written in another way, wherever they are shown but in lists.",
    oneOf(timeForms, (write) =>
      oneOf(timePlaces, (placed) => editing(callsOf("legacy", ...showing), placed(write)), ["member", "which time"]),
    ),
  ),
];
