import { ruleIds } from "@assay/contract";
import type { ExchangeDraft } from "@assay/evidence";
import { expect, test } from "vitest";
import type { SendCall } from "./caller.ts";
import { startConversationServer } from "./testing/conversation-server.ts";
import { driveAgainst, senderTo } from "./testing/driven-run.ts";

type Scheme = NonNullable<Parameters<SendCall>[0]["scheme"]>;

/** A run against a target that accepts only these schemes. Returns how often each scheme was sent to each interface. */
async function runWith(accepted: Readonly<Record<"legacy" | "current", readonly Scheme[]>>, refusal = 401) {
  await using server = await startConversationServer();
  const send = senderTo(server.url);
  const sent: string[] = [];
  const { drafts } = await driveAgainst(server.url, {
    rules: new Set(ruleIds.filter((id) => !id.startsWith("stream/"))),
    credentials: new Set(["other-token"]),
    async send({ scheme = "token", ...call }) {
      sent.push(`${call.interface} ${scheme}`);
      const isRefused = !accepted[call.interface].includes(scheme);
      const draft = await send(
        isRefused && call.credential !== "none" ? { ...call, credential: "invalid-token" } : call,
      );
      const { response } = draft;
      const refused =
        isRefused && response?.status === 401 ? { response: { ...response, status: refusal } } : undefined;
      return { ...draft, ...refused, credential: call.credential };
    },
  });
  const count = (what: string): number => sent.filter((one) => one === what).length;
  return { drafts, count };
}

const created = (drafts: readonly ExchangeDraft[], name: string): readonly (number | undefined)[] =>
  drafts
    .filter(({ interface: one, operation, probe }) => one === name && operation === "create" && probe === "create")
    .map(({ response }) => response?.status);

test.each([400, 401, 403])(
  "a token that the current interface refuses after `token` with %i is sent after `Bearer` there, by every credential",
  async (refusal) => {
    const { drafts, count } = await runWith({ legacy: ["token"], current: ["Bearer"] }, refusal);
    expect([count("legacy Bearer"), count("current token")]).toEqual([0, 1]);
    expect([created(drafts, "legacy"), created(drafts, "current")]).toEqual([[200], [refusal, 200]]);
  },
);

test("a token that is accepted with `token` is sent with no other scheme", async () => {
  const { count } = await runWith({ legacy: ["token"], current: ["token"] });
  expect([count("legacy Bearer"), count("current Bearer")]).toEqual([0, 0]);
});

test("a token that is refused with both schemes is sent once with the other one", async () => {
  const { drafts, count } = await runWith({ legacy: [], current: [] });
  expect([count("legacy Bearer"), count("current Bearer")]).toEqual([0, 1]);
  expect(created(drafts, "current")).toEqual([401, 401]);
});
