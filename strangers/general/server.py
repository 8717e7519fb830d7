#!/usr/bin/env python3
"""The stranger: a test peer that serves the streaming search and the conversation API.

Written from the two contract documents alone. Without options it keeps to
them; `--fault` makes it break one sentence, `--variation` makes it use one
freedom. deviations.py names them all, engine.py holds the corpus.
"""

import argparse
import base64
import datetime
import email.utils
import hashlib
import json
import math
import os
import re
import resource
import signal
import sys
import threading
import time
import urllib.parse
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import deviations
import engine

ON = set()
BODY_LIMIT, CONVERSATION_LIMIT, QUESTION_LIMIT = 1 << 20, 3000, 100
TEXT_LIMIT = 20000                # longer questions exceed the token limit
CHARACTER_LIMIT = 50_000_000      # of all questions together
SERVICE = "/api/deepsearch.v1.Service/"
LEGACY = "/.api/deepsearch/v1"
STREAM = "/.api/search/stream"


def on(name):
    """Whether this fault or variation was asked for."""
    return name in ON


# ---------------------------------------------------------------- users and tokens

class User:
    def __init__(self, number, name, quota_limit=100000, entitled=True):
        self.number, self.name, self.quota_limit, self.entitled = number, name, quota_limit, entitled
        self.used = 0


USERS = {u.name: u for u in (User(101, "amara"), User(102, "bo"), User(103, "cleo", quota_limit=0),
                             User(104, "dag", entitled=False))}
ALL_SCOPES = ("user:all", "externalapi:read", "externalapi:write")
TOKENS = {  # role: (token text, user, scopes)
    "owner": ("stranger-owner-1", "amara", ALL_SCOPES),
    "other": ("stranger-other-2", "bo", ALL_SCOPES),
    "user_all": ("stranger-userall-3", "amara", ("user:all",)),
    "read": ("stranger-read-4", "amara", ("externalapi:read",)),
    "write": ("stranger-write-5", "amara", ("externalapi:write",)),
    "unscoped": ("stranger-unscoped-6", "amara", ()),
    "oauth": ("stranger-oauth-7", "amara", ("user:all",)),
    "oauth_unscoped": ("stranger-oauth-8", "amara", ()),
    "quota_used": ("stranger-quota-9", "cleo", ALL_SCOPES),
    "unentitled": ("stranger-entitlement-10", "dag", ALL_SCOPES),
}
BY_TOKEN = {text: (USERS[user], scopes) for text, user, scopes in TOKENS.values()}
# Words in a question that make its processing fail, so that a harness can ask for each failure.
TRIGGERS = {"internal": "please fail inside", "quota": "please exceed the quota",
            "entitlement": "please exceed the entitlement", "token_limit": "please exceed the token limit"}


# ---------------------------------------------------------------- time and JSON

