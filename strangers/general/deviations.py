"""The table of faults and permitted variations that server.py can show.

One line per entry: `name: section and description`. A part after ` ?? ` is a
doubt: the reading that makes the entry a fault (or a freedom) is not the only
one, so a harness that judges it otherwise may be right.
"""

STREAM_FAULTS = """
s-matches-held: 1: progress is live, but every result is kept back until the search has ended instead of arriving as found
s-exhaustive-capped: 4: count:all still stops at the ordinary limits, so the search is not exhaustive
s-count-ignored: 4: count:<n> has no effect
s-count-plus-one: 4: count:<n> stops one match too late
s-count-keeps-searching: 4: count:<n> cuts what is returned but the search goes on and matchCount covers everything, as display would
s-count-first-batch-only: 4: count:<n> is applied only to what the first batch found
s-display-ignored: 4: display has no effect
s-display-plus-one: 4: display returns one match more than asked
s-display-stops-search: 4: after display is reached the statistics stop too
s-display-per-event: 4: display bounds each matches event and not the whole stream
s-display-default-three: 4: without display only three matches are returned
s-display-minus-one-empty: 4: display=-1 is taken as "nothing" rather than "no limit"
s-q-optional: 4: a request without q is answered as a search that found nothing
s-v-default-old: 4/9: without v an older syntax is used in which filters are plain text
s-v3-refused: 9: v=V3 set explicitly is reported as an unknown version
s-t-ignored: 4: t has no effect, the pattern type is always standard
s-t-default-regexp: 4: without t the pattern is a regular expression
s-t-beats-patterntype: 4: t wins over patternType: in the query
s-t-keyword-as-standard: 4: t=keyword behaves as standard
s-t-regexp-refused: 4: t=regexp is refused as an unknown value
s-maxlen-ignored: 4: max-line-len has no effect
s-maxlen-plus-one: 4: context lines may be one longer than max-line-len
s-maxlen-first-line-only: 4: only the first line of each context is truncated
s-maxlen-default-forty: 4: without max-line-len context lines are cut at 40
s-maxlen-minus-one-empty: 4: max-line-len=-1 empties context lines instead of leaving them whole
s-maxlen-touches-line-matches: 4: max-line-len also truncates lines outside context
s-cm-ignored: 4: cm=true gives no chunk matches
s-cm-default-true: 4: without cm the results are chunk matches
s-cm-false-as-true: 4: cm=false switches chunk matches on
s-context-missing: 2.3: chunk matches come without context
s-context-null: 2.3: context is null
s-context-first-chunk-only: 2.3: only the first chunk of a file carries context
s-cl-ignored: 4: cl has no effect, one line of context always
s-cl-default-zero: 4: without cl there is no line of context
s-cl-default-three: 4: without cl there are three lines of context
s-cl-after-only: 4: context lines are given after the match only, not around it
s-cl-doubled: 4: twice as many context lines as cl says
s-cl-without-cm: 4: cl adds neighbouring lines to lineMatches though cm is off
s-match-type-upper: 2.3: type of a content match is CONTENT
s-match-type-missing: 2.3: matches carry no type
s-match-type-diff-odd: 2.3: type:diff results carry the type difference
s-match-type-symbol-odd: 2.3: type:symbol results carry the type function
s-match-type-path-file: 2.3: path matches carry the type file
s-match-type-repo-odd: 2.3: repository matches carry the type repository
s-path-missing: 2.3: content matches lack path
s-path-matches-null: 2.3: pathMatches is null
s-path-match-no-column: 2.3: positions in pathMatches lack column
s-path-match-pairs: 2.3: ranges in pathMatches are [start, end] pairs of integers
s-repository-id-string: 2.3: repositoryID is a string
s-repository-null: 2.3: repository is null
s-repo-stars-float: 2.3: repoStars has a fraction
s-repo-stars-null: 2.3: repoStars is null for a repository without stars
s-last-fetched-epoch: 2.3: repoLastFetched is a number of seconds
s-last-fetched-rfc822: 2.3: repoLastFetched is a mail-style date
s-branches-string: 2.3: branches is one string
s-branches-null: 2.3: branches is null
s-commit-number: 2.3: commit is a number
s-hunks-string: 2.3: hunks is an empty string, neither array nor null
s-lines-missing: 2.3: content matches lack lineMatches (without chunk matches)
s-line-null: 2.3: line of a line match is null
s-line-number-string: 2.3: lineNumber is a string
s-offsets-flat: 2.3: offsetAndLengths is a flat list of integers
s-offsets-triples: 2.3: entries of offsetAndLengths have three integers
s-offsets-end: 2.3: the second number of a pair is the end and not the length
s-offsets-shifted: 2.3: the offset of each pair is one too large
s-language-null: 2.3: language is null
s-filters-object: 2.1/6: data of filters is an object that wraps the array
s-filters-null: 6: data of the first filters event is null
s-filter-count-string: 2.1: count of a filter is a string
s-filter-count-double: 2.1: count of repository filters is twice the number of matches
s-filter-exhaustive-string: 2.1: exhaustive is the text "true" or "false"
s-filter-label-null: 2.1: label is null on language filters
s-filter-value-bare: 2.1: value is a bare name that is no query filter
s-filter-value-wrong: 2.1: value of language filters names another language, so adding it finds something else
s-filter-kind-number: 2.1: kind is a number
s-progress-done-early: 2.2: a progress event in the middle says done true
s-progress-never-done: 2.2: the last progress event says done false
s-progress-done-string: 2.2: done is a string
s-no-final-progress: 3: the stream ends without a progress event with done true
s-matches-after-final: 3: matches arrive after the progress event with done true
s-repos-count-missing: 2.2: repositoriesCount is missing from the last progress event
s-repos-count-all: 6: repositoriesCount counts every searched repository, also those without matches
s-repos-count-string: 2.2: repositoriesCount is a string
s-match-count-string: 2.2: matchCount is a string
s-match-count-zero: 2.2/6: matchCount stays 0 though matches were found
s-match-count-display: 4: matchCount reports only what display let through, though progress goes on
s-duration-seconds: 2.2: durationMs is in seconds with a fraction
s-duration-null: 2.2: durationMs is null until the last event
s-skipped-null: 2.2: skipped is null
s-skipped-object: 2.2: skipped is one object keyed by reason
s-skipped-no-message: 2.2: skipped entries lack message
s-skipped-severity-number: 2.2: severity is a number
s-skipped-suggested-string: 2.2: suggested is a string
s-skipped-suggested-short: 2.2: suggested lacks queryExpression
s-trace-number: 2.2: trace is a number
s-trace-not-url: 2.2: trace is an identifier and not a URL
s-limit-silent: 8: a limit was hit and no skipped entry says so
s-limit-other-reason: 8: a hit limit is reported under another reason than shard-match-limit
s-limit-no-suggestion: 8: the skipped entry of a hit limit suggests something else than count:1000
s-count-cut-silent: 7: results cut off by count:<n> leave no skipped entry ?? it is not said whether count:<n> counts as cutting off
s-done-missing: 3/6: the stream closes without done
s-done-not-last: 6: a progress event follows done
s-done-twice: 6: done is sent twice
s-done-null: 6: data of done is null
s-done-with-members: 3/6: data of done has a member
s-open-after-done: 3: the connection stays open for seconds after done
s-alert-level-odd: 7: an alert has the level fatal
s-alert-level-missing: 7: an alert has no level
s-alert-array: 6: data of alert is an array
s-alert-swallowed: 7: a broken query ends quietly without an alert
s-alert-as-http: 7: a broken query is answered with a plain HTTP error in place of an alert
s-alert-not-done: 3/6: after an alert the stream ends without done
s-third-field: 6: events carry a third field id
s-data-multiline: 6: data is spread over several data lines
s-single-newline: 6: events follow each other after a single newline
s-data-not-json: 6: data of filters is not JSON
s-done-data-empty: 6: data of done is empty text, which is not JSON
s-event-name-missing: 6: progress events come without the event field
s-event-name-match: 6: results come as events named match
s-nan-in-data: 6: data holds NaN, which JSON has not
s-scope-unchecked: 5: an access token without user:all is accepted
s-oauth-scope-unchecked: 5: an OAuth token without user:all is accepted
s-bearer-refused: 5: OAuth tokens sent as Bearer are refused
s-token-refused: 5: access tokens sent as token are refused
"""

