import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { parseConversationName } from "@assay/reading";
import { findCreatedConversations } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasEveryScope } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { asksForSelf } from "./list-is-accepted.ts";
import { findListCalls, readListPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { formatValue } from "../../engine/format-value.ts";

/** The conversations of `users/~self` belong to the authenticated user. Source: conversation-api, section 2.4. */
export const selfStandsForTheUser = defineCallRule({
  id: "current/self-stands-for-the-user",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "current").filter(asksForSelf)) {
      const page = readListPage(call);
      if (isResponseMissing(call)) {
        reporter.lacksResponse(call);
      } else if (page !== undefined) {
        judgeUsers(evidence, reporter, page);
      }
    }
  },
});

function judgeUsers(evidence: ConversationEvidence, reporter: CallReporter, page: ListPage): void {
  const listedUsers = collectUsers(page);
  const creators = findCreator(evidence, page);
  const foreignConversation = findCreatedConversations(evidence).find(
    (conversation) => isOfOtherUser(conversation, page) && page.ids.includes(conversation.id),
  );
  if (foreignConversation !== undefined) {
    const message = `the list of \`users/~self\` contains conversation ${foreignConversation.id}, which another user created`;
    reporter.fails(page.call, message);
    return;
  }
  const [expectedUser, otherUser] = new Set([...creators, ...listedUsers]);
  if (otherUser !== undefined) {
    const users = `\`${formatValue(expectedUser)}\` and \`${formatValue(otherUser)}\``;
    reporter.fails(page.call, `the list of \`users/~self\` contains conversations of the users ${users}`);
  } else if (listedUsers.length > 1 || (listedUsers.length > 0 && creators.length > 0)) {
    reporter.passes(page.call);
  }
}

/** Reports whether a conversation was created by the other of two different users. */
const isOfOtherUser = (
  { interface: interfaceName, user, create }: CreatedConversation,
  { call, user: requester }: ListPage,
): boolean =>
  interfaceName === "current" &&
  user !== requester &&
  hasEveryScope(create.record.credential) &&
  hasEveryScope(call.record.credential);

/** Reports whether a response contains a literal for the user instead of the name. */
const isSelf = (user: string): boolean => user === "~self" || user === "-";

const parseUser = (name: string | undefined): readonly string[] => {
  const user = parseConversationName(name ?? "")?.user;
  return user === undefined || isSelf(user) ? [] : [user];
};

const collectUsers = ({ view }: ListPage): readonly string[] => view.entries.flatMap(({ name }) => parseUser(name));

/** Returns the user in the name of a conversation that the same credential created. Unknown in recordings. */
const findCreator = (evidence: ConversationEvidence, { call }: ListPage): readonly string[] =>
  call.record.credential === "unknown"
    ? []
    : findCreatedConversations(evidence)
        .filter(({ create }) => create.interface === "current" && create.record.credential === call.record.credential)
        .flatMap(({ create }) => parseUser(conversationView(create)?.name))
        .slice(0, 1);
