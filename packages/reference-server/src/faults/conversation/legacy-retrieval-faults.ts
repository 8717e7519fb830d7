import { isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { having, lacking } from "../spoiling.ts";
import type { Spoil } from "../spoiling.ts";
import { editAnswers, showing } from "./answer-edits.ts";
import { changeQuestions, isConversation, later } from "./conversation-parts.ts";

const inside =
  (member: string, spoil: Spoil): Spoil =>
  (data) => {
    const value = data[member];
    return isPayloadObject(value) ? { ...data, [member]: spoil(value) } : data;
  };

const viewerVariants: Variants<Spoil> = {
  missing: lacking("viewer"),
  null: having("viewer", null),
  text: having("viewer", "owner"),
  empty: having("viewer", {}),
  "is-owner-text": having("viewer", { is_owner: "true" }),
};

const quotaVariants: Variants<Spoil> = {
  missing: lacking("quota_usage"),
  null: having("quota_usage", null),
  "total-missing": inside("quota_usage", lacking("total_quota")),
  "total-fraction": inside("quota_usage", having("total_quota", 0.5)),
  "limit-missing": inside("quota_usage", lacking("quota_limit")),
  "limit-text": inside("quota_usage", having("quota_limit", "none")),
  "reset-missing": inside("quota_usage", lacking("reset_time")),
  "reset-number": inside("quota_usage", having("reset_time", 1_700_000_000)),
};

const otherToken = "00000000-0000-4000-8000-000000000000";

const shareVariants: Variants<Spoil> = {
  "other-token": (data) => ({ ...data, share_url: String(data["share_url"]).replace(/[^/]*$/u, otherToken) }),
  "no-token": (data) => ({ ...data, share_url: String(data["share_url"]).replace(/\/[^/]*$/u, "") }),
  "half-token": (data) => ({ ...data, share_url: String(data["share_url"]).slice(0, -18) }),
};

/** Variants to write a time that are not ISO 8601 in UTC. The first ones still tell the instant. */
const timeVariants: Variants<(time: string) => unknown> = {
  "no-offset": (time) => time.replace("Z", ""),
  "other-offset": (time) => String(later(time, 2 * 3_600_000)).replace("Z", "+02:00"),
  "date-alone": (time) => time.slice(0, 10),
  words: (time) => new Date(time).toUTCString(),
  "no-such-day": (time) => time.replace(/-\d\d-\d\dT/u, "-13-32T"),
};

const timesOf =
  (name: string, write: (time: string) => unknown) =>
  (data: PayloadObject): PayloadObject => {
    const time = data[name];
    return typeof time === "string" ? { ...data, [name]: write(time) } : data;
  };

type TimeSpoil = (data: PayloadObject, write: (time: string) => unknown) => unknown;

const inQuestions =
  (name: string): TimeSpoil =>
  (data, write) =>
    changeQuestions(data, timesOf(name, write));

const timePlaces: Variants<TimeSpoil> = {
  created: (data, write) => timesOf("created_at", write)(data),
  updated: (data, write) => timesOf("updated_at", write)(data),
  "question-created": inQuestions("created_at"),
  "question-updated": inQuestions("updated_at"),
  reset: (data, write) => inside("quota_usage", timesOf("reset_time", write))(data),
};

const retrieval = { interface: "legacy", operations: ["get"] } as const;

/** Faults in what a legacy conversation tells about its viewer, its quota, its address and its times. */
export const legacyRetrievalFaults: readonly Fault[] = [
  violating("legacy/viewer-on-retrieval", "legacy-viewer-malformed")(
    "Retrieved legacy conversations have no `viewer`, or one that does not tell whether it is the owner.",
    editAnswers(retrieval, (json, { run }) => variantOf(viewerVariants, run)?.(json) ?? json),
    howParameter(viewerVariants),
  ),
  violating("legacy/owner-is-viewer", "legacy-owner-denied")(
    "Who retrieves a legacy conversation of his own is told that he is not its owner.",
    editAnswers(retrieval, having("viewer", { is_owner: false })),
  ),
  violating("legacy/quota-usage-on-retrieval", "legacy-quota-usage-malformed")(
    "Retrieved legacy conversations have no `quota_usage`, or one that lacks a member or mistypes it.",
    editAnswers(retrieval, (json, { run }) => variantOf(quotaVariants, run)?.(json) ?? json),
    howParameter(quotaVariants),
  ),
  violating("legacy/share-url-holds-read-token", "legacy-share-url-of-another-token")(
    "The share URL of retrieved legacy conversations has another read token in it, or none.",
    editAnswers(retrieval, (json, { run }) => variantOf(shareVariants, run)?.(json) ?? json),
    howParameter(shareVariants),
  ),
  violating("legacy/timestamps-are-utc", "legacy-timestamp-not-utc")(
    "A time of legacy conversations is written in another way, wherever they are shown but in lists.",
    editAnswers({ interface: "legacy", operations: showing }, (json, { run }) => {
      const write = variantOf(timeVariants, run);
      const member = variantOf(timePlaces, { ...run, values: { how: run.values["member"] ?? "" } });
      const isWhole = isConversation(json) || String(run.values["member"]).startsWith("question");
      return write === undefined || !isWhole ? json : (member?.(json, write) ?? json);
    }),
    {
      ...howParameter(timeVariants),
      member: { title: "which time", default: "created", choices: Object.keys(timePlaces) },
    },
  ),
];