LEGACY_FAULTS = """
l-id-string: 2.1: id of a conversation is a string
l-id-string-in-list: 2.1: id of a conversation is a string in lists only
l-questions-newest-first: 2.1: questions are in reverse order
l-created-at-epoch: 2.1: created_at of a conversation is a number
l-updated-at-offset: 2.1: updated_at of a conversation is local time with an offset, not UTC
l-user-id-string: 2.1: user_id is a string
l-user-id-reader: 2.1: user_id of a conversation read by token is the reader and not the owner
l-read-token-null: 2.1: read_token is null until the first answer is there
l-share-url-other-token: 2.1: share_url holds something else than read_token
l-share-url-missing: 2.1: share_url is missing
l-viewer-missing: 2.1: viewer is missing on retrieval
l-is-owner-string: 2.1: is_owner is a string
l-is-owner-always: 2.1: is_owner is true for a reader who is not the owner
l-quota-missing: 2.1/8: quota_usage is missing on retrieval
l-quota-limit-string: 2.1: quota_limit is a string
l-quota-limit-null: 2.1: quota_limit is null
l-reset-time-epoch: 2.1: reset_time is a number
l-question-id-string: 2.2: id of a question is a string
l-conversation-id-wrong: 2.2: conversation_id of follow-up questions is not the parent
l-question-text-lowered: 2.2: question is returned in lower case
l-question-times-missing: 2.2: questions lack updated_at
l-status-upper: 2.2: status is in capitals
l-status-done: 2.2: a finished question has the status done
l-title-missing: 2.2: title is missing on a completed question
l-title-null: 2.2: title is null on completed follow-up questions
l-answer-missing: 2.2: answer is missing on a completed question
l-answer-missing-in-list: 2.2: answer is missing on completed questions in lists
l-answer-object: 2.2: answer is an object
l-answer-early: 3.1: part of the answer is there while the question is processing
l-sources-null: 2.2: sources is null on a completed question
l-sources-missing-followup: 2.2: sources is missing on completed follow-up questions
l-source-link-absolute: 2.2: link of a source is an absolute URL
l-source-label-missing: 2.2: sources lack label
l-source-type-number: 2.2: type of a source is a number
l-turns-missing: 2.2: a new question has no turns
l-turns-missing-followup: 2.2: a new follow-up question has no turns
l-turn-time-millis: 2.2: timestamp of a turn is in milliseconds
l-turn-time-string: 2.2: timestamp of a turn is a string
l-turn-role-assistant: 2.2: the turn of the submitted question has the role assistant
l-followups-empty-early: 2.2/3.1: suggested_followups is an empty array while processing
l-followups-null-late: 3.1: suggested_followups stays null after success
l-followups-objects: 2.2: suggested_followups holds objects
l-stats-early: 2.3: stats are above 0 while processing
l-stats-zero-late: 3.1: stats stay 0 after success
l-stats-no-credits: 2.3: stats lack credits
l-stats-float: 2.3: time_millis has a fraction
l-stats-negative: 2.3: cached_tokens is negative
l-stats-missing-processing: 3.1: stats are missing while processing
l-failure-status-error: 3.1: a failed question has the status error
l-failure-no-error: 3.1: a failed question has no error object
l-failure-stays-processing: 3.1: a failed question is processing for ever
l-error-kind-missing: 7: error lacks kind
l-error-details-object: 7: details of error is an object
l-error-message-null: 7: message of error is null
l-error-on-success: 2.2: a question that did not fail has an error object
l-token-limit-other-kind: 7/8: exceeding the token limit gives another kind than TokenLimitExceeded ?? the document calls it only one possible value
l-create-waits: 1: creating waits for the answer
l-followup-waits: 1: adding a question waits for the answer
l-create-pending: 3.1: a new conversation's question starts as pending
l-followup-pending: 3.1: a follow-up starts as pending
l-followup-replaces: 1: a follow-up takes the place of the earlier question
l-followup-new-conversation: 1: a follow-up makes a conversation of its own
l-followup-in-front: 2.1: follow-ups are put before the first question
l-followup-mismatch-accepted: 4.1: a conversation_id that differs from the path is accepted
l-followup-answers-question: 4.1: adding a follow-up is answered with the question and not the conversation
l-followup-reopens: 3.1: a follow-up sends completed questions back to processing
l-followup-no-bump: 2.1/4.1: a follow-up leaves updated_at of the conversation unchanged ?? what moves updated_at is not spelled out
l-status-flaps: 3.1: every third retrieval shows a completed question as processing again
l-list-status-stale: 3.1: lists show completed questions as processing
l-never-completes: 3.1: questions stay in processing
l-cancel-noop: 4.1: cancelling answers success and the question runs on to its answer
l-cancel-completed-ok: 4.1: cancelling a completed question is answered with success
l-cancel-unknown-ok: 7: cancelling an unknown question is answered with success
l-cancel-other-question: 4.1: cancelling hits the first question of the conversation instead of the named one
l-cancel-demands-body: 4.1: cancelling without a body is refused
l-delete-noop: 4.1: deleting answers success and does nothing
l-delete-still-got: 1: a deleted conversation leaves lists but can still be fetched
l-delete-still-listed: 1: a deleted conversation cannot be fetched but is still in lists
l-delete-token-alive: 1: a deleted conversation can still be read by its read token
l-delete-followup-alive: 1: a deleted conversation still takes follow-ups
l-delete-twice-ok: 7: deleting an already deleted conversation is answered with success ?? some services call that success
l-get-others: 5: the conversation of another user can be fetched by id
l-followup-others: 5: a follow-up can be added to the conversation of another user ?? only reading by others is spelled out
l-cancel-others: 5: the question of another user can be cancelled ?? only reading by others is spelled out
l-delete-others: 5: the conversation of another user can be deleted ?? only reading by others is spelled out
l-list-others: 5: lists hold the conversations of every user
l-filter-user-others: 5: filter_user_id shows the conversations of that other user
l-share-while-off: 5: sharing is off, yet the read token works for other users
l-read-token-dead: 5: sharing is on, yet the read token finds nothing for other users
l-read-token-any: 4.1: an unknown read token finds some conversation
l-read-token-ignored: 4.1: filter_read_token has no effect
l-filter-id-ignored: 4.1: filter_id has no effect
l-filter-id-inverted: 4.1: filter_id gives every conversation but the named one
l-filter-user-ignored: 4.1: filter_user_id has no effect
l-filter-starred-ignored: 4.1: filter_is_starred has no effect
l-filter-user-lost-by-sort: 4.1: filter_user_id has no effect beside a sort
l-read-token-lost-by-sort: 4.1: filter_read_token has no effect beside a sort
l-filter-starred-lost-by-sort: 4.1: filter_is_starred has no effect beside a sort
l-filters-either: 4.1: of filter_id and filter_user_id only the first counts when both are given ?? combining filters is not spelled out
l-page-first-ignored: 4.1: page_first has no effect
l-page-first-later-ignored: 4.1: page_first has no effect from the second page on
l-page-first-plus-one: 4.1: a page holds one conversation more than page_first
l-page-after-ignored: 4.1: page_after has no effect
l-page-overlaps: 4.1: each page begins with the last entry of the page before
l-page-skips: 4.1: one entry is lost between two pages
l-page-drops-filter: 4.1: filters are forgotten from the second page on
l-sort-ignored: 4.1: sort has no effect
l-sort-id-text: 4.1: sort=id compares ids as text
l-sort-minus-id-up: 4.1: sort=-id goes up
l-sort-created-swapped: 4.1: created_at and -created_at are exchanged
l-sort-minus-created-up: 4.1: sort=-created_at goes up
l-sort-updated-by-created: 4.1: sort=updated_at and -updated_at order by creation
l-sort-default-created: 4.1: without sort the order is that of -created_at
l-sort-default-up: 4.1: without sort the order is that of updated_at
l-no-token-list: 5: listing works without a token
l-no-token-get: 5: fetching works without a token
l-bad-token-create: 5: creating works with a token nobody issued
l-bearer-only: 5: only Bearer is understood, token is refused
l-token-needs-scope: 5: tokens without scopes are refused
l-client-header-unchecked: 5: requests without X-Requested-With are served ?? the sentence may bind only the client
l-client-header-version-refused: 5: X-Requested-With is refused when its version has a dot
l-unauthorized-403: 7: a missing token is answered with 403
l-not-found-200: 7: an unknown conversation is answered with 200 and an empty object
l-not-found-500: 7: an unknown conversation is answered with 500
l-not-found-400: 7: an unknown conversation is answered with 400
l-bad-json-500: 7: a body that is not JSON is answered with 500
l-missing-question-accepted: 4.1/7: creating without question is accepted
l-question-number-accepted: 4.1/7: a number as question is accepted
l-followup-missing-question-accepted: 4.1/7: a follow-up without question is accepted
l-error-no-message: 7: HTTP errors have no body
l-create-201: 7: creating is answered with 201
l-create-answers-id: 4.1: creating is answered with the id only
l-create-no-questions: 4.1: creating is answered without the first question
l-not-json: 4.1: retrieval is answered as text that is not JSON
l-content-type-text: 4.1: responses are labelled text/plain
l-parallel-mixup: 4.1: two retrievals at the same time can get each other's conversation
l-ids-reused: 2.1: the id of a deleted conversation is given to the next one ?? an identifier need not be unique over time
l-read-token-shared: 2.1: all conversations of one user have the same read token ?? one token for several conversations is not ruled out
"""

