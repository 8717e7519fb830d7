/** Replacements of words since the goldens were written: `[before, now]`, applied in this order to each file. */
export const goldenWords: readonly (readonly [before: string, now: string])[] = [
  ['"schemaVersion": 1,\n  "tool"', '"schemaVersion": 2,\n  "tool"'],
  ["not-observed", "not-tested"],
  ["could-not-run", "blocked"],
  ["unexpectedly-fixed", "fixed"],
  ["must-observe", "must-test"],
  ['"mustObserve":', '"mustTest":'],
  ['"sentences":', '"requirements":'],
  ['"document":', '"specification":'],
  ['"arm":', '"mutation":'],
  ['"proven":', '"confirmed":'],
  ['"obstacle":', '"blockedBy":'],
  ['"gaps":', '"unspecified":'],
  ['"gap":', '"behaviour":'],
  ['"kind": "observation"', '"kind": "note"'],
  ["rules-proven-able-to-fail", "confirmed-passes"],
  [" proven=", " confirmed="],
  ["not stated by the documents", "not stated by the specifications"],
  ['"not-tested not-tested"', '"not-tested"'],
  ["the target's own document", "the target's own specification"],
  [
    "what a list of summaries is asked with, and what it looks like",
    "the request for a list of summaries, and the form of the list",
  ],
  [
    "what a further question is asked with, and what it is answered with",
    "the request for a further question, and its response",
  ],
  [
    "what a conversation is cancelled with, and with which body that is answered",
    "the request that cancels a conversation, and the body of its response",
  ],
  [
    "what a conversation is deleted with, and with which body that is answered",
    "the request that deletes a conversation, and the body of its response",
  ],
  ["how the user is written in the names that are sent", "how names of conversations spell the user"],
  [
    "how a conversation comes to be canceled, as the value is listed and no row of the table leads there",
    "how a conversation becomes canceled: the value is listed, but no row of the table leads to it",
  ],
  [
    "what GetConversation answers about a conversation that was deleted",
    "how GetConversation responds for a deleted conversation",
  ],
  ["in which status a question ends that was cancelled", "the final status of a cancelled question"],
  ["with which body the cancellation of a question is answered", "the response body of a cancellation"],
  ["with which body the deletion of a conversation is answered", "the response body of a deletion"],
  ["how the body of a refusal is built in the legacy interface", "the body of a refusal in the legacy interface"],
  [
    "in what listed conversations are wrapped, and which of their members are listed",
    "the envelope of a list, and which members of conversations it has",
  ],
  ["which of the two codes of success is sent when", "when each of the two success codes is sent"],
  ["what is answered about a conversation that was deleted", "the response for a deleted conversation"],
  ["A conversation is a list of questions in an order.", "A conversation is an ordered list of questions."],
  ["Asking a first question makes the conversation.", "The first question creates the conversation."],
  ["Further questions go into a conversation that exists.", "Further questions are added to an existing conversation."],
  [
    "The work on a question is not waited for by the request that asks it.",
    "The request that asks a question does not wait for the work on it.",
  ],
  [
    "A new conversation or question is answered at once, while the question is in progress.",
    "A request for a new conversation or question returns at once, while the question is in progress.",
  ],
  ["how soon that has to be, for which no time is promised", "how soon, because no time is promised"],
  [
    "The caller asks for the conversation again and again until the question has come to a terminal state.",
    "The caller polls the conversation until the question is in a terminal state.",
  ],
  ["how long that takes, for which no time is promised", "how long that takes, because no time is promised"],
  [
    "sharing through the address itself, which is a page for people",
    "sharing by the address, which is a page for people",
  ],
  ["What is still in progress can be cancelled.", "Work that is still in progress can be cancelled."],
  ["It is the new interface that the vendor looks after.", "The vendor supports the new interface."],
  [
    "it tells what the vendor does; that the interface answers is said in section 4.2",
    "it is about the vendor; section 4.2 says that the interface responds",
  ],
  ["`questions` is an array of questions that has an order.", "`questions` is an ordered array of questions."],
  [
    "`created_at` of a conversation is a string, a point in time of ISO 8601 in UTC.",
    "`created_at` of a conversation is a string, an ISO 8601 time in UTC.",
  ],
  [
    "`updated_at` of a conversation is a string, a point in time of ISO 8601 in UTC.",
    "`updated_at` of a conversation is a string, an ISO 8601 time in UTC.",
  ],
  [
    "that the number is the owner's, which nothing else tells",
    "that the number is the owner's, because nothing else shows the owner",
  ],
  [
    "`share_url` is a string, an address to share the conversation with.",
    "`share_url` is a string, an address that shares the conversation.",
  ],
  [
    "`viewer` is an object with the boolean `is_owner`, and is there when a conversation is retrieved.",
    "`viewer` is an object with the boolean `is_owner`, and is present in a retrieved conversation.",
  ],
  [
    "`quota_usage` has the integers `total_quota` and `quota_limit` and the point in time `reset_time` in UTC, and is there when a conversation is retrieved.",
    "`quota_usage` has the integers `total_quota` and `quota_limit` and the time `reset_time` in UTC, and is present in a retrieved conversation.",
  ],
  [
    "`conversation_id` is an integer, the conversation around the question.",
    "`conversation_id` is an integer, the id of the question's conversation.",
  ],
  [
    "`created_at` of a question is a string, a point in time of ISO 8601 in UTC.",
    "`created_at` of a question is a string, an ISO 8601 time in UTC.",
  ],
  [
    "`updated_at` of a question is a string, a point in time of ISO 8601 in UTC.",
    "`updated_at` of a question is a string, an ISO 8601 time in UTC.",
  ],
  [
    "`title` is a string that the service makes; it is there once the question is completed.",
    "`title` is a string from the service; it is present once the question is completed.",
  ],
  [
    "`answer` is a string of markdown; it is there when the question is completed.",
    "`answer` is a string of markdown; it is present once the question is completed.",
  ],
  [
    "`sources` is an array of sources; it is there when the question is completed.",
    "`sources` is an array of sources; it is present once the question is completed.",
  ],
  [
    "`turns` is an array of turns; it is there on a new question.",
    "`turns` is an array of turns; it is present in a new question.",
  ],
  [
    "`suggested_followups` is an array of strings, or null, as it is while the question is processing.",
    "`suggested_followups` is an array of strings, or null while the question is processing.",
  ],
  [
    "`error` is an object that is there when processing has failed.",
    "`error` is an object that is present if processing failed.",
  ],
  [
    "Where the old interface has numbers to identify things, the new one has resource names.",
    "The new interface identifies objects by resource names instead of numbers.",
  ],
  [
    "The name of a conversation is made of users, the user, conversations and an id, with slashes in between.",
    "The name of a conversation consists of users, the user, conversations and an id, separated by slashes.",
  ],
  [
    "`users/~self`, taken literally, means the user who is authenticated.",
    "The literal `users/~self` means the authenticated user.",
  ],
  [
    "That word is what a request gives wherever it has to give a parent.",
    "A request that needs a parent sends that literal.",
  ],
  [
    "A conversation has the string `name` where it used to have `id`.",
    "A conversation has the string `name` instead of `id`.",
  ],
  ["`state` is there where it used to be `status`.", "`state` replaces `status`."],
  [
    "`state` is an object of one member, whose key says the state.",
    "`state` is an object with one member, whose key is the state.",
  ],
  ["The `answer` of a question is as it was.", "The `answer` of a question is unchanged."],
  [
    "The text of a new question stands deep in the request: in a question, in a list of inputs, in a list of questions, in a conversation.",
    "The text of a new question is nested in the request: in a question, in a list of inputs, in a list of questions, in a conversation.",
  ],
  [
    "The messages of the new interface are not given in full.",
    "The messages of the new interface are not specified in full.",
  ],
  ["A question is in one of three statuses, and there are no others.", "A question has one of exactly three statuses."],
  [
    "A question that was accepted, first or further, is processing.",
    "An accepted question, first or further, is processing.",
  ],
  [
    "It begins with stats of 0, without an answer and with null for suggested follow-ups.",
    "It begins with all stats 0, no answer and null as suggested follow-ups.",
  ],
  [
    "With that, title, answer, sources, stats and suggested follow-ups get their values.",
    "Then title, answer, sources, stats and suggested follow-ups get their values.",
  ],
  [
    "When the work fails, for whatever reason, the question goes from processing to completed as well.",
    "When the work fails for any reason, the question also goes from processing to completed.",
  ],
  [
    "With that, the error gets its value, as no status of its own exists for failures.",
    "Then the error gets its value; failures have no status of their own.",
  ],
  ["How a question comes to be pending is not given.", "How a question becomes pending is not specified."],
  [
    "In which status a cancelled question ends is not given.",
    "The final status of a cancelled question is not specified.",
  ],
  ["All of these are terminal but processing.", "All of these except processing are terminal."],
  [
    "A conversation is processing after a creation or a further question that was accepted.",
    "A conversation is processing after an accepted creation or further question.",
  ],
  ["With that, the answer is there.", "Then the answer is present."],
  [
    "With that, the error brings a code, a message and a time to retry.",
    "Then the error has a code, a message and a retry time.",
  ],
  [
    "that the time to retry is always there, as not every failure has one",
    "that the retry time is always present, because not every failure has one",
  ],
  [
    "GetConversation is called until the state is a terminal one.",
    "The caller calls GetConversation until the state is terminal.",
  ],
  ["Everything stands below `/.api/deepsearch/v1`.", "All paths are below `/.api/deepsearch/v1`."],
  [
    "What a request carries is JSON and says so in `Content-Type`.",
    "The body of a request is JSON, and its `Content-Type` says so.",
  ],
  ["What comes back is JSON, as is asked for in `Accept`.", "The response is JSON, as `Accept` requests."],
  [
    "answers to cancelling and deleting, and refusals, whose bodies are not given",
    "responses to cancelling and deleting, and refusals, whose bodies are not specified",
  ],
  [
    "A conversation is created by a POST of an object with the string `question` to the base path.",
    "A POST of an object with the string `question` to the base path creates a conversation.",
  ],
  [
    "What comes back is the conversation with its first question in processing.",
    "The response is the conversation with its first question, which is processing.",
  ],
  [
    "A conversation is fetched by a GET with its integer id in the path, and comes back as an object.",
    "A GET with the integer id in the path returns the conversation as an object.",
  ],
  [
    "Conversations are listed by a GET of the base path with parameters in the query.",
    "A GET of the base path with parameters in the query lists conversations.",
  ],
  ["in which envelope they come", "the envelope of the list"],
  [
    "A further question is asked by a POST of `conversation_id` and `question` to the questions of the conversation.",
    "A POST of `conversation_id` and `question` to the questions of the conversation asks a further question.",
  ],
  [
    "The `conversation_id` of a further question has to be the id in its path.",
    "The `conversation_id` of a further question must be the id in its path.",
  ],
  [
    "What comes back to a further question is the conversation.",
    "The response to a further question is the conversation.",
  ],
  [
    "answers with the new question alone, which some releases give and which are accepted",
    "responses with only the new question, which some releases send and which are accepted",
  ],
  [
    "A question that is processing, and no other, is cancelled by a POST without a body to its path with `cancel` behind it.",
    "A POST without a body to the path of a question followed by `cancel` cancels it, only while it is processing.",
  ],
  ["what happens to a question that is not processing", "the effect on a question that is not processing"],
  ["A conversation is deleted by a DELETE of its path.", "A DELETE of its path deletes a conversation."],
  ["None of the parameters of a list has to be given.", "All parameters of a list are optional."],
  [
    "`filter_id` narrows a list to the id of a conversation.",
    "`filter_id` limits a list to the conversation with that id.",
  ],
  [
    "`filter_user_id` narrows a list to the id of a user.",
    "`filter_user_id` limits a list to the conversations of that user.",
  ],
  [
    "`filter_read_token` fetches a conversation by its read token.",
    "`filter_read_token` returns a conversation by its read token.",
  ],
  [
    "By that parameter, what others asked can be read only where the instance has sharing turned on.",
    "With that parameter, conversations of others can be read only if the instance has sharing turned on.",
  ],
  ["`page_first` is how many results a page has.", "`page_first` is the number of results in a page."],
  ["`page_after` is a cursor for going from page to page.", "`page_after` is a cursor that leads from page to page."],
  [
    "`sort` is an order by id, by creation or by update, upwards or, with a minus, downwards.",
    "`sort` orders by id, creation or update, ascending or, with a minus, descending.",
  ],
  ["Without `sort` a list goes downwards by update.", "Without `sort` a list is ordered by update, descending."],
  ["CreateConversation takes the place of creating.", "CreateConversation replaces the creation of the old interface."],
  ["GetConversation takes the place of getting.", "GetConversation replaces the read of the old interface."],
  [
    "ListConversationSummaries takes the place of listing.",
    "ListConversationSummaries replaces the list of the old interface.",
  ],
  [
    "AddConversationQuestion takes the place of asking a further question.",
    "AddConversationQuestion replaces the further question of the old interface.",
  ],
  [
    "CancelConversation takes the place of cancelling a question.",
    "CancelConversation replaces the cancellation of a question.",
  ],
  ["DeleteConversation takes the place of deleting.", "DeleteConversation replaces the deletion of the old interface."],
  [
    "A creation carries the text of its question in that nested place.",
    "A creation has the text of its question in that nested place.",
  ],
  ["A request that has to name a parent names `users/~self`.", "A request that needs a parent names `users/~self`."],
  ["What GetConversation takes and gives is not shown.", "Request and response of GetConversation are not shown."],
  [
    "What ListConversationSummaries takes and gives is not shown.",
    "Request and response of ListConversationSummaries are not shown.",
  ],
  [
    "What AddConversationQuestion takes and gives is not shown.",
    "Request and response of AddConversationQuestion are not shown.",
  ],
  [
    "What CancelConversation takes and gives is not shown.",
    "Request and response of CancelConversation are not shown.",
  ],
  [
    "What DeleteConversation takes and gives is not shown.",
    "Request and response of DeleteConversation are not shown.",
  ],
  [
    "With which body the old interface answers a deletion is not shown.",
    "The response body of a deletion in the old interface is not shown.",
  ],
  [
    "With which body the old interface answers a cancellation is not shown.",
    "The response body of a cancellation in the old interface is not shown.",
  ],
  ["That token is one which users make in their settings.", "Users create that token in their settings."],
  ["how tokens are made, which is done before a run", "how tokens are created, which happens before a run"],
  ["Every access token will do.", "Every access token is accepted."],
  [
    "it tells what callers send; that a request without it is refused is not said",
    "it says what callers send, not that a request without it is refused",
  ],
  [
    "That header holds the name of the client and, after a space, its version.",
    "That header has the name of the client and, after a space, its version.",
  ],
  [
    "it tells what callers send; that a request with another value is refused is not said",
    "it says what callers send, not that a request with another value is refused",
  ],
  [
    "What another user asked can be read by its read token and only while sharing is turned on.",
    "Conversations of another user can be read only by their read token and only while sharing is turned on.",
  ],
  ["The new interface does without `X-Requested-With`.", "The new interface does not need `X-Requested-With`."],
  [
    "That the work is over is learnt by calling GetConversation.",
    "The caller learns by calling GetConversation that the work is finished.",
  ],
  [
    "Whether the service tells by itself that the work is over is not given.",
    "Whether the service reports on its own that the work is finished is not specified.",
  ],
  [
    "Status 202 means that a request was accepted whose work goes on.",
    "Status 202 means that a request was accepted and the work continues.",
  ],
  ["Status 404 means that there is no such thing.", "Status 404 means not found."],
  [
    "nothing a caller sends brings it about, and a run that meets it cannot judge what it came for",
    "no request causes it on purpose, and a run that gets it cannot judge the response",
  ],
  ["An error response says in words what is wrong.", "An error response has a message that describes the error."],
  [
    "How the body of an error response is built is not given.",
    "The form of the body of an error response is not specified.",
  ],
  [
    "A question of the old interface whose processing failed is completed and has an `error`.",
    "A failed question of the old interface is completed and has an `error`.",
  ],
  ["A `kind` that exists is TokenLimitExceeded.", "One `kind` is TokenLimitExceeded."],
  ["Which other kinds of error exist is not given.", "Other kinds of error are not specified."],
  [
    "In the new interface a failure is the state `error`, whose value has a code, a message and a time to retry.",
    "In the new interface a failure is the state `error`, whose value has a code, a message and a retry time.",
  ],
  ["The `retry_time` of that state is a point in time.", "The `retry_time` of that state is a time."],
  ["that the service can be asked again from then on", "that a retry is possible from then on"],
  [
    "A search for which too many tokens are needed ends in the error for that.",
    "A search that needs too many tokens ends with the token limit error.",
  ],
  [
    "that a search which is too large has this error and no other, as no number of tokens is named",
    "that a search that is too large has exactly this error, because no number of tokens is specified",
  ],
  ["Who goes beyond the quota gets the error for that.", "A user who exceeds the quota gets the quota error."],
  [
    "whose quota is used up, for which the operator has to name a user",
    "users whose quota is used up, unless the operator provides one",
  ],
  [
    "Who goes beyond the entitlement gets the error for that.",
    "A user who exceeds the entitlement gets the entitlement error.",
  ],
  [
    "whose entitlement is used up, for which the operator has to name a user",
    "users whose entitlement is used up, unless the operator provides one",
  ],
  [
    "A retrieved conversation tells in `quota_usage` how much is used, what the limit is and when it starts again.",
    "`quota_usage` of a retrieved conversation has the usage, the limit and the time of the reset.",
  ],
  ["How many requests are permitted in which time is not given.", "The rate limit of conversations is not specified."],
  ["How large a page of a list can get is not given.", "The maximum size of a list page is not specified."],
  ["The old interface counts as deprecated since release 7.0.", "The old interface is deprecated since release 7.0."],
  [
    "it tells about the plans of the vendor; no answer has to say it",
    "it is about the plans of the vendor; no response needs to mention it",
  ],
  ["The old interface goes on working all the same.", "The old interface continues to work."],
  [
    "it is a page for people; a run takes from it nothing but the address of the schema",
    "it is a page for people; a run only takes the address of the schema from it",
  ],
  [
    "that there is one behind a sign-in or behind scripts; where none is found, answers are held to the schema of this project",
    "a schema that needs a sign-in or scripts; if none is found, the schema of this project is used",
  ],
  ["Who moves to the new interface changes the base address.", "A client that migrates changes the base address."],
  ["Who moves needs a token with other scopes.", "A client that migrates needs a token with other scopes."],
  ["Who moves has resource names for the numbers.", "A client that migrates uses resource names instead of numbers."],
  ["Who moves writes the flat request as a nested one.", "A client that migrates nests the flat request."],
  [
    "Who moves finds the string of the status as the only key of the state.",
    "A client that migrates finds the status string as the only key of the state.",
  ],
  [
    "What the old interface shows as completed with an error, the new one shows as the state error.",
    "A question that is completed with an error in the old interface is in the state error in the new one.",
  ],
  ["When the old interface will be removed is not given.", "The removal date of the old interface is not specified."],
  [
    "Nothing but its own progress makes up the state of a stream.",
    "A stream has no state other than its own progress.",
  ],
  [
    "it says that something does not exist, and names nothing that could be asked for",
    "it says that something does not exist, and names nothing that could be requested",
  ],
  [
    "While the search runs, a progress says `done` false and the stream goes on searching.",
    "While the search runs, a progress has `done` false and the stream continues to search.",
  ],
  [
    "While the search runs, matches, filters and progress come in whatever order.",
    "While the search runs, matches, filters and progress arrive in any order.",
  ],
  [
    "When the search has finished, a progress says `done` true and the stream is about to end.",
    "When the search has finished, a progress has `done` true and the stream is about to end.",
  ],
  [
    "An open stream is closed by `done`, which is the last event and carries an object without members.",
    "`done` closes an open stream; it is the last event and has an empty object as data.",
  ],
  [
    "`kind` is a string; utility, type, lang and repo have been seen.",
    "`kind` is a string; utility, type, lang and repo have been observed.",
  ],
  [
    "`done` is a boolean that turns true in the last progress and is false in those before.",
    "`done` is a boolean that is true in the last progress and false in all before.",
  ],
  ["that the unit is no larger one", "that the unit is not a larger one"],
  [
    "`skipped` is an array of entries that tell why something may be missing from the results.",
    "`skipped` is an array of entries that say why results may be missing.",
  ],
  [
    "The `reason` of a skipped entry is a string; excluded-archive and shard-match-limit have been seen.",
    "The `reason` of a skipped entry is a string; excluded-archive and shard-match-limit have been observed.",
  ],
  [
    "The `severity` of a skipped entry is a string; info has been seen.",
    "The `severity` of a skipped entry is a string; info has been observed.",
  ],
  [
    "What a skipped entry suggests is an object of two strings, `title` and `queryExpression`.",
    "The suggestion of a skipped entry is an object with two strings, `title` and `queryExpression`.",
  ],
  ["`repoLastFetched` is a point in time written as in ISO 8601.", "`repoLastFetched` is an ISO 8601 time."],
  ["that the string is a hash, whose form is not given", "that the string is a hash, whose form is not specified"],
  ["A search with chunk matches has results whose chunk match holds a `context`.", "Chunk matches have a `context`."],
  ["The fields of a path match are not given.", "The fields of a path match are not specified."],
  ["The fields of a commit match are not given.", "The fields of a commit match are not specified."],
  ["The fields of a diff match are not given.", "The fields of a diff match are not specified."],
  ["The fields of a symbol match are not given.", "The fields of a symbol match are not specified."],
  ["The fields of a repo match are not given.", "The fields of a repo match are not specified."],
  ["The fields of an alert are not given.", "The fields of an alert are not specified."],
  ["What an event carries as data is JSON.", "The data of an event is JSON."],
  [
    "A search delivers what it finds while it is still running, so that a caller need not wait for the end.",
    "A search delivers results while it is still running, so that a caller need not wait for the end.",
  ],
  [
    "how early the first results come, for which no time is promised",
    "how early the first results arrive, because no time is promised",
  ],
  [
    "Searches that look for everything, however much that is, are possible.",
    "Exhaustive searches of any size are possible.",
  ],
  [
    "how large such a search may be, for which no volume is named",
    "how large such a search may be, because no size is specified",
  ],
  [
    "it tells about another client of the service, not about its answers",
    "it is about another client of the service, not about its responses",
  ],
  [
    "An event consists of the fields `event` and `data`, on a line each, and of nothing else.",
    "An event consists of the fields `event` and `data`, each on its own line, and nothing else.",
  ],
  ["Between two events stand two line feeds.", "Two line feeds separate two events."],
  ["The field `data` holds JSON, whatever the event.", "The field `data` of every event is JSON."],
  [
    "Clients made for server-sent events in general may fail on the stream.",
    "Generic clients for server-sent events may fail on the stream.",
  ],
  [
    "it withholds a promise; findings say what such a client would have seen",
    "it withholds a promise; findings say how such a client would have read the stream",
  ],
  ["`matches` carries an array of matches of the six types.", "`matches` has an array of matches of the six types."],
  [
    "`progress` carries a progress: counts of matches and repositories, the time taken, and what was skipped.",
    "`progress` has a progress: counts of matches and repositories, the duration, and the skipped results.",
  ],
  [
    "`filters` carries an array of filters that would narrow the search.",
    "`filters` has an array of filters that would narrow the search.",
  ],
  [
    "`alert` carries an object with a message that informs, warns or reports an error.",
    "`alert` has an object with a message that informs, warns or reports an error.",
  ],
  ["that there is a message in it, whose field is not given", "that it has a message, whose field is not specified"],
  ["`done` carries an object without members and comes last.", "`done` has an empty object and is the last event."],
  [
    "`filters` may come again, with more entries than before.",
    "`filters` may be sent again, with more entries than before.",
  ],
  [
    "An alert is an information, a warning or an error; where that is written is not given.",
    "An alert is an information, a warning or an error; the field of this level is not specified.",
  ],
  [
    "Skipped entries of a progress tell that results were cut off.",
    "Skipped entries of a progress report that results were cut off.",
  ],
  [
    "The status of an answer that is not a stream is not given.",
    "The status of a response that is not a stream is not specified.",
  ],
  [
    "The body of an answer that is not a stream is not given.",
    "The body of a response that is not a stream is not specified.",
  ],
  [
    "`display` limits how many matches are delivered; without it there is no limit.",
    "`display` limits the number of delivered matches; without it there is no limit.",
  ],
  [
    "`count:` in the query limits how many matches are searched for.",
    "`count:` in the query limits the number of matches that the search looks for.",
  ],
  [
    "A line, a file and a repository each give a limited number of matches.",
    "The number of matches in a line, a file and a repository is limited.",
  ],
  ["no number is named that a target would have to keep to", "no number is specified"],
  [
    "Where such a limit was reached, a skipped entry has the reason shard-match-limit.",
    "If such a limit was reached, a skipped entry has the reason shard-match-limit.",
  ],
  [
    "that the reason is this one, for a limit that cannot be seen from outside",
    "that the reason is this one, because the limit is not visible from outside",
  ],
  [
    "that the number is also this one where a search asks for as many, or for no number",
    "that the number is the same if a search requests 1000 or more, or no number",
  ],
  ["How many requests are permitted is not given.", "The rate limit is not specified."],
  ["The version of the query syntax is chosen with `v`.", "`v` selects the version of the query syntax."],
  ["that other versions read a query in another way", "that other versions read a query differently"],
  ["V3 is the newest version and the one taken without `v`.", "V3 is the latest version and the default."],
  ["Callers do well to name the version.", "Callers should name the version."],
  [
    "Events resemble server-sent events, without a promise to be compatible.",
    "Events resemble server-sent events, without a promise of compatibility.",
  ],
  [
    "it withholds a promise; what the format demands is said in section 6",
    "it withholds a promise; section 6 defines the format",
  ],
  [
    "it binds the caller; what a service does with another value is not said",
    "it binds the caller; the effect of another value is not specified",
  ],
  ["Parameters stand in the query string.", "Parameters are in the query string."],
  [
    "`q`, a string in the query syntax of the service, has to be given.",
    "`q`, a string in the query syntax of the service, is required.",
  ],
  ["that the results are those the query asks for", "that the results are those that the query requests"],
  [
    "`v`, a string, chooses a version of the query syntax; V3 without it.",
    "`v`, a string, selects the version of the query syntax; the default is V3.",
  ],
  ["that the version changes how a query is read", "that the version changes the meaning of a query"],
  [
    "`t` chooses keyword, standard or regexp for queries that do not choose with `patternType:`; standard without it.",
    "`t` selects keyword, standard or regexp for queries without `patternType:`; the default is standard.",
  ],
  [
    "`max-line-len`, an integer, cuts the lines of the `context` of a chunk match to that length; -1 or without it they stay whole.",
    "`max-line-len`, an integer, cuts the lines of the `context` of a chunk match to that length; with -1 or without it they stay whole.",
  ],
  [
    "`cm`, a boolean, turns chunk matches on; they are off without it.",
    "`cm`, a boolean, turns chunk matches on; they are off by default.",
  ],
  [
    "`display`, an integer, ends the delivery of matches after that many while the search and its statistics go on; -1 or without it there is no end.",
    "`display`, an integer, ends the delivery of matches after that number while the search and its statistics continue; with -1 or without it there is no limit.",
  ],
  [
    "`cl`, an integer, says how many lines around a match are given when chunk matches are on; one without it.",
    "`cl`, an integer, is the number of lines around a match in chunk matches; the default is one.",
  ],
  ["how many matches beyond that number are still found", "how many matches above that number are still found"],
  [
    "`count:all` in the query makes the search look for everything.",
    "`count:all` in the query makes the search exhaustive.",
  ],
  ["that nothing is left out which no other search finds either", "matches that no other search finds either"],
  [
    "it advises the caller; what a target has indexed is not visible from outside",
    "it advises the caller; the index of a target is not visible from outside",
  ],
  ["A token of either sort has to have the scope user:all.", "Both kinds of token need the scope user:all."],
  ["How tokens expire and are renewed is not given.", "The expiry and renewal of tokens are not specified."],
  [
    "which status the legacy interface shows of what the current one shows as canceled",
    "the legacy status of a conversation that is canceled in the current interface",
  ],
  ["where in an alert its level stands", "which field of an alert has its level"],
  [
    "whether a stream that reports why there was no search has progress events",
    "whether a stream that reports why no search ran has progress events",
  ],
  [
    "that the right ones are taken for starred, which no operation can make them; that `false` leaves them out is seen where the user of the run has starred one",
    "that the right conversations count as starred, because no operation stars one; `false` is tested if the user of the run has starred one",
  ],
  [
    "How `Authorization` is written for the new interface is not given.",
    "The form of `Authorization` in the new interface is not specified.",
  ],
  [
    "What the values of `quota_limit` mean is not given.",
    "The meaning of the values of `quota_limit` is not specified.",
  ],
  [
    "A page for people to try the interface is served at `/api-reference`.",
    "`/api-reference` serves a page on which people can try the interface.",
  ],
  ["Of a chunk match, no field but `context` is given.", "No field of a chunk match except `context` is specified."],
  [
    "The request says in `Accept` that it wants `text/event-stream`.",
    "The request has `text/event-stream` in `Accept`.",
  ],
  [
    "To search everything that is indexed, a query has `count:all` and no filter for repositories.",
    "A query that searches everything in the index has `count:all` and no filter for repositories.",
  ],
];
