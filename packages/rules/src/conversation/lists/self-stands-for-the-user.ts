import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { parseConversationName } from "@assay/reading";
import { findCreatedConversations } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasEveryScope } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { requestsSelf } from "./list-is-accepted.ts";
import { findListCalls, readListPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { formatValue } from "../../engine/format-value.ts";

/** The conversations of `users/~self` belong to the authenticated user. Source: conversation-api, section 2.4. */
export const selfStandsForTheUser = defineCallRule({
  id: "current/self-stands-for-the-user",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "current").filter(requestsSelf)) {
      const page = readListPage(call);
      if (isResponseMissing(call)) {
        reporter.lacksResponse(call);
      } else if (page !== undefined) {
        checkListedUsers(evidence, reporter, page);
      }
    }
  },
});

function checkListedUsers(evidence: ConversationEvidence, reporter: CallReporter, page: ListPage): void {
  const listedUsers = collectUserNames(page);
  const creatorNames = findCreatorNames(evidence, page);
  const otherUsersConversation = findCreatedConversations(evidence).find(
    (conversation) => wasCreatedByOtherUser(conversation, page) && page.ids.includes(conversation.id),
  );
  if (otherUsersConversation !== undefined) {
    const message = `the list of \`users/~self\` contains conversation ${otherUsersConversation.id}, which another user created`;
    reporter.fails(page.call, message);
    return;
  }
  const [expectedUser, otherUser] = new Set([...creatorNames, ...listedUsers]);
  if (otherUser !== undefined) {
    const users = `\`${formatValue(expectedUser)}\` and \`${formatValue(otherUser)}\``;
    reporter.fails(page.call, `the list of \`users/~self\` contains conversations of the users ${users}`);
  } else if (listedUsers.length > 1 || (listedUsers.length > 0 && creatorNames.length > 0)) {
    reporter.passes(page.call);
  }
}

/**
 * Reports whether one user created the conversation and another requested the list. Considers only the two users'
 * full access tokens, because other credentials may belong to anyone.
 */
const wasCreatedByOtherUser = (
  { interface: interfaceName, user, create }: CreatedConversation,
  { call, user: requester }: ListPage,
): boolean =>
  interfaceName === "current" &&
  user !== requester &&
  hasEveryScope(create.record.credential) &&
  hasEveryScope(call.record.credential);

/** Reports whether a user is given by an alias (`~self` or `-`) instead of a name. */
const isUserAlias = (user: string): boolean => user === "~self" || user === "-";

const parseUserNames = (name: string | undefined): readonly string[] => {
  const user = parseConversationName(name ?? "")?.user;
  return user === undefined || isUserAlias(user) ? [] : [user];
};

const collectUserNames = ({ view }: ListPage): readonly string[] =>
  view.entries.flatMap(({ name }) => parseUserNames(name));

/**
 * Returns the user who created conversations with this credential, read from a conversation name. Returns an empty
 * array if the credential is unknown, as in HAR files.
 */
const findCreatorNames = (evidence: ConversationEvidence, { call }: ListPage): readonly string[] =>
  call.record.credential === "unknown"
    ? []
    : findCreatedConversations(evidence)
        .filter(({ create }) => create.interface === "current" && create.record.credential === call.record.credential)
        .flatMap(({ create }) => parseUserNames(conversationView(create)?.name))
        .slice(0, 1);