CURRENT_FAULTS = """
c-id-kept: 2.4: conversations carry id in place of name
c-name-no-user: 2.4: names have the form conversations/<id>
c-name-number: 2.4: name is a number
c-name-in-list-differs: 2.4: names in the list lack the users part
c-self-refused: 2.4: users/~self is not understood as a parent
c-self-any: 2.4: users/~self stands for the first user and not the authenticated one
c-state-string: 2.4: state is a string
c-state-two-keys: 2.4: state has two keys
c-state-all-keys: 2.4: state has all four keys, three of them null
c-state-failed: 3.2: a failed question has the state failed
c-state-cancelled: 3.2: a cancelled question has the state cancelled with double l
c-state-upper: 3.2: state keys are in capitals
c-status-kept: 2.4: questions carry status in place of state
c-answer-renamed: 2.4: answer is called answer_markdown
c-answer-missing: 3.2: answer is missing on completed questions
c-answer-object: 2.4: answer is an object
c-nested-refused: 2.4/4.2: the nested create request is refused, only a flat question is taken
c-create-waits: 1: CreateConversation waits for the answer
c-followup-waits: 1: AddConversationQuestion waits for the answer
c-create-terminal: 3.2: CreateConversation answers with the state completed at once
c-followup-terminal: 3.2: AddConversationQuestion answers with the new question already completed
c-never-terminal: 3.2: the state stays processing
c-state-flaps: 3.2: every third GetConversation shows processing again after a terminal state
c-followup-lost: 4.2: AddConversationQuestion answers success and adds nothing
c-followup-in-front: 1: follow-ups are put before the first question
c-followup-reopens: 3.2: a follow-up sends earlier questions back to processing
c-error-code-number: 7: code of the error state is a number
c-error-code-legacy: 7: code of the error state is the legacy kind
c-error-no-retry: 3.2/7: the error state lacks retry_time
c-retry-time-null: 7: retry_time is null
c-error-message-null: 7: message of the error state is null
c-error-empty: 3.2: the error state is an empty object
c-failure-completed: 3.2: a failed question has the state completed
c-quota-internal: 8: exceeding the quota gives ERROR_INTERNAL
c-entitlement-quota: 8: exceeding the entitlement gives ERROR_QUOTA_EXCEEDED
c-token-limit-internal: 8: exceeding the token limit gives ERROR_INTERNAL
c-cancel-noop: 4.2: CancelConversation answers success and the question runs on
c-cancel-as-error: 3.2: a cancelled question has the state error
c-cancel-forgotten: 3.2: canceled is left again when the answer would have been ready
c-cancel-deletes: 4.2: CancelConversation removes the conversation
c-delete-noop: 4.2: DeleteConversation answers success and does nothing
c-delete-still-listed: 1: a deleted conversation is still in the list
c-delete-still-got: 1: a deleted conversation can still be fetched
c-delete-cancels: 4.2: DeleteConversation only cancels what is running
c-list-empty: 4.2: ListConversationSummaries is always empty
c-list-first-only: 4.2: ListConversationSummaries holds only the oldest conversation
c-list-others: 2.4/5: ListConversationSummaries holds conversations of other users ?? access by others is spelled out for the legacy interface only
c-get-others: 2.4/5: GetConversation serves the conversation of another user ?? access by others is spelled out for the legacy interface only
c-followup-others: 2.4/5: AddConversationQuestion works on the conversation of another user ?? access by others is spelled out for the legacy interface only
c-cancel-others: 2.4/5: CancelConversation works on the conversation of another user ?? access by others is spelled out for the legacy interface only
c-delete-others: 2.4/5: DeleteConversation works on the conversation of another user ?? access by others is spelled out for the legacy interface only
c-scope-unchecked: 5: a token without an externalapi scope is accepted
c-scope-unchecked-list: 5: a token without an externalapi scope may list
c-scope-unchecked-delete: 5: a token without an externalapi scope may delete
c-read-scope-refused: 5: a token with only externalapi:read is refused for everything
c-write-scope-refused: 5: a token with only externalapi:write is refused for everything
c-user-all-demanded: 5/9: the scope user:all is demanded and the externalapi scopes are not enough
c-client-header-demanded: 5: X-Requested-With is demanded
c-get-method: 4.2: GetConversation answers GET and refuses POST
c-list-missing: 4.2: ListConversationSummaries does not exist
c-list-old-name: 4.2: the list operation is called ListConversations
"""

