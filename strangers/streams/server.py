#!/usr/bin/env python3
"""The entry of the stranger: its command line, as tests use it. What it serves is in core.py, first.py and second.py.

    python3 server.py [--fault NAME | --variation NAME]
    python3 server.py --list

It serves on 127.0.0.1, prints one JSON line (address, tokens by role) and ends when its standard input closes.
"""
import argparse
import json
import sys
import threading

import first

TABLES = [("first", dict(first.T))]

TOKENS = {
    "owner": "sgp_stranger_access_1",
    "oauth": "oauth_stranger_2",
    "unscoped": "sgp_unscoped_3",
    "oauth_unscoped": "oauth_unscoped_4",
}


def second_table():
    # Importing it replaces what searches and answers do, so only one table is in force at a time.
    import second  # noqa: F401

    return dict(first.T)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault")
    parser.add_argument("--variation")
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    if asked.list:
        for table in (TABLES[0][1], second_table()):
            for name, (kind, sentence, _, _) in table.items():
                print(json.dumps({"name": name, "kind": kind, "api": "stream", "sentence": sentence}))
        return
    name = asked.fault or asked.variation
    kind = "fault" if asked.fault else "variation"
    if name and name not in first.T:
        second_table()
    if name:
        row = first.T[name]
        assert row[0] == kind, f"{name} is no {kind}"
        first.NAME, first.FX = name, row
        if row[2] == "start":
            row[3]()
    first.TOK.extend([TOKENS["owner"], TOKENS["oauth"]])
    first.UNS.extend([TOKENS["unscoped"], TOKENS["oauth_unscoped"]])
    first.PRIVATE = True
    server = first.Srv(("127.0.0.1", 0), first.Hd)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_address[1]}", "tokens": TOKENS}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