def stamp(seconds):
    when = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    base = when.strftime("%Y-%m-%dT%H:%M:%S")
    if on("legacy-seconds"):
        return base + "Z"
    if on("legacy-nanoseconds"):
        return base + ".%06d000Z" % when.microsecond
    if on("legacy-plus-zero"):
        return base + ".%03d+00:00" % (when.microsecond // 1000)
    return base + ".%03dZ" % (when.microsecond // 1000)


def dressed(value, top=True):
    """Apply the freedoms that concern every object: member order and further members."""
    if isinstance(value, list):
        return [dressed(v, False) for v in value]
    if not isinstance(value, dict):
        return value
    # The state has a single key and the statistics hold integers only: nothing may be added there.
    items = [(k, v if k in ("state", "stats") else dressed(v, False)) for k, v in value.items()]
    if on("any-unknown-members") and items:
        items.insert(1, ("futureMember", {"since": [1, None, "x"]}))
    if on("any-member-order"):
        items.reverse()
    return dict(items)


def to_json(value):
    spaced = on("stream-spaced-json")
    return json.dumps(dressed(value), ensure_ascii=on("stream-ascii-json"),
                      separators=(" , ", " : ") if spaced else (",", ":"))


class Refusal(Exception):
    """An HTTP error answer."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status, self.message = status, message


# ---------------------------------------------------------------- conversations

class Question:
    def __init__(self, number, text, owner, now):
        self.number, self.text, self.start = number, text, now
        self.canceled_at = None
        self.shown = 0             # retrievals after the end, for states that go back
        self.seconds = 1.5 if on("legacy-slow-answers") else 0.05 if on("legacy-fast-answers") else 0.3
        lowered = text.lower()
        self.failure = next((k for k, words in TRIGGERS.items() if words in lowered), None)
        if len(text) > TEXT_LIMIT:
            self.failure = "token_limit"
        if not owner.entitled:
            self.failure = "entitlement"
        elif owner.used > owner.quota_limit:
            self.failure = "quota"

    def end(self):
        return self.canceled_at or self.start + self.seconds

    def phase(self, now, api):
        """processing, completed, failed or canceled, worked out from the clock."""
        if self.canceled_at:
            if on("c-cancel-forgotten") and api == "current" and now >= self.start + self.seconds:
                return "completed"
            return "canceled"
        if now < self.start + self.seconds:
            return "processing"
        if api == "legacy" and (on("l-never-completes") or on("l-failure-stays-processing") and self.failure):
            return "processing"
        if api == "current" and on("c-never-terminal"):
            return "processing"
        return "failed" if self.failure else "completed"


class Conversation:
    def __init__(self, number, owner, now, interface):
        self.number, self.owner, self.created, self.interface = number, owner, now, interface
        self.questions, self.deleted, self.starred, self.bumped = [], False, False, now
        secret = hashlib.sha256(b"read%d" % number).hexdigest()
        if on("l-read-token-shared"):
            secret = hashlib.sha256(owner.name.encode()).hexdigest()
        self.read_token = secret[:24]
        if on("legacy-long-token"):
            self.read_token = "v2." + "-".join(secret[i:i + 12] for i in range(0, 60, 12)) + "." + secret
        self.opaque = base64.urlsafe_b64encode(hashlib.md5(secret.encode()).digest()).decode().rstrip("=")

    def updated(self, now):
        moments = [self.bumped] + [q.end() for q in self.questions if q.end() <= now]
        if on("l-followup-no-bump"):
            first = self.questions[0]
            moments = [self.created] + ([first.end()] if first.end() <= now else [])
        return max(moments)


class Store:
    def __init__(self):
        self.lock = threading.RLock()
        self.items, self.characters = {}, 0
        self.next_id = (1 << 40) + 17 if on("legacy-big-ids") else 8
        self.next_question = 95
        self.base = ""
        if on("legacy-seeded"):
            for user in USERS.values():
                for index in range(4):
                    now = time.time() - 9000 + 100 * index
                    self.add(user, "Where is the error number %d handled?" % index, now, "legacy").starred = index == 1

    def question(self, conversation, text, now, interface):
        with self.lock:
            number, self.next_question = self.next_question, self.next_question + 1
            self.characters += len(text)
            while self.characters > CHARACTER_LIMIT and len(self.items) > 1:
                # Memory is capped by forgetting the oldest.
                self.forget_oldest()
        conversation.owner.used += 1
        question = Question(number, text, conversation.owner, now)
        if interface == "legacy" and on("l-followup-in-front") or interface == "current" and on("c-followup-in-front"):
            conversation.questions.insert(0, question)
        else:
            conversation.questions.append(question)
        conversation.bumped = now
        return question

    def forget_oldest(self):
        gone = self.items.pop(next(iter(self.items)))
        self.characters -= sum(len(q.text) for q in gone.questions)

    def add(self, owner, text, now, interface):
        with self.lock:
            number = self.next_id
            if on("l-ids-reused"):
                gone = [n for n, c in self.items.items() if c.deleted and c.owner is owner]
                number = gone[0] if gone else number
            if number == self.next_id:
                self.next_id += 7 if on("legacy-big-ids") else 1
            if len(self.items) >= CONVERSATION_LIMIT:
                self.forget_oldest()
            conversation = Conversation(number, owner, now, interface)
            self.question(conversation, text, now, interface)
            self.items[number] = conversation
            return conversation

    def all(self):
        with self.lock:
            return list(self.items.values())


STORE = None
GLOBAL = {"last": None, "polls": 0}


def stats_of(question, phase):
    names = ("time_millis", "tool_calls", "total_input_tokens", "cached_tokens", "cache_creation_input_tokens",
             "prompt_tokens", "completion_tokens", "total_tokens", "credits")
    if phase == "processing" and not on("l-stats-early") or phase != "processing" and on("l-stats-zero-late"):
        values = dict.fromkeys(names, 0)
    else:
        size = len(question.text)
        spent = round(1000 * (question.end() - question.start))
        values = dict(zip(names, (spent, 3, 900 + size, 400, 120, 500 + size, 210, 710 + size, 2)))
        if on("l-stats-float"):
            values["time_millis"] += 0.5
        if on("l-stats-negative"):
            values["cached_tokens"] = -1
    if on("l-stats-no-credits"):
        del values["credits"]
    return values


def sources_of(question):
    if on("legacy-no-sources"):
        return []
    sources = [{"type": "Repository", "link": "/forge.example/acme/ledger", "label": "forge.example/acme/ledger"},
               {"type": "Repository", "link": "/forge.example/acme/gateway", "label": "forge.example/acme/gateway"}]
    if on("legacy-source-kinds"):
        sources += [{"type": "File", "link": "/forge.example/acme/ledger/-/blob/src/ledger.py", "label": "src/ledger.py"},
                    {"type": "Commit", "link": "/forge.example/acme/ledger/-/commit/0a1b", "label": "0a1b"}]
    for source in sources:
        if on("l-source-link-absolute"):
            source["link"] = STORE.base + source["link"]
        if on("l-source-label-missing"):
            del source["label"]
        if on("l-source-type-number"):
            source["type"] = 1
    return sources


def answer_of(question):
    text = "The corpus handles this in `src/ledger.py`.\n\n- question: %s\n" % question.text[:200]
    if on("legacy-markdown-answer"):
        text += "\n| a | b |\n|---|---|\n| café | ☕ |\n\n```python\nraise ValueError(\"x\")\n```\n" + "More text. " * 300
    return text


FAILURES = {
    "internal": ("Something went wrong", "InternalError", "ERROR_INTERNAL"),
    "quota": ("Quota exceeded", "QuotaExceeded", "ERROR_QUOTA_EXCEEDED"),
    "entitlement": ("Entitlement exceeded", "EntitlementExceeded", "ERROR_ENTITLEMENT_EXCEEDED"),
    "token_limit": ("Token limit exceeded", "TokenLimitExceeded", "ERROR_TOKEN_LIMIT_EXCEEDED"),
}


def legacy_error(question, phase):
    if phase == "failed":
        title, kind, _ = FAILURES[question.failure]
        error = {"title": title, "kind": kind, "message": title + " while answering the question", "details": "none"}
        if on("l-token-limit-other-kind") and kind == "TokenLimitExceeded":
            error["kind"] = "ContextTooLong"
    else:
        error = {"title": "Canceled", "kind": "Canceled", "message": "The question was canceled", "details": ""}
    if on("l-error-kind-missing"):
        del error["kind"]
    if on("l-error-details-object"):
        error["details"] = {"text": "none"}
    if on("l-error-message-null"):
        error["message"] = None
    return error


def legacy_question(conversation, question, now, where):
    if where in ("create", "followup") and question is conversation.questions[-1]:
        now = question.start
    if where == "list" and on("l-list-status-stale"):
        now = question.start
    phase = question.phase(now, "legacy")
    if where == "get" and phase in ("completed", "failed"):
        question.shown += 1
        if on("l-status-flaps") and question.shown % 3 == 0:
            phase = "processing"
    is_followup = conversation.questions.index(question) > 0
    if on("l-followup-reopens") and phase == "completed" and question is not conversation.questions[-1] \
            and conversation.questions[-1].phase(now, "legacy") == "processing":
        phase = "processing"
    status = "processing" if phase == "processing" else "completed"
    if phase == "processing":
        elapsed = now - question.start
        if on("legacy-pending-midway") and 0.3 < elapsed / question.seconds < 0.6:
            status = "pending"
        if where == "create" and on("l-create-pending") or where == "followup" and on("l-followup-pending"):
            status = "pending"
    elif phase == "canceled" and on("legacy-cancel-as-pending"):
        status = "pending"
    elif phase == "failed" and on("l-failure-status-error"):
        status = "error"
    elif on("l-status-done"):
        status = "done"
    if on("l-status-upper"):
        status = status.upper()
    done = phase != "processing"
    out = {"id": question.number, "conversation_id": conversation.number, "question": question.text,
           "created_at": stamp(question.start),
           "updated_at": stamp(question.end() if done else question.start), "status": status}
    if on("l-question-id-string"):
        out["id"] = str(out["id"])
    if on("l-conversation-id-wrong") and is_followup:
        out["conversation_id"] = question.number
    if on("l-question-text-lowered"):
        out["question"] = question.text.lower()
    if on("l-question-times-missing"):
        del out["updated_at"]
    if on("m-legacy-state"):
        out["state"] = {out.pop("status"): {}}
    bare = phase == "failed" and on("legacy-failed-bare") or status == "pending"
    if done and not bare:
        good = phase == "completed"
        if not on("l-title-missing"):
            out["title"] = None if on("l-title-null") and is_followup else " ".join(question.text.split()[:6]) or "Question"
        if not (on("l-answer-missing") or on("l-answer-missing-in-list") and where == "list"):
            out["answer"] = answer_of(question) if good else ""
            if on("l-answer-object"):
                out["answer"] = {"markdown": out["answer"]}
        if not (on("l-sources-missing-followup") and is_followup):
            out["sources"] = None if on("l-sources-null") else sources_of(question) if good else []
    elif on("l-answer-early") and phase == "processing":
        out["answer"] = answer_of(question)[:12]
    missing_turns = on("l-turns-missing") or on("l-turns-missing-followup") and is_followup
    if not missing_turns and not (done and on("legacy-turns-dropped")):
        turns = [{"reasoning": question.text, "timestamp": int(question.start), "role": "user"}]
        if on("legacy-turns-grow"):
            for step in range(1, 3):
                if now - question.start >= step * question.seconds / 3:
                    turns.append({"reasoning": "step %d" % step, "timestamp": int(question.start), "role": "assistant"})
        if on("l-turn-time-millis"):
            turns[0]["timestamp"] = int(question.start * 1000)
        if on("l-turn-time-string"):
            turns[0]["timestamp"] = str(int(question.start))
        if on("l-turn-role-assistant"):
            turns[0]["role"] = "assistant"
        out["turns"] = turns
    if not (on("l-stats-missing-processing") and phase == "processing"):
        out["stats"] = stats_of(question, phase)
    if phase == "processing":
        out["suggested_followups"] = [] if on("l-followups-empty-early") else None
    elif phase == "completed":
        out["suggested_followups"] = ["Where is it tested?", "Who calls it?"]
        if on("legacy-no-sources"):
            out["suggested_followups"] = []
        if on("l-followups-null-late"):
            out["suggested_followups"] = None
        if on("l-followups-objects"):
            out["suggested_followups"] = [{"text": "Where is it tested?"}]
    else:
        out["suggested_followups"] = []
    if phase == "failed" and not on("l-failure-no-error") or phase == "canceled" and on("legacy-cancel-as-error") \
            or phase == "completed" and on("l-error-on-success"):
        out["error"] = legacy_error(question, phase)
    return out


def legacy_conversation(conversation, viewer, now, where):
    number = conversation.number
    if on("l-id-string") or on("l-id-string-in-list") and where == "list":
        number = str(number)
    questions = [legacy_question(conversation, q, now, where) for q in list(conversation.questions)]
    if on("l-questions-newest-first"):
        questions.reverse()
    out = {"id": number, "questions": questions, "created_at": stamp(conversation.created),
           "updated_at": stamp(conversation.updated(now)), "user_id": conversation.owner.number,
           "read_token": conversation.read_token,
           "share_url": "%s/deepsearch/%s" % (STORE.base, conversation.read_token)}
    if on("l-created-at-epoch"):
        out["created_at"] = int(conversation.created)
    if on("l-updated-at-offset"):
        moment = datetime.datetime.fromtimestamp(conversation.updated(now), datetime.timezone(datetime.timedelta(hours=2)))
        out["updated_at"] = moment.isoformat(timespec="milliseconds")
    if on("l-user-id-string"):
        out["user_id"] = str(out["user_id"])
    if on("l-user-id-reader"):
        out["user_id"] = viewer.number
    if on("l-read-token-null") and conversation.questions[0].phase(now, "legacy") == "processing":
        out["read_token"] = None
    if on("l-share-url-other-token"):
        out["share_url"] = "%s/deepsearch/%s" % (STORE.base, hashlib.md5(b"%d" % conversation.number).hexdigest())
    if on("l-share-url-missing"):
        del out["share_url"]
    if where == "create" and on("l-create-no-questions"):
        out["questions"] = []
    if where in ("get", "shared") or on("legacy-viewer-everywhere"):
        if not on("l-viewer-missing"):
            owner = conversation.owner is viewer or on("l-is-owner-always")
            out["viewer"] = {"is_owner": str(owner).lower() if on("l-is-owner-string") else owner}
        if not on("l-quota-missing"):
            midnight = (int(now) // 86400 + 1) * 86400
            limit = viewer.quota_limit
            if on("l-quota-limit-string"):
                limit = str(limit)
            if on("l-quota-limit-null"):
                limit = None
            out["quota_usage"] = {"total_quota": viewer.used, "quota_limit": limit,
                                  "reset_time": midnight if on("l-reset-time-epoch") else stamp(midnight)}
    return out


# ---------------------------------------------------------------- the new interface's objects

def user_part(owner):
    if on("current-self-names"):
        return "~self"
    return str(owner.number) if on("current-user-number") else owner.name


def conversation_name(conversation):
    ident = conversation.opaque if on("current-opaque-ids") else str(conversation.number)
    if on("c-name-no-user"):
        return "conversations/" + ident
    return "users/%s/conversations/%s" % (user_part(conversation.owner), ident)


def current_state(conversation, question, now, where):
    if where in ("create", "followup") and question is conversation.questions[-1]:
        now = question.start
        if where == "create" and on("c-create-terminal") or where == "followup" and on("c-followup-terminal"):
            return {"completed": {}}, "completed"
    phase = question.phase(now, "current")
    if where == "get" and phase != "processing":
        question.shown += 1
        if on("c-state-flaps") and question.shown % 3 == 0:
            phase = "processing"
    if on("c-followup-reopens") and question is not conversation.questions[-1] \
            and conversation.questions[-1].phase(now, "current") == "processing":
        phase = "processing"
    legacy_made = conversation.interface == "legacy"
    if phase == "failed" and (on("c-failure-completed") or on("m-failed-as-completed") and legacy_made):
        phase = "completed"
    key = {"failed": "error"}.get(phase, phase)
    inner = {}
    if phase == "canceled" and on("c-cancel-as-error"):
        key, inner = "error", {"code": "ERROR_INTERNAL", "message": "canceled", "retry_time": stamp(now)}
    if phase == "failed":
        title, kind, code = FAILURES[question.failure]
        if on("c-quota-internal") and question.failure == "quota" or \
                on("c-token-limit-internal") and question.failure == "token_limit":
            code = "ERROR_INTERNAL"
        if on("c-entitlement-quota") and question.failure == "entitlement":
            code = "ERROR_QUOTA_EXCEEDED"
        retry = question.end() + 60
        text = stamp(retry)
        if on("current-retry-offset"):
            zone = datetime.timezone(datetime.timedelta(hours=1))
            text = datetime.datetime.fromtimestamp(int(retry), zone).isoformat()
        inner = {"code": code, "message": title + " while answering the question", "retry_time": text}
        if on("c-error-code-number"):
            inner["code"] = 13
        if on("c-error-code-legacy"):
            inner["code"] = kind
        if on("c-error-no-retry"):
            del inner["retry_time"]
        if on("c-retry-time-null"):
            inner["retry_time"] = None
        if on("c-error-message-null"):
            inner["message"] = None
        if on("c-error-empty"):
            inner = {}
        if on("c-state-failed"):
            key = "failed"
    if key == "canceled" and on("c-state-cancelled"):
        key = "cancelled"
    if on("current-state-details") and phase != "failed":
        inner = {"since": stamp(question.start if phase == "processing" else question.end())}
    state = {key: inner}
    if on("c-state-upper"):
        state = {key.upper(): inner}
    if on("c-state-string"):
        state = key
    if on("c-state-two-keys") and key != "processing":
        state = {"processing": {}, key: inner}
    if on("c-state-all-keys"):
        state = {k: inner if k == key else None for k in ("processing", "completed", "error", "canceled")}
    return state, phase


def current_question(conversation, question, now, where):
    state, phase = current_state(conversation, question, now, where)
    out = {"name": "%s/questions/%d" % (conversation_name(conversation), question.number),
           "input": [{"question": {"text": question.text}}], "state": state,
           "create_time": stamp(question.start)}
    if on("c-status-kept"):
        out["status"] = phase
        del out["state"]
    if phase == "completed" and not on("c-answer-missing"):
        answer = answer_of(question)
        if on("c-answer-object"):
            answer = {"markdown": answer}
        out["answer_markdown" if on("c-answer-renamed") else "answer"] = answer
        out["sources"] = sources_of(question)
    return out


def current_conversation(conversation, now, where):
    questions = [current_question(conversation, q, now, where) for q in list(conversation.questions)]
    name = conversation_name(conversation)
    if on("c-name-number"):
        name = conversation.number
    if on("m-name-is-number") and conversation.interface == "legacy":
        name = str(conversation.number)
    if on("c-name-in-list-differs") and where == "list":
        name = "conversations/%d" % conversation.number
    out = {"name": name, "title": " ".join(conversation.questions[0].text.split()[:6])}
    if on("c-id-kept"):
        out = {"id": conversation.number, "title": out["title"]}
    last = questions[-1]
    if not on("current-state-on-question"):
        # Polling looks at the conversation, so it carries the state of its last question.
        for key in ("state", "status"):
            if key in last:
                out[key] = last[key]
    out["create_time"], out["update_time"] = stamp(conversation.created), stamp(conversation.updated(now))
    if where == "list":
        return {k: out[k] for k in out if k in ("name", "id")} if on("current-list-bare") else out
    out["questions"] = questions
    return out


# ---------------------------------------------------------------- OpenAPI schema and its page

OPERATIONS = ("CreateConversation", "GetConversation", "ListConversationSummaries", "AddConversationQuestion",
              "CancelConversation", "DeleteConversation")


def schema_object():
    text, ref = {"type": "string"}, lambda n: {"$ref": "#/components/schemas/" + n}
    named = {"type": "object", "properties": {"name": text}, "required": ["name"]}
    requests = {
        "CreateConversation": {"type": "object", "properties": {"parent": text, "conversation": ref("Conversation")}},
        "ListConversationSummaries": {"type": "object", "properties": {
            "parent": text, "page_size": {"type": "integer"}, "page_token": text}},
        "AddConversationQuestion": {"type": "object", "properties": {"parent": text, "question": ref("Question")}},
    }
    answers = {"ListConversationSummaries": {"type": "object", "properties": {
        "conversation_summaries": {"type": "array", "items": ref("Conversation")}, "next_page_token": text}},
        "DeleteConversation": {"type": "object"}, "CancelConversation": {"type": "object"}}
    paths = {}
    for name in OPERATIONS:
        if name == "CancelConversation" and on("m-schema-missing-operation"):
            continue
        path = ("/deepsearch/v1/" if on("m-schema-other-path") else SERVICE) + name
        method = "get" if name == "GetConversation" and on("m-schema-get") else "post"
        as_json = lambda schema: {"application/json": {"schema": schema}}
        paths[path] = {method: {
            "operationId": name,
            "requestBody": {"required": True, "content": as_json(requests.get(name, named))},
            "responses": {"200": {"description": "done", "content": as_json(answers.get(name, ref("Conversation")))}}}}
    state = {"type": "object", "minProperties": 1, "maxProperties": 1, "properties": {
        "processing": {"type": "object"}, "completed": {"type": "object"}, "canceled": {"type": "object"},
        "error": {"type": "object", "properties": {"code": text, "message": text, "retry_time": text}}}}
    question = {"type": "object", "properties": {
        "name": text, "answer": text, "state": ref("State"), "input": {"type": "array", "items": {
            "type": "object", "properties": {"question": {"type": "object", "properties": {"text": text}}}}}}}
    conversation = {"type": "object", "properties": {
        "name": text, "title": text, "state": ref("State"), "create_time": text, "update_time": text,
        "questions": {"type": "array", "items": ref("Question")}}}
    schema = {"openapi": "3.0.3", "info": {"title": "deepsearch.v1", "version": "1"}, "paths": paths,
              "components": {"schemas": {"State": state, "Question": question, "Conversation": conversation}}}
    if on("m-schema-not-openapi"):
        del schema["openapi"], schema["paths"]
    return schema


def as_yaml(value, indent=0):
    """Block style with quoted scalars; enough for the schema."""
    pad, lines = "  " * indent, []
    for key, item in value.items():
        if isinstance(item, dict) and item:
            lines += [pad + json.dumps(key) + ":", as_yaml(item, indent + 1)]
        else:
            lines.append(pad + json.dumps(key) + ": " + json.dumps(item))
    return "\n".join(lines)


# ---------------------------------------------------------------- search results in the document's form

def fetched_at(repo):
    seconds = 1700000000 + repo.number * 3600
    when = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    if on("s-last-fetched-epoch"):
        return seconds
    if on("s-last-fetched-rfc822"):
        return email.utils.format_datetime(when)
    return when.isoformat(timespec="microseconds") if on("stream-timestamp-offset") else when.strftime("%Y-%m-%dT%H:%M:%SZ")


def hash_of(repo, oid):
    if on("s-commit-number"):
        return repo.number
    return hashlib.sha256(oid.encode()).hexdigest() if on("stream-long-hash") else oid


def width(text):
    return len(text.encode()) if on("stream-byte-offsets") else len(text)


def pairs_of(line, hits):
    out = []
    for start, length in hits:
        pair = [width(line[:start]), width(line[start:start + length])]
        if on("s-offsets-end"):
            pair[1] += pair[0]
        if on("s-offsets-shifted"):
            pair[0] += 1
        if on("s-offsets-triples"):
            pair.append(0)
        out.append(pair)
    if on("s-offsets-flat"):
        return [n for pair in out for n in pair]
    return out


def path_ranges(found):
    if on("s-path-matches-null"):
        return None
    out = []
    for start, length in found.path_ranges:
        ends = [{"offset": p, "line": 0, "column": p} for p in (start, start + length)]
        if on("s-path-match-no-column"):
            for end in ends:
                del end["column"]
        out.append([start, start + length] if on("s-path-match-pairs") else {"start": ends[0], "end": ends[1]})
    return out


def cut_line(line, limit, index):
    if limit == -1:
        if on("s-maxlen-default-forty"):
            return line[:40]
        return line
    if on("s-maxlen-ignored") or on("s-maxlen-first-line-only") and index:
        return line
    return line[:limit + (1 if on("s-maxlen-plus-one") else 0)]


def chunks_of(found, ask):
    file, around = found.file, ask["cl"]
    spans = []
    for number, hits in found.lines:
        first = number if on("s-cl-after-only") else max(0, number - around)
        last = min(len(file.lines) - 1, number + around)
        if spans and on("stream-merged-chunks") and first <= spans[-1][1] + 1:
            spans[-1][1] = last
            spans[-1][2].append((number, hits))
        else:
            spans.append([first, last, [(number, hits)]])
    base, out = (1 if on("stream-one-based-lines") else 0), []
    starts = [0]
    for line in file.lines:
        starts.append(starts[-1] + width(line) + 1)
    for first, last, lines in spans:
        text = "\n".join(cut_line(l, ask["maxlen"], i) for i, l in enumerate(file.lines[first:last + 1]))
        if on("s-maxlen-minus-one-empty") and ask["maxlen_given"] and ask["maxlen"] == -1:
            text = ""
        ranges = []
        for number, hits in lines:
            line = file.lines[number]
            for start, length in hits:
                columns = (width(line[:start]), width(line[:start + length]))
                ranges.append(dict(zip(("start", "end"), (
                    {"offset": starts[number] + c, "line": number + base, "column": c} for c in columns))))
        chunk = {"context": text, "contextStart": {"offset": starts[first], "line": first + base, "column": 0},
                 "ranges": ranges}
        if on("s-context-null"):
            chunk["context"] = None
        if on("s-context-missing") or on("s-context-first-chunk-only") and out:
            del chunk["context"]
        out.append(chunk)
    return out


def render(found, ask):
    repo, file = found.repo, found.file
    out = {"type": found.kind}
    if found.kind in ("content", "path", "symbol"):
        out.update({"path": file.path, "pathMatches": path_ranges(found)})
    out.update({"repositoryID": str(repo.number) if on("s-repository-id-string") else repo.number,
                "repository": None if on("s-repository-null") else repo.name, "repoStars": repo.stars,
                "repoLastFetched": fetched_at(repo)})
    if on("s-repo-stars-float"):
        out["repoStars"] = repo.stars + 0.5
    if on("s-repo-stars-null") and not repo.stars:
        out["repoStars"] = None
    if found.kind in ("content", "path", "symbol", "repo"):
        out["branches"] = [] if on("stream-empty-strings") else ["main"]
        if on("s-branches-string"):
            out["branches"] = "main"
        if on("s-branches-null"):
            out["branches"] = None
    if file:
        out.update({"commit": hash_of(repo, repo.head), "hunks": [{"lineStart": 0}] if on("stream-hunks-array") else None,
                    "language": None if on("s-language-null") else "" if on("stream-empty-strings") else file.language})
        if on("s-hunks-string"):
            out["hunks"] = ""
    if found.kind == "content":
        base = 1 if on("stream-one-based-lines") else 0
        numbers = dict(found.lines)
        shown = sorted(numbers)
        if on("s-cl-without-cm") and not ask["cm"] and ask["cl_given"]:
            shown = sorted({n + d for n in numbers for d in range(-ask["cl"], ask["cl"] + 1)
                            if 0 <= n + d < len(file.lines)})
        lines = []
        for number in shown:
            line = file.lines[number]
            entry = {"line": line, "lineNumber": number + base, "offsetAndLengths": pairs_of(line, numbers.get(number, []))}
            if on("s-maxlen-touches-line-matches") and ask["maxlen"] >= 0:
                entry["line"] = line[:ask["maxlen"]]
            if on("s-line-null"):
                entry["line"] = None
            if on("s-line-number-string"):
                entry["lineNumber"] = str(number + base)
            lines.append(entry)
        if not (on("s-lines-missing") and not ask["cm"]) and not (ask["cm"] and on("stream-chunks-only")):
            out["lineMatches"] = lines
        if ask["cm"]:
            out["chunks" if on("stream-chunk-other-key") else "chunkMatches"] = chunks_of(found, ask)
        if on("s-match-type-upper"):
            out["type"] = "CONTENT"
        if on("s-path-missing"):
            del out["path"]
    elif found.kind == "symbol":
        out["symbols"] = [{"name": n, "kind": "FUNCTION", "line": line, "containerName": ""} for n, line in found.symbols]
    elif found.kind in ("commit", "diff"):
        out.update({"oid": hash_of(repo, found.commit["oid"]), "message": found.commit["message"],
                    "authorName": found.commit["author"], "authorDate": fetched_at(repo),
                    "content": found.commit["diff"] if found.kind == "diff" else found.commit["message"],
                    "ranges": []})
    for kind, fault, odd in (("diff", "s-match-type-diff-odd", "difference"),
                             ("symbol", "s-match-type-symbol-odd", "function"),
                             ("path", "s-match-type-path-file", "file"), ("repo", "s-match-type-repo-odd", "repository")):
        if found.kind == kind and on(fault):
            out["type"] = odd
    if on("s-match-type-missing"):
        del out["type"]
    if on("s-nan-in-data"):
        out["repoStars"] = math.nan
    return out


def filters_for(found, left_out, exhaustive):
    tally = {}
    for item in found:
        keys = [("repo", item.repo.name)]
        if item.file:
            keys.append(("lang", item.file.language))
        if item.kind == "path" or item.kind == "content" and item.path_ranges:
            keys.append(("type", "path"))
        if item.kind == "symbol":
            keys.append(("type", "symbol"))
        if item.file and on("stream-new-filter-kind"):
            keys.append(("file", item.file.path.rsplit(".", 1)[1]))
        for key in keys:
            tally[key] = tally.get(key, 0) + weight(item)
    out = []
    for (kind, name), count in tally.items():
        value = {"repo": "repo:^%s$" % re.escape(name), "lang": "lang:" + name.lower(), "type": "type:" + name,
                 "file": r"file:\.%s$" % name}[kind]
        if kind == "repo" and on("s-filter-count-double"):
            count *= 2
        label = {"type": {"path": "File paths", "symbol": "Symbols"}.get(name)}.get(kind) or name
        if on("s-filter-value-bare"):
            value = name
        if on("s-filter-value-wrong") and kind == "lang":
            value = "lang:go" if name != "Go" else "lang:python"
        out.append({"value": value, "label": None if on("s-filter-label-null") and kind == "lang" else label,
                    "count": count, "exhaustive": exhaustive, "kind": kind})
    if left_out:
        out.append({"value": "archived:yes", "label": "Include archived repositories", "count": total(left_out),
                    "exhaustive": exhaustive, "kind": "utility"})
    for entry in out:
        if on("s-filter-count-string"):
            entry["count"] = str(entry["count"])
        if on("s-filter-exhaustive-string"):
            entry["exhaustive"] = str(entry["exhaustive"]).lower()
        if on("s-filter-kind-number"):
            entry["kind"] = 2
    return out


def weight(found):
    """What a match counts for display and count: one result object, unless lines are counted."""
    return len(found.lines) if on("stream-count-lines") and found.kind == "content" else 1


def limited(items, limit):
    """The first matches up to the limit; a content match may be cut when lines are counted."""
    out = []
    for item in items:
        if limit <= 0:
            break
        if weight(item) > limit:
            item = engine.Found(item.kind, item.repo, item.file, item.path_ranges, item.lines[:limit])
        out.append(item)
        limit -= weight(item)
    return out


def total(items):
    return sum(weight(i) for i in items)


# ---------------------------------------------------------------- HTTP

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "stranger/1", ""
    timeout = 30

    def log_message(self, *args):
        pass

    def send_header(self, keyword, value):
        super().send_header(keyword.lower() if on("any-lower-headers") else keyword, value)

    def do_GET(self):
        self.serve("GET")

    def do_POST(self):
        self.serve("POST")

    def do_DELETE(self):
        self.serve("DELETE")

    def do_PUT(self):
        self.serve("PUT")

    do_PATCH = do_HEAD = do_OPTIONS = do_PUT

    def serve(self, method):
        url = urllib.parse.urlsplit(self.path)
        path, self.api = urllib.parse.unquote(url.path), "legacy"
        try:
            self.read_body()
            try:
                query = urllib.parse.parse_qs(url.query, keep_blank_values=True, max_num_fields=100)
            except ValueError:
                raise Refusal(400, "the query string has too many fields")
            self.query = {k: v[-1] for k, v in query.items()}
            self.route(method, path.rstrip("/") or "/")
        except Refusal as refusal:
            self.refuse(refusal)
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            self.close_connection = True
        except Exception as problem:  # a peer must not end or print a trace on odd input
            print("stranger: %s: %s" % (type(problem).__name__, problem), file=sys.stderr)
            self.close_connection = True
            try:
                self.reply(500, {"error": "the server failed"})
            except OSError:
                pass

    def read_body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            parts, size = [], 0
            while True:
                line = self.rfile.readline(100).split(b";")[0].strip()
                if not re.fullmatch(rb"[0-9a-fA-F]{1,8}", line):
                    self.close_connection = True
                    raise Refusal(400, "the chunked body is not well formed")
                length = int(line, 16)
                size += length
                if size > BODY_LIMIT:
                    self.close_connection = True
                    raise Refusal(400, "the body is too large")
                parts.append(self.rfile.read(length))
                while self.rfile.readline(1000).strip() and not length:
                    pass
                if not length:
                    break
            self.body = b"".join(parts)
            return
        length = self.headers.get("Content-Length", "0").strip()
        if not (length.isascii() and length.isdigit()) or int(length) > BODY_LIMIT:
            self.close_connection = True
            raise Refusal(400, "the body length is missing, odd or too large")
        self.body = self.rfile.read(int(length))

    def json_body(self):
        try:
            body = json.loads(self.body.decode("utf-8"))
        except (ValueError, RecursionError):
            if on("l-bad-json-500") and self.api == "legacy":
                raise Refusal(500, "internal server error")
            raise Refusal(400, "the body is not JSON")
        if not isinstance(body, dict):
            raise Refusal(400, "the body is not a JSON object")
        return body

    def reply(self, status, value=None, kind="application/json", text=None, headers=()):
        if text is None:
            text = "" if value is None else to_json(value)
        if self.api == "legacy" and on("l-content-type-text") and kind == "application/json":
            kind = "text/plain; charset=utf-8"
        payload = text.encode("utf-8", "replace")
        self.send_response(status)
        if payload:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(payload)))
        for name, content in headers:
            self.send_header(name, content)
        if self.api == "legacy" and on("migration-deprecation-headers"):
            self.send_header("Deprecation", "true")
            self.send_header("Link", '</api-reference>; rel="successor-version"')
        if on("any-connection-close") or self.close_connection:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(payload)
        self.wfile.flush()

    def refuse(self, refusal):
        status, message = refusal.status, refusal.message
        if self.api == "current":
            if on("current-error-empty"):
                return self.reply(status)
            if on("current-error-google"):
                return self.reply(status, {"error": {"code": status, "status": "FAILED", "message": message}})
            codes = {400: "invalid_argument", 401: "unauthenticated", 403: "permission_denied", 404: "not_found",
                     409: "failed_precondition"}
            return self.reply(status, {"code": codes.get(status, "unknown"), "message": message})
        if self.api == "legacy":
            if on("l-error-no-message"):
                return self.reply(status)
            if on("legacy-error-text"):
                return self.reply(status, text=message + "\n", kind="text/plain; charset=utf-8")
            if on("legacy-error-nested"):
                return self.reply(status, {"errors": [{"status": status, "detail": message}]})
        elif status == 401 and on("stream-refusal-401"):
            return self.reply(status, text=message + "\n", kind="text/plain")
        self.reply(status, {"error": message})

    def route(self, method, path):
        if path == STREAM:
            self.api = "stream"
            if method != "GET":
                raise Refusal(405, "use GET")
            return self.stream()
        if path == LEGACY or path.startswith(LEGACY + "/"):
            return self.legacy(method, path[len(LEGACY):])
        if path.startswith(SERVICE):
            self.api = "current"
            return self.current(method, path[len(SERVICE):])
        self.api = "page"
        if path == "/api-reference" or path.startswith("/api-reference/"):
            return self.reference(method, path)
        shared = re.fullmatch(r"/deepsearch/([\w.-]+)", path)
        if shared and method == "GET" and OPTIONS["sharing"]:
            for conversation in STORE.all():
                if conversation.read_token == shared.group(1) and not conversation.deleted:
                    return self.reply(200, text="<!doctype html><title>Shared conversation</title>", kind="text/html")
        raise Refusal(404, "there is nothing at this path")

    def credential(self):
        scheme, _, token = self.headers.get("Authorization", "").strip().partition(" ")
        return scheme.lower(), token.strip()

    # ------------------------------------------------------------ reference

    def reference(self, method, path):
        if method not in ("GET", "HEAD"):
            raise Refusal(405, "use GET")
        if on("m-reference-missing"):
            raise Refusal(404, "there is nothing at this path")
        text = json.dumps(schema_object(), indent=1)
        if on("m-schema-broken"):
            text = text[:len(text) // 2]
        if on("migration-schema-yaml") and path != "/api-reference":
            return self.reply(200, text=as_yaml(schema_object()) + "\n", kind="application/yaml")
        accept = self.headers.get("Accept", "")
        wants_json = "application/json" in accept and "text/html" not in accept
        no_schema = on("m-reference-no-schema")
        if path in ("/api-reference/openapi.json", "/api-reference/openapi.yaml"):
            if no_schema or on("m-schema-dead-link") or path.endswith("yaml"):
                raise Refusal(404, "there is nothing at this path")
            return self.reply(200, text=text)
        if path not in ("/api-reference", "/api-reference/index.html"):
            raise Refusal(404, "there is nothing at this path")
        if path == "/api-reference" and (on("migration-schema-direct") or wants_json and not (
                no_schema or on("m-schema-dead-link") or on("migration-schema-yaml"))):
            return self.reply(200, text=text)
        if path == "/api-reference" and on("migration-reference-redirect"):
            return self.reply(302, text="moved", kind="text/plain", headers=[("Location", "/api-reference/index.html")])
        name = "openapi.yaml" if on("migration-schema-yaml") else "openapi.json"
        link = "" if no_schema else '<p><a href="/api-reference/%s" download>OpenAPI schema</a></p>' % name
        forms = "".join('<form method="post" action="%s%s"><button>%s</button></form>' % (SERVICE, o, o)
                        for o in OPERATIONS)
        self.reply(200, text="<!doctype html><html><head><title>API reference</title></head><body><h1>API reference</h1>"
                             "%s%s</body></html>" % (link, forms), kind="text/html; charset=utf-8")

    # ------------------------------------------------------------ stream

    def stream_access(self):
        scheme, token = self.credential()
        if not token:
            if on("stream-public"):
                return
            raise Refusal(400 if on("stream-refusal-400") else 401, "a token is needed")
        if scheme not in ("token", "bearer") or scheme == "bearer" and on("s-bearer-refused") \
                or scheme == "token" and on("s-token-refused") or token not in BY_TOKEN:
            raise Refusal(401, "the token is not known")
        if on("s-scope-unchecked") and scheme == "token" or on("s-oauth-scope-unchecked") and scheme == "bearer":
            return
        if "user:all" not in BY_TOKEN[token][1]:
            raise Refusal(401 if on("stream-refusal-401") else 403, "the token lacks the scope user:all")

    def stream_numbers(self):
        """Parameters of the request; raises QueryProblem on a value that is none of the allowed ones."""
        def number(name, default, least):
            text = self.query.get(name, "")
            if text == "":
                return default
            if not re.fullmatch(r"-?[0-9]{1,9}", text) or int(text) < least:
                raise engine.QueryProblem("%s needs a whole number of at least %d" % (name, least))
            return int(text)
        cm_text = self.query.get("cm", "").lower()
        if cm_text not in ("", "true", "false", "1", "0"):
            raise engine.QueryProblem("cm needs true or false")
        cl_default = 0 if on("s-cl-default-zero") else 3 if on("s-cl-default-three") else 1
        ask = {"maxlen": number("max-line-len", -1, -1), "display": number("display", -1, -1),
               "cl": number("cl", cl_default, 0), "cl_given": self.query.get("cl", "") != "",
               "maxlen_given": "max-line-len" in self.query, "cm": cm_text in ("true", "1")}
        if on("s-cm-default-true") and cm_text == "" or on("s-cm-false-as-true") and cm_text == "false":
            ask["cm"] = True
        if on("s-cm-ignored"):
            ask["cm"] = False
        if on("s-cl-ignored"):
            ask["cl"] = 1
        if on("s-cl-doubled"):
            ask["cl"] *= 2
        if on("s-display-ignored"):
            ask["display"] = -1
        if on("s-display-default-three") and "display" not in self.query:
            ask["display"] = 3
        if on("s-display-minus-one-empty") and self.query.get("display") == "-1":
            ask["display"] = 0
        if on("s-display-plus-one") and ask["display"] >= 0:
            ask["display"] += 1
        return ask

    def stream_plan(self):
        t = self.query.get("t") or ("regexp" if on("s-t-default-regexp") else "standard")
        v = self.query.get("v") or ("V1" if on("s-v-default-old") else "V3")
        if v.upper() not in ("V1", "V2", "V3") or v == "V3" and on("s-v3-refused"):
            raise engine.QueryProblem("the version %r of the query syntax is not known" % v)
        if t == "regexp" and on("s-t-regexp-refused"):
            raise engine.QueryProblem("the pattern type regexp is not known")
        if on("s-t-ignored") or t == "keyword" and on("s-t-keyword-as-standard"):
            t = "standard"
        plan = engine.parse(self.query.get("q", ""), t, filters_known=not (on("s-v-default-old") and "v" not in self.query),
                            type_parameter_wins=on("s-t-beats-patterntype") and "t" in self.query,
                            any_word=on("stream-keyword-or") and t == "keyword")
        if on("stream-content-only") and not plan.types and plan.regexes:
            plan.types = ["content"]
        return plan

    def stream(self):
        self.stream_access()
        problem, ask, plan = None, None, None
        if "q" not in self.query:
            if on("s-q-optional"):
                plan = engine.parse("repo:^none$", "standard")
            elif not on("stream-bad-parameter-alert"):
                raise Refusal(400, "the parameter q is missing")
            else:
                problem = "the parameter q is missing"
        try:
            ask = self.stream_numbers()
        except engine.QueryProblem as bad:
            if not on("stream-bad-parameter-alert"):
                raise Refusal(400, str(bad))
            problem = problem or str(bad)
        try:
            plan = plan or self.stream_plan()
        except engine.QueryProblem as bad:
            problem = problem or str(bad)
            if on("s-alert-as-http"):
                raise Refusal(400, problem)
        writer = StreamWriter(self)
        writer.open()
        if problem:
            self.problem_stream(writer, problem)
        else:
            self.search_stream(writer, plan, ask)
        writer.close()

    def alert(self, writer, title, level):
        data = {"title": title, "description": title, "level": level}
        if on("s-alert-level-odd"):
            data["level"] = "fatal"
        if on("s-alert-level-missing"):
            del data["level"]
        writer.event("alert", [data] if on("s-alert-array") else data)

    def problem_stream(self, writer, problem):
        if not on("s-alert-swallowed"):
            self.alert(writer, problem, "error")
        self.progress(writer, time.time(), [], [], [], True)
        if not on("s-alert-not-done"):
            self.done(writer)

    def done(self, writer):
        if on("s-done-missing"):
            return
        data = None if on("s-done-null") else {"finished": True} if on("s-done-with-members") else {}
        for _ in range(2 if on("s-done-twice") else 1):
            writer.event("done", data, last=True)

    def progress(self, writer, start, found, skipped, searched, final, shown=None, odd_done=None):
        data = {"done": final if odd_done is None else odd_done,
                "matchCount": total(found), "durationMs": int(1000 * (time.time() - start)),
                "skipped": skipped, "trace": "%s/-/trace/%x" % (STORE.base, int(start))}
        if final and not on("s-repos-count-missing") or on("stream-repos-count-always"):
            count = len(searched) if on("s-repos-count-all") else len({f.repo.number for f in found})
            data["repositoriesCount"] = str(count) if on("s-repos-count-string") else count
        if on("s-progress-done-string"):
            data["done"] = str(data["done"]).lower()
        if on("s-progress-never-done"):
            data["done"] = False
        if on("s-match-count-string"):
            data["matchCount"] = str(data["matchCount"])
        if on("s-match-count-zero"):
            data["matchCount"] = 0
        if on("s-match-count-display") and shown is not None:
            data["matchCount"] = shown
        if on("s-duration-seconds"):
            data["durationMs"] = round(time.time() - start + 0.0007, 4)
        if on("s-duration-null") and not final:
            data["durationMs"] = None
        if on("s-skipped-null"):
            data["skipped"] = None
        if on("s-skipped-object"):
            data["skipped"] = {s["reason"]: s for s in skipped}
        if on("s-trace-number"):
            data["trace"] = int(start)
        if on("s-trace-not-url"):
            data["trace"] = "%x" % int(start)
        writer.event("progress", data)

    def skipped(self, hit, left_out, cut_by_count, cut_by_display):
        out = []

        def add(reason, title, message, suggestion, severity="info"):
            entry = {"reason": reason, "title": title, "message": message, "severity": severity,
                     "suggested": {"title": "change the query", "queryExpression": suggestion}}
            if on("s-skipped-no-message"):
                del entry["message"]
            if on("s-skipped-severity-number"):
                entry["severity"] = 1
            if on("s-skipped-suggested-string"):
                entry["suggested"] = suggestion
            if on("s-skipped-suggested-short"):
                del entry["suggested"]["queryExpression"]
            out.append(entry)
        if left_out and not on("stream-no-archive-note"):
            add("excluded-archive", "Archived repositories left out", "Results in archived repositories are not shown.",
                "archived:yes")
        if hit and not on("s-limit-silent") or cut_by_count and not on("s-count-cut-silent"):
            reason = "too-many" if on("s-limit-other-reason") else "shard-match-limit"
            add(reason, "A match limit was reached", "There may be more results.",
                "count:10" if on("s-limit-no-suggestion") else "count:1000")
        if cut_by_display:
            add("display", "Not all results are shown", "More results were found than display allows.", "count:1000")
        if on("stream-other-skip"):
            add("shard-timeout", "A part was too slow", "One part gave no answer.", "timeout:1m", "warn")
        return out

    def search_stream(self, writer, plan, ask):
        start = time.time()
        if on("stream-info-alert"):
            self.alert(writer, "The corpus is small", "info")
        found, hit, left_out, searched = engine.search(plan, cap_all=on("s-exhaustive-capped"))
        if on("stream-reverse-order"):
            found.reverse()
        cut_by_count, returned_cap = False, None
        if isinstance(plan.count, int):
            limit = plan.count + (1 if on("s-count-plus-one") else 0)
            if on("s-count-keeps-searching"):
                returned_cap, cut_by_count = limit, total(found) > limit
            elif not on("s-count-ignored"):
                cut_by_count = total(found) > limit
                if on("s-count-first-batch-only"):
                    found = limited(found[:2], limit) + found[2:]
                else:
                    found = limited(found, limit)
        display = ask["display"]
        if on("s-display-stops-search") and display >= 0:
            found = limited(found, display)
        cap = display if display >= 0 else None
        if returned_cap is not None:
            cap = returned_cap if cap is None else min(cap, returned_cap)
        size = len(found) or 1 if on("stream-first-batch-big") else max(1, -(-len(found) // 5))
        batches = [found[i:i + size] for i in range(0, len(found), size)] or [[]]
        pause = 0.4 if on("stream-slow") else 0 if on("stream-instant") else 0.04
        seen, shown, held = [], 0, []
        interim = not on("stream-few-progress")
        if interim:
            self.progress(writer, start, [], [], searched, False, shown=0)
        if on("stream-filters-before-matches"):
            self.filters(writer, found, left_out, False)
        if on("stream-empty-matches"):
            writer.event("matches", [])
        last_batch = len(batches) - 1
        for index, batch in enumerate(batches):
            time.sleep(pause)
            seen += batch
            room = batch if cap is None else limited(batch, cap if on("s-display-per-event") else cap - shown)
            if on("s-matches-after-final") and index == last_batch or on("s-matches-held"):
                held += room
            elif room:
                self.matches(writer, room, ask)
            shown += total(room)
            if not on("stream-filters-at-end") and index % 2 == 0 and index < last_batch:
                self.filters(writer, seen, left_out, False)
            if interim:
                for _ in range(3 if on("stream-many-progress") else 1):
                    early = True if on("s-progress-done-early") and index == 0 else None
                    self.progress(writer, start, seen, [], searched, False, shown=shown, odd_done=early)
        if held and on("s-matches-held"):
            self.matches(writer, held, ask)
        self.filters(writer, found, left_out, not hit and not cut_by_count)
        cut_by_display = display >= 0 and total(found) > shown and not cut_by_count
        if not on("s-no-final-progress"):
            self.progress(writer, start, found, self.skipped(hit, left_out, cut_by_count, cut_by_display), searched, True,
                          shown=shown)
        if held and on("s-matches-after-final"):
            self.matches(writer, held, ask)
        self.done(writer)
        if on("s-done-not-last"):
            self.progress(writer, start, found, [], searched, True)

    def matches(self, writer, batch, ask):
        rendered = [render(f, ask) for f in batch]
        name = "match" if on("s-event-name-match") else "matches"
        if on("stream-one-per-event"):
            for one in rendered:
                writer.event(name, [one])
        elif rendered:
            writer.event(name, rendered)

    def filters(self, writer, found, left_out, exhaustive):
        if on("stream-no-filters"):
            return
        data = filters_for(found, left_out, exhaustive)
        if on("s-filters-object"):
            data = {"filters": data}
        if on("s-filters-null") and not writer.filters_sent:
            data = None
        writer.filters_sent = True
        writer.event("filters", data)

    # ------------------------------------------------------------ legacy interface

    def legacy(self, method, rest):
        listing, creating = rest == "" and method == "GET", rest == "" and method == "POST"
        one = re.fullmatch(r"/([^/]+)", rest)
        user = self.legacy_access(listing, creating, bool(one) and method == "GET")
        if listing:
            return self.legacy_list(user)
        if creating:
            return self.legacy_create(user)
        if one and method in ("GET", "DELETE"):
            number = self.path_number(one.group(1))
            return self.legacy_get(user, number) if method == "GET" else self.legacy_delete(user, number)
        found = re.fullmatch(r"/([^/]+)/questions", rest)
        if found and method == "POST":
            return self.legacy_followup(user, self.path_number(found.group(1)))
        found = re.fullmatch(r"/([^/]+)/questions/([^/]+)/cancel", rest)
        if found and method == "POST":
            return self.legacy_cancel(user, self.path_number(found.group(1)), self.path_number(found.group(2)))
        raise Refusal(404, "there is no such operation")

    def path_number(self, text):
        if not re.fullmatch(r"[0-9]{1,18}", text):
            raise Refusal(400, "an id in the path is not an integer")
        return int(text)

    def legacy_access(self, listing, creating, getting):
        scheme, token = self.credential()
        wanted = "bearer" if on("l-bearer-only") else "token"
        user = None
        if scheme == wanted and token in BY_TOKEN:
            user, scopes = BY_TOKEN[token]
            if on("l-token-needs-scope") and not scopes:
                user = None
        elif token and creating and on("l-bad-token-create") or \
                not token and (listing and on("l-no-token-list") or getting and on("l-no-token-get")):
            user = USERS["amara"]
        if user is None:
            raise Refusal(403 if on("l-unauthorized-403") and not token else 401, "a valid access token is needed")
        client = self.headers.get("X-Requested-With", "").strip()
        malformed = on("legacy-header-strict") and client and not re.fullmatch(r"\S+.* \S+", client)
        if on("l-client-header-version-refused") and "." in client:
            malformed = True
        if not on("l-client-header-unchecked") and (not client or malformed):
            raise Refusal(401 if on("legacy-header-401") else 400, "X-Requested-With must name the client and its version")
        return user

    def legacy_find(self, user, number, others_fault="", gone_fault=""):
        conversation = STORE.items.get(number)
        hidden = on("migration-separate-stores") and conversation and conversation.interface != "legacy"
        if conversation is None or hidden or conversation.deleted and not (gone_fault and on(gone_fault)):
            if on("l-not-found-500"):
                raise Refusal(500, "internal server error")
            if on("l-not-found-400"):
                raise Refusal(400, "no such conversation")
            raise Refusal(404, "no such conversation")
        if conversation.owner is not user and not (others_fault and on(others_fault)):
            raise Refusal(401 if on("legacy-others-401") else 404, "no such conversation")
        return conversation

    def question_text(self, body, fault):
        text = body.get("question")
        if text is None and on(fault):
            text = ""
        elif isinstance(text, (int, float)) and not isinstance(text, bool) and on("l-question-number-accepted"):
            text = str(text)
        elif not isinstance(text, str) or not text.strip():
            raise Refusal(400, "question must be a text that is not empty")
        return text

    def legacy_create(self, user):
        text = self.question_text(self.json_body(), "l-missing-question-accepted")
        if on("m-legacy-gone"):
            raise Refusal(410, "use the new interface")
        conversation = STORE.add(user, text, time.time(), "legacy")
        where = "create"
        if on("l-create-waits"):
            time.sleep(conversation.questions[0].seconds)
            where = "made"
        status = 201 if on("l-create-201") else 200 if on("legacy-create-200") else 202
        if on("l-create-answers-id"):
            return self.reply(status, {"id": conversation.number})
        self.reply(status, legacy_conversation(conversation, user, time.time(), where))

    def legacy_get(self, user, number):
        try:
            conversation = self.legacy_find(user, number, "l-get-others", "l-delete-still-got")
        except Refusal as refusal:
            if on("l-not-found-200") and refusal.status == 404:
                return self.reply(200, {})
            raise
        if on("l-parallel-mixup"):
            # One shared slot for all threads, read again after a short wait.
            GLOBAL["last"] = conversation
            time.sleep(0.03)
            conversation = GLOBAL["last"]
        out = legacy_conversation(conversation, user, time.time(), "get")
        if on("l-not-json"):
            return self.reply(200, text=repr(out))
        self.reply(200, out)

    def legacy_followup(self, user, number):
        conversation = self.legacy_find(user, number, "l-followup-others", "l-delete-followup-alive")
        body = self.json_body()
        named = body.get("conversation_id")
        if (not isinstance(named, int) or isinstance(named, bool) or named != number) \
                and not on("l-followup-mismatch-accepted"):
            raise Refusal(400, "conversation_id must be the id in the path")
        text = self.question_text(body, "l-followup-missing-question-accepted")
        now = time.time()
        if on("m-legacy-read-only"):
            raise Refusal(400, "the interface is read-only, use the new one")
        if on("legacy-busy-refused") and any(q.phase(now, "legacy") == "processing" for q in conversation.questions):
            raise Refusal(400, "a question is still processing")
        if len(conversation.questions) >= QUESTION_LIMIT:
            raise Refusal(400, "the conversation is full")
        if on("l-followup-new-conversation"):
            conversation = STORE.add(user, text, now, "legacy")
        else:
            if on("l-followup-replaces"):
                conversation.questions.clear()
            STORE.question(conversation, text, now, "legacy")
        where = "followup"
        if on("l-followup-waits"):
            time.sleep(conversation.questions[-1].seconds)
            where = "made"
        out = legacy_conversation(conversation, user, time.time(), where)
        if on("l-followup-answers-question"):
            out = out["questions"][-1]
        self.reply(200 if on("legacy-create-200") else 202, out)

    def small_answer(self, status, conversation_json, empty_name, conversation_switch):
        """Answer of cancel and delete, whose bodies the document leaves open."""
        if on(empty_name):
            return self.reply(status)
        if self.api == "legacy" and on("legacy-text-bodies"):
            return self.reply(status, text="ok\n", kind="text/plain")
        self.reply(status, conversation_json() if conversation_json and on(conversation_switch) else {})

    def legacy_cancel(self, user, number, question_number):
        status = 202 if on("legacy-cancel-202") else 200
        conversation = self.legacy_find(user, number, "l-cancel-others")
        if on("l-cancel-demands-body") and not self.body:
            raise Refusal(400, "a body is needed")
        question = next((q for q in conversation.questions if q.number == question_number), None)
        if question is None:
            if on("l-cancel-unknown-ok"):
                return self.reply(status, {})
            raise Refusal(404, "no such question")
        if on("l-cancel-other-question"):
            question = conversation.questions[0]
        now = time.time()
        if question.phase(now, "legacy") != "processing":
            if not on("l-cancel-completed-ok"):
                raise Refusal(400, "only a question that is processing can be cancelled")
        elif not on("l-cancel-noop"):
            question.canceled_at = now
        self.small_answer(status, lambda: legacy_conversation(conversation, user, now, "made"),
                          "legacy-empty-bodies", "legacy-cancel-conversation")

    def legacy_delete(self, user, number):
        status = 202 if on("legacy-cancel-202") else 200
        conversation = self.legacy_find(user, number, "l-delete-others", "l-delete-twice-ok")
        if not on("l-delete-noop"):
            conversation.deleted = True
        self.small_answer(status, None, "legacy-empty-bodies", "")

    def legacy_list(self, user):
        now, query = time.time(), self.query
        lenient = on("legacy-bad-list-values-ignored")

        def number(name):
            text = query.get(name, "")
            if text == "":
                return None
            if re.fullmatch(r"[0-9]{1,18}", text):
                return int(text)
            if lenient:
                return None
            raise Refusal(400, "%s must be an integer" % name)
        by_id, by_user, first = number("filter_id"), number("filter_user_id"), number("page_first")
        starred, token = query.get("filter_is_starred", ""), query.get("filter_read_token", "")
        if starred not in ("", "true", "false"):
            if not lenient:
                raise Refusal(400, "filter_is_starred must be true or false")
            starred = ""
        sort = query.get("sort", "")
        if not re.fullmatch(r"(-?(id|created_at|updated_at))?", sort):
            if not lenient:
                raise Refusal(400, "sort is not one of the known orders")
            sort = ""
        if first == 0:
            if not lenient:
                raise Refusal(400, "page_first must be at least 1")
            first = None
        pool = [c for c in STORE.all() if not (on("migration-separate-stores") and c.interface != "legacy")]
        later_page = query.get("page_after", "") != ""
        items = [c for c in pool if not c.deleted or on("l-delete-still-listed")]
        shared = False
        given_order = sort != ""
        if token and not on("l-read-token-ignored") and not (given_order and on("l-read-token-lost-by-sort")):
            reachable = pool if on("l-delete-token-alive") else [c for c in pool if not c.deleted]
            may_share = OPTIONS["sharing"] and not on("l-read-token-dead") or on("l-share-while-off")
            items = [c for c in reachable if c.read_token == token and (c.owner is user or may_share)]
            if not items and on("l-read-token-any"):
                items = [c for c in pool if not c.deleted][:1]
            shared = True
        elif not (on("l-list-others") or on("l-filter-user-others") and by_user is not None):
            items = [c for c in items if c.owner is user]
        if not (later_page and on("l-page-drops-filter")):
            if by_id is not None and not on("l-filter-id-ignored"):
                items = [c for c in items if (c.number == by_id) != on("l-filter-id-inverted")]
            skip_user = on("l-filter-user-ignored") or given_order and on("l-filter-user-lost-by-sort") or on("l-filters-either") and by_id is not None
            if by_user is not None and not skip_user:
                items = [c for c in items if c.owner.number == by_user]
            if starred and not on("l-filter-starred-ignored") and not (given_order and on("l-filter-starred-lost-by-sort")):
                items = [c for c in items if c.starred == (starred == "true")]
        items = self.legacy_sorted(items, sort, now)
        items, more = self.legacy_page(items, first, query.get("page_after", ""), sort, now)
        where = "shared" if shared else "list"
        rendered = [legacy_conversation(c, user, now, where) for c in items]
        cursor = self.cursor_of(items[-1]) if more else None
        if on("legacy-bare-list"):
            return self.reply(200, rendered)
        if on("legacy-other-envelope"):
            return self.reply(200, {"total": len(rendered), "data": rendered, "next": cursor})
        self.reply(200, {"conversations": rendered, "page_info": {"end_cursor": cursor, "has_next_page": more}})

    @staticmethod
    def sort_key(conversation, sort, now):
        field = sort.lstrip("-")
        if field == "id":
            return (str(conversation.number), 0) if on("l-sort-id-text") else (conversation.number, 0)
        if field == "created_at" or on("l-sort-updated-by-created"):
            return (conversation.created, conversation.number)
        return (conversation.updated(now), conversation.number)

    def legacy_sorted(self, items, sort, now):
        given, sort = sort, sort or "-updated_at"
        if on("l-sort-ignored"):
            sort = "-updated_at"
        if not given and on("l-sort-default-created"):
            sort = "-created_at"
        if not given and on("l-sort-default-up"):
            sort = "updated_at"
        down = sort.startswith("-")
        if sort == "-id" and on("l-sort-minus-id-up") or sort == "-created_at" and on("l-sort-minus-created-up"):
            down = False
        if sort.endswith("created_at") and on("l-sort-created-swapped"):
            down = not down
        return sorted(items, key=lambda c: self.sort_key(c, sort, now), reverse=down)

    @staticmethod
    def cursor_of(conversation):
        if on("legacy-opaque-cursor"):
            return base64.urlsafe_b64encode(b"after:%d" % conversation.number).decode()
        return str(conversation.number)

    def legacy_page(self, items, first, after, sort, now):
        if after and not on("l-page-after-ignored"):
            text = after
            if on("legacy-opaque-cursor"):
                try:
                    text = base64.urlsafe_b64decode(after).decode().replace("after:", "")
                except ValueError:
                    text = ""
            last = STORE.items.get(int(text)) if re.fullmatch(r"[0-9]{1,18}", text) else None
            if last is None:
                raise Refusal(400, "the page cursor is not known")
            if last in items:
                items = items[items.index(last) + 1:]
            else:
                # The last entry is gone or filtered out: go on from the place where it would stand.
                order = self.legacy_sorted(items + [last], sort, now)
                items = order[order.index(last) + 1:]
            if on("l-page-overlaps"):
                items = [last] + items
            if on("l-page-skips"):
                items = items[1:]
        size = first if first is not None else 3 if on("legacy-small-pages") else 50
        if on("legacy-page-cap"):
            size = min(size, 5)
        if first is not None and on("l-page-first-ignored"):
            size = 50
        if first is not None and after and on("l-page-first-later-ignored"):
            size = 50
        if first is not None and on("l-page-first-plus-one"):
            size += 1
        return items[:size], len(items) > size

    # ------------------------------------------------------------ new interface

    def current(self, method, operation):
        if operation == "ListConversations" and on("c-list-old-name"):
            operation = "ListConversationSummaries"
        elif operation not in OPERATIONS or operation == "ListConversationSummaries" and (
                on("c-list-missing") or on("c-list-old-name")):
            raise Refusal(404, "there is no such operation")
        user, scopes = self.current_access(operation)
        wanted = "GET" if operation == "GetConversation" and on("c-get-method") else "POST"
        if method != wanted:
            raise Refusal(405, "use " + wanted)
        if on("current-read-scope-reads") and "externalapi:write" not in scopes \
                and operation not in ("GetConversation", "ListConversationSummaries"):
            raise Refusal(403, "the token may only read")
        self.body = self.body or b"{}"
        body = {"name": self.query.get("name", "")} if wanted == "GET" else self.json_body()
        getattr(self, "current_" + operation)(user, body)

    def current_access(self, operation):
        scheme, token = self.credential()
        schemes = ("bearer",) if on("current-bearer-only") else ("token", "bearer")
        if scheme not in schemes or token not in BY_TOKEN:
            raise Refusal(401, "a valid access token is needed")
        user, scopes = BY_TOKEN[token]
        accepted = {"externalapi:read", "externalapi:write"}
        if on("c-user-all-demanded"):
            accepted = {"user:all"}
        if on("c-read-scope-refused"):
            accepted = {"externalapi:write"}
        if on("c-write-scope-refused"):
            accepted = {"externalapi:read"}
        unchecked = on("c-scope-unchecked") or on("c-scope-unchecked-list") and operation == "ListConversationSummaries" \
            or on("c-scope-unchecked-delete") and operation == "DeleteConversation"
        if not accepted & set(scopes) and not unchecked:
            raise Refusal(401 if on("current-scope-401") else 403, "the token lacks a scope for this interface")
        if on("c-client-header-demanded") and not self.headers.get("X-Requested-With"):
            raise Refusal(400, "X-Requested-With is missing")
        return user, scopes

    def user_named(self, text, user):
        if text == "~self":
            if on("c-self-refused"):
                raise Refusal(400, "the parent names no user")
            return USERS["amara"] if on("c-self-any") else user
        return next((u for u in USERS.values() if text in (u.name, str(u.number))), None)

    def current_parent(self, body, user):
        parent = body.get("parent", "users/~self")
        found = re.fullmatch(r"users/([^/]+)", parent) if isinstance(parent, str) else None
        if not found:
            raise Refusal(400, "parent must have the form users/<user>")
        owner = self.user_named(found.group(1), user)
        if owner is not user and not (on("c-self-any") and found.group(1) == "~self"):
            raise Refusal(403 if on("current-others-403") else 404, "no such parent")
        return owner

    def current_find(self, body, user, others_fault, gone_fault=""):
        # The schemas are not shown, so the name is taken from whichever member holds it.
        inner = body.get("conversation")
        candidates = [body.get("name"), body.get("parent"), inner if isinstance(inner, str) else None,
                      inner.get("name") if isinstance(inner, dict) else None]
        name = next((c for c in candidates if isinstance(c, str) and "conversations/" in c), None)
        bare = on("c-name-no-user") or on("c-name-in-list-differs")
        found = re.fullmatch(r"users/([^/]+)/conversations/([^/]+)", name or "")
        if not found and bare:
            found = re.fullmatch(r"(users/~self/)?conversations/([^/]+)", name or "")
        if not found and (on("m-name-is-number") or on("c-name-number") or on("c-id-kept")):
            odd = next((str(v) for v in (body.get("name"), body.get("parent"), body.get("id"))
                        if re.fullmatch(r"[0-9]{1,18}", str(v))), "")
            found = re.fullmatch(r"()([0-9]{1,18})", odd)
        if not found:
            raise Refusal(400, "name must have the form users/<user>/conversations/<conversation_id>")
        ident = found.group(2)
        if on("current-opaque-ids"):
            conversation = next((c for c in STORE.all() if c.opaque == ident), None)
        else:
            conversation = STORE.items.get(int(ident)) if re.fullmatch(r"[0-9]{1,18}", ident) else None
        if conversation and on("migration-separate-stores") and conversation.interface != "current":
            conversation = None
        if conversation is None or conversation.deleted and not (gone_fault and on(gone_fault)):
            raise Refusal(404, "no such conversation")
        named = found.group(1) or ""
        named_user = self.user_named(named, user) if named and not bare else conversation.owner
        acting = named_user if named == "~self" and on("c-self-any") else user
        if named_user is not conversation.owner or acting is not conversation.owner and not on(others_fault):
            raise Refusal(403 if on("current-others-403") else 404, "no such conversation")
        return conversation

    @staticmethod
    def nested_text(question):
        """The text in input[].question.text; several inputs are joined."""
        inputs = question.get("input") if isinstance(question, dict) else None
        if not isinstance(inputs, list) or not inputs:
            return None
        texts = []
        for entry in inputs:
            inner = entry.get("question") if isinstance(entry, dict) else None
            text = inner.get("text") if isinstance(inner, dict) else None
            if not isinstance(text, str):
                return None
            texts.append(text)
        joined = "\n".join(texts)
        return joined if joined.strip() else None

    def envelope(self, value):
        return {"conversation": value} if on("current-envelope") else value

    def current_CreateConversation(self, user, body):
        owner = self.current_parent(body, user)
        inner = body.get("conversation")
        asked = inner.get("questions") if isinstance(inner, dict) else None
        texts = [self.nested_text(q) for q in asked] if isinstance(asked, list) else []
        if on("c-nested-refused"):
            texts = []
        flat = body.get("question")
        if not texts and isinstance(flat, str) and flat.strip() and (on("current-flat-too") or on("c-nested-refused")):
            texts = [flat]
        if not texts or None in texts or len(texts) > 10:
            raise Refusal(400, "conversation.questions[].input[].question.text is needed")
        now = time.time()
        conversation = STORE.add(owner, texts[0], now, "current")
        for text in texts[1:]:
            STORE.question(conversation, text, now, "current")
        where = "create"
        if on("c-create-waits"):
            time.sleep(conversation.questions[-1].seconds)
            where = "made"
        self.reply(202 if on("current-create-202") else 200,
                   self.envelope(current_conversation(conversation, time.time(), where)))

    def current_GetConversation(self, user, body):
        conversation = self.current_find(body, user, "c-get-others", "c-delete-still-got")
        self.reply(200, self.envelope(current_conversation(conversation, time.time(), "get")))

    def current_ListConversationSummaries(self, user, body):
        owner, now = self.current_parent(body, user), time.time()
        size = body.get("page_size", body.get("pageSize", 0))
        token = body.get("page_token", body.get("pageToken", ""))
        if not isinstance(size, int) or isinstance(size, bool) or size < 0 or not isinstance(token, str):
            raise Refusal(400, "page_size must be an integer and page_token a text")
        items = [c for c in STORE.all() if (not c.deleted or on("c-delete-still-listed"))
                 and (c.owner is owner or on("c-list-others"))
                 and not (on("migration-separate-stores") and c.interface != "current")]
        items.sort(key=lambda c: (c.updated(now), c.number), reverse=True)
        if on("c-list-empty"):
            items = []
        if on("c-list-first-only"):
            items = items[-1:]
        place = int(token) if re.fullmatch(r"[0-9]{1,6}", token) else 0
        size = size or (3 if on("current-small-pages") else 50)
        page = [current_conversation(c, now, "list") for c in items[place:place + size]]
        key = "items" if on("current-list-other-key") else "conversation_summaries"
        self.reply(200, {key: page, "next_page_token": str(place + size) if len(items) > place + size else ""})

    def current_AddConversationQuestion(self, user, body):
        conversation = self.current_find(body, user, "c-followup-others")
        question = body.get("question")
        if question is None:
            inner = body.get("conversation")
            several = inner.get("questions") if isinstance(inner, dict) else body.get("questions")
            question = several[0] if isinstance(several, list) and several else None
        text = self.nested_text(question) or self.nested_text(body)
        if text is None and on("current-flat-too") and isinstance(question, str) and question.strip():
            text = question
        if text is None:
            raise Refusal(400, "question.input[].question.text is needed")
        if len(conversation.questions) >= QUESTION_LIMIT:
            raise Refusal(400, "the conversation is full")
        if not on("c-followup-lost"):
            STORE.question(conversation, text, time.time(), "current")
        where = "followup"
        if on("c-followup-waits"):
            time.sleep(conversation.questions[-1].seconds)
            where = "made"
        out = current_conversation(conversation, time.time(), where)
        self.reply(200, out["questions"][-1] if on("current-followup-question") else self.envelope(out))

    def current_CancelConversation(self, user, body):
        conversation, now = self.current_find(body, user, "c-cancel-others"), time.time()
        running = [q for q in conversation.questions if q.phase(now, "current") == "processing"]
        if not running and not on("current-cancel-idle-ok"):
            raise Refusal(409 if on("current-cancel-idle-409") else 400, "nothing is processing")
        if on("c-cancel-deletes"):
            conversation.deleted = True
        if not on("c-cancel-noop"):
            for question in running:
                question.canceled_at = now
        self.small_answer(200, lambda: self.envelope(current_conversation(conversation, now, "made")),
                          "current-empty-bodies", "current-cancel-conversation")

    def current_DeleteConversation(self, user, body):
        conversation, now = self.current_find(body, user, "c-delete-others"), time.time()
        if on("c-delete-cancels"):
            for question in conversation.questions:
                if question.phase(now, "current") == "processing":
                    question.canceled_at = now
        elif not on("c-delete-noop"):
            conversation.deleted = True
        self.small_answer(200, None, "current-empty-bodies", "")


class StreamWriter:
    """Puts events on the wire in the wanted form of transfer."""

    def __init__(self, handler):
        self.handler, self.filters_sent, self.waiting, self.count = handler, False, b"", 0
        self.chunked = handler.request_version != "HTTP/1.0" and not on("stream-close-delimited")
        accepted = handler.headers.get("Accept-Encoding", "").lower()
        self.packer = zlib.compressobj(wbits=31) if on("stream-gzip") and "gzip" in accepted else None

    def open(self):
        handler = self.handler
        if on("stream-close-delimited"):
            handler.protocol_version = "HTTP/1.0"
        handler.send_response(200)
        kind = "text/event-stream"
        if on("stream-charset"):
            kind += "; charset=utf-8"
        if on("stream-octet-type"):
            kind = "application/octet-stream"
        handler.send_header("Content-Type", kind)
        handler.send_header("Cache-Control", "no-cache")
        if self.packer:
            handler.send_header("Content-Encoding", "gzip")
        if self.chunked:
            handler.send_header("Transfer-Encoding", "chunked")
        if not self.chunked or on("any-connection-close"):
            handler.send_header("Connection", "close")
            handler.close_connection = True
        handler.end_headers()

    def raw(self, data):
        if not data:
            return
        if self.chunked:
            data = b"%x\r\n%s\r\n" % (len(data), data)
        self.handler.wfile.write(data)
        self.handler.wfile.flush()

    def send(self, data, now=True):
        if self.packer:
            data = self.packer.compress(data) + self.packer.flush(zlib.Z_SYNC_FLUSH)
        if on("stream-coalesced"):
            self.waiting += data
            self.count += 1
            if self.count % 3:
                return
            data, self.waiting = self.waiting, b""
        if on("stream-split-chunks"):
            half = max(1, len(data) // 3)
            for place in range(0, len(data), half):
                self.raw(data[place:place + half])
                time.sleep(0.002)
            return
        self.raw(data)

    def event(self, name, data, last=False):
        text = str(data) if on("s-data-not-json") and name == "filters" else \
            "" if on("s-done-data-empty") and name == "done" else to_json(data)
        if on("s-data-multiline") and name == "filters":
            text = json.dumps(data, indent=1, ensure_ascii=False).replace("\n", "\ndata: ")
        gap = "" if on("stream-no-space") else " "
        fields = ["event:" + gap + name, "data:" + gap + text]
        if on("stream-data-first"):
            fields.reverse()
        if on("s-third-field"):
            self.count += 1
            fields.insert(0, "id: %d" % self.count)
        if on("s-event-name-missing") and name == "progress":
            fields = [f for f in fields if not f.startswith("event:")]
        ending = "\n" if on("s-single-newline") else "" if last and on("stream-no-final-separator") else "\n\n"
        block = "\n".join(fields) + ending
        if on("stream-unknown-event") and name == "progress":
            block += "event: weather\ndata: {\"sunny\":true}\n\n"
        if on("stream-comments") and not last:
            block += ": still here\n\n"
        if on("stream-crlf"):
            block = block.replace("\n", "\r\n")
        self.send(block.encode("utf-8", "replace"))

    def close(self):
        self.raw(self.waiting)
        if on("s-open-after-done"):
            time.sleep(5)
        if self.packer:
            self.raw(self.packer.flush(zlib.Z_FINISH))
        if self.chunked:
            self.handler.wfile.write(b"0\r\n\r\n")
        self.handler.wfile.flush()


# ---------------------------------------------------------------- start

OPTIONS = {"sharing": True}


class Server(ThreadingHTTPServer):
    daemon_threads, allow_reuse_address, request_queue_size = True, True, 64

    def __init__(self, address):
        super().__init__(address, Handler)
        self.slots = threading.BoundedSemaphore(100)

    def process_request(self, request, address):
        # A bound on connections keeps the memory bounded as well.
        self.slots.acquire()
        super().process_request(request, address)

    def process_request_thread(self, request, address):
        try:
            super().process_request_thread(request, address)
        finally:
            self.slots.release()

    def handle_error(self, request, address):
        pass


def ready_line(base):
    return {"url": base, "token": TOKENS["owner"][0], "tokens": {role: t[0] for role, t in TOKENS.items()},
            "users": {u.name: u.number for u in USERS.values()},
            "token_users": {role: t[1] for role, t in TOKENS.items()},
            "sharing": OPTIONS["sharing"], "failing_questions": TRIGGERS,
            "queries": {"line_limit": "tick", "document_limit": "samplerow", "repository_limit": "bulkword",
                        "archived": "attic", "alert": "/(/", "not_ascii": "café", "long_line": "too small"},
            "faults": sorted(n for n in ON if KINDS[n] == "fault"),
            "variations": sorted(n for n in ON if KINDS[n] == "variation")}


KINDS = {row["name"]: row["kind"] for row in deviations.table()}


def main():
    global STORE
    parser = argparse.ArgumentParser(description="a test peer for the search and conversation API")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--fault", action="append", default=[], metavar="NAME")
    parser.add_argument("--variation", action="append", default=[], metavar="NAME")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    if args.list:
        for row in deviations.table():
            print(json.dumps(row))
        return 0
    for kind, names in (("fault", args.fault), ("variation", args.variation)):
        for name in names:
            if KINDS.get(name) != kind:
                parser.error("%r is not a %s; see --list" % (name, kind))
            ON.add(name)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    threading.stack_size(512 * 1024)
    # The fault is visible only where the instance says that sharing is off.
    OPTIONS["sharing"] = not (on("legacy-sharing-off") or on("l-share-while-off"))
    STORE = Store()
    server = Server(("127.0.0.1", args.port))
    STORE.base = "http://127.0.0.1:%d" % server.server_address[1]
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())

    def watch_input():
        try:
            while os.read(0, 4096):
                pass
        except OSError:
            pass
        stopping.set()
    for work in (watch_input, lambda: server.serve_forever(poll_interval=0.5)):
        threading.Thread(target=work, daemon=True).start()
    print(json.dumps(ready_line(STORE.base)), flush=True)
    stopping.wait()
    server.server_close()
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