MIGRATION_FAULTS = """
m-failed-as-completed: 9: a question that failed in the legacy interface is completed in the new one, not error
m-legacy-gone: 9: the legacy interface answers 410 to new conversations
m-legacy-read-only: 1/9: the legacy interface no longer takes follow-ups
m-legacy-state: 2.2/9: legacy questions carry state in place of status
m-name-is-number: 9: conversations made in the legacy interface keep a bare number as name in the new one
m-reference-missing: 9: nothing is served at /api-reference
m-reference-no-schema: 9: the reference page offers no schema
m-schema-dead-link: 9: the schema that the reference page links does not exist
m-schema-not-openapi: 9: the schema lacks the openapi member and paths
m-schema-broken: 9: the schema is cut off in the middle
m-schema-missing-operation: 4.2/9: the schema leaves out CancelConversation
m-schema-get: 4.2/9: the schema describes GetConversation as GET
m-schema-other-path: 4.2/9: the schema puts the operations under another base path
"""

STREAM_VARIATIONS = """
stream-slow: silent on time: ten times as long between steps
stream-instant: silent on time: no pause between steps
stream-crlf: 6: lines end with CR LF ?? the document says newline characters
stream-comments: 6: comment lines as keep-alive between events ?? a strict reader sees a block without fields
stream-no-space: 6: no space after the colon of a field
stream-data-first: 6: data comes before event ?? the order of the two fields is only shown, not demanded
stream-no-final-separator: 6: no separator after the last event, as separators stand between events
stream-unknown-event: 6: an event type the table does not list ?? the table may be meant as complete
stream-split-chunks: silent on transfer: events are split over several small chunks
stream-coalesced: silent on transfer: several events in one chunk
stream-close-delimited: silent on transfer: HTTP/1.0 style, the end is the end of the connection
stream-gzip: silent on transfer: compressed when the client accepts it
stream-charset: 4: content type with charset
stream-octet-type: silent on content type: another content type ?? a reader may expect the type that was asked for
stream-many-progress: 3: several progress events for each step
stream-few-progress: 3: only the final progress event
stream-no-filters: 6: no filters event at all
stream-filters-at-end: 3: filters only once, just before the end
stream-filters-before-matches: 3: filters arrive before the first matches
stream-empty-matches: 6: a matches event with an empty array
stream-one-per-event: 6: one match in each event
stream-first-batch-big: 1: all results in the first event
stream-reverse-order: silent on order: results in reverse order
stream-one-based-lines: 2.3: lineNumber and line count from 1
stream-byte-offsets: 2.3: offsets and lengths count bytes
stream-hunks-array: 2.3: hunks is an array
stream-empty-strings: 2.3: empty language and empty branch list
stream-long-hash: 2.3: commit hashes of 64 digits
stream-timestamp-offset: 2.3: timestamps with +00:00 and microseconds
stream-public: 5: queries without a token are served, as on a public instance
stream-refusal-401: 7: a missing scope gives 401 with a text body
stream-refusal-400: 7: a missing token gives 400
stream-bad-parameter-alert: 7: bad parameter values and a missing q are reported by an alert in a 200 stream
stream-ascii-json: 6: characters outside ASCII are escaped
stream-spaced-json: 6: JSON with other spacing
stream-no-archive-note: 2.2: archived repositories are left out without a skipped entry
stream-other-skip: 2.2: a skipped entry with another reason and another severity
stream-merged-chunks: 2.3: neighbouring chunks are merged
stream-chunk-other-key: 2.3: the array of chunks has another name
stream-chunks-only: 2.3: no lineMatches when chunk matches are on ?? the field table lists lineMatches without a condition
stream-info-alert: 7: every search begins with an alert of level info
stream-count-lines: 4: display and count count line matches and not result objects
stream-repos-count-always: 2.2: repositoriesCount in every progress event
stream-new-filter-kind: 2.1: filters of a kind that was not observed so far
stream-content-only: silent on types: a search without type: finds contents only
stream-keyword-or: 4: keyword takes any of the words rather than all of them
"""

LEGACY_VARIATIONS = """
legacy-create-200: 7: creating and adding answer 200
legacy-cancel-202: 7: cancel and delete answer 202
legacy-cancel-conversation: 4.1: cancel answers with the conversation
legacy-empty-bodies: 4.1: cancel and delete answer without a body
legacy-text-bodies: 4.1: cancel and delete answer with plain text
legacy-bare-list: 4.1: the list is a bare array
legacy-other-envelope: 4.1: the list is in an envelope with other names and a total
legacy-opaque-cursor: 4.1: the cursor is an opaque text
legacy-small-pages: 4.1: without page_first a page holds three conversations
legacy-page-cap: 8: a page holds five conversations at most
legacy-big-ids: 2.1: ids begin above 2^40 and have gaps
legacy-seconds: 2.1: timestamps without a fraction
legacy-nanoseconds: 2.1: timestamps with nine digits of fraction
legacy-plus-zero: 2.1: timestamps end with +00:00
legacy-error-text: 7: error messages as plain text
legacy-error-nested: 7: error messages in a nested object
legacy-cancel-as-error: 3.1: a cancelled question is completed with an error object
legacy-cancel-as-pending: 3.1: a cancelled question is pending
legacy-busy-refused: 3.1: a follow-up is refused with 400 while a question is processing
legacy-pending-midway: 3.1: a processing question shows pending for a while ?? the way into pending is not shown
legacy-slow-answers: silent on time: answers take 1.5 s
legacy-fast-answers: silent on time: answers take 0.05 s
legacy-failed-bare: 3.1: a failed question has error but no title, answer or sources
legacy-no-sources: 2.2: sources and suggested_followups are empty arrays ?? filled could mean not empty
legacy-turns-dropped: 2.2: turns are there only while the question is new
legacy-turns-grow: 2.2: turns with another role are added during processing
legacy-source-kinds: 2.2: sources of further types
legacy-viewer-everywhere: 2.1: viewer and quota_usage also in lists and on creation
legacy-others-401: 7: the conversation of another user is answered with 401
legacy-bad-list-values-ignored: 7: unknown list values are ignored rather than refused
legacy-header-401: 5: a missing X-Requested-With gives 401
legacy-header-strict: 5: X-Requested-With without a version is refused
legacy-seeded: silent on contents: every user already has conversations, one of them starred
legacy-long-token: 2.1: read tokens are long and hold dots and dashes
legacy-markdown-answer: 2.2: long markdown answers with tables, code and characters outside ASCII
legacy-sharing-off: 5: sharing is disabled on the instance
"""

CURRENT_VARIATIONS = """
current-user-number: 2.4: the user part of names is the number of the user
current-self-names: 2.4: names are returned with users/~self
current-opaque-ids: 2.4: conversation ids are opaque texts
current-envelope: 4.2: conversations come inside a member named conversation
current-state-on-question: 2.4: only questions carry state ?? polling could mean the state of the conversation
current-state-details: 2.4: state values hold further members
current-retry-offset: 7: retry_time with an offset and no fraction
current-error-google: 7: HTTP errors with numeric code and status text
current-error-empty: 7: HTTP errors without a body
current-scope-401: 7: a missing scope gives 401
current-others-403: 7: the conversation of another user gives 403
current-empty-bodies: 4.2: cancel and delete answer without a body
current-cancel-conversation: 4.2: cancel answers with the conversation
current-cancel-idle-ok: 4.2: cancelling when nothing runs is answered with 200
current-cancel-idle-409: 7: cancelling when nothing runs is answered with 409
current-list-other-key: 4.2: the list has another member name
current-list-bare: 4.2: summaries hold only name
current-small-pages: 8: three summaries on a page unless asked otherwise
current-create-202: 7: creating answers 202
current-flat-too: 4.2: a flat question is understood as well
current-read-scope-reads: 5: a token with only externalapi:read may not change anything ?? either scope may be meant to be enough for everything
current-bearer-only: 5: only Bearer is understood ?? the form of the header is not shown
current-followup-question: 4.2: AddConversationQuestion answers with the new question only
"""

MIGRATION_VARIATIONS = """
any-member-order: silent on order: members of objects in reverse order
any-unknown-members: silent on further members: objects carry members that no table lists
any-lower-headers: silent on transfer: header names in lower case
any-connection-close: silent on transfer: every response ends its connection
migration-deprecation-headers: 9: legacy responses carry deprecation headers
migration-reference-redirect: 9: /api-reference leads on to another path
migration-schema-direct: 9: the schema itself is served at /api-reference
migration-schema-yaml: 9: the schema is offered as YAML
migration-separate-stores: 9: conversations of one interface are unknown to the other ?? the document does not say that they share their data
"""


def table():
    rows = []
    for kind, api, text in (
            ("fault", "stream", STREAM_FAULTS), ("fault", "legacy", LEGACY_FAULTS),
            ("fault", "current", CURRENT_FAULTS), ("fault", "migration", MIGRATION_FAULTS),
            ("variation", "stream", STREAM_VARIATIONS), ("variation", "legacy", LEGACY_VARIATIONS),
            ("variation", "current", CURRENT_VARIATIONS), ("variation", "migration", MIGRATION_VARIATIONS)):
        for line in text.strip().splitlines():
            name, sentence = line.split(": ", 1)
            sentence, _, doubt = sentence.partition(" ?? ")
            row = {"name": name, "kind": kind, "api": api, "sentence": sentence}
            if doubt:
                row["doubt"] = doubt
            rows.append(row)
    return rows
