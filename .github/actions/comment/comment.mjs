// Puts what a gate has to say into one comment of its pull request, and keeps that comment current. Runs on `workflow_run`, with the
// rights of the repository, on artifacts that a pull request from a fork may have made: nothing in them is believed. The number
// of the pull request counts only when that pull request is at the commit, and comes from the repository, that the run was of.
//
// Variables: GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, GITHUB_EVENT_PATH; COMMENT_FOLDER, with one folder for each artifact
// that holds comment.md and pull-request.txt; COMMENT_KEY, for several comments on one pull request [gate]; COMMENT_AUTHOR, whose
// comments may be replaced [github-actions[bot]].
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const mostCharacters = 65_536;
const mostFileBytes = 1_048_576;
const mostArtifacts = 50;
const mostPages = 50;
const perPage = 100;
const timeoutMs = 30_000;

class Stop extends Error {}

/** The text of a regular file of moderate size; undefined where there is none. */
function readSmall(path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    return undefined;
  }
  if (!found.isFile() || found.size > mostFileBytes) {
    throw new Stop(`${JSON.stringify(path)} is no file of at most ${mostFileBytes} bytes; the artifact is not used`);
  }
  return readFileSync(path, "utf8");
}

/** Where no artifact matches, what downloads them makes no folder either. */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOENT") {
      return [];
    }
    throw error;
  }
}

/** The name of an artifact of a gate: whose it is, the attempt of the job, and what makes it unique. */
function nameParts(name) {
  const [, gate = name, attempt = "0"] = /^(.+)-(\d{1,6})-[a-z0-9]+$/u.exec(name) ?? [];
  return { name, gate, attempt: Number(attempt) };
}

/** The artifacts of each gate in its last attempt: a job that runs again leaves those of its first attempt where they are. */
function artifactsIn(folder) {
  const found = entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => nameParts(name));
  const last = new Map();
  for (const { gate, attempt } of found) {
    last.set(gate, Math.max(attempt, last.get(gate) ?? 0));
  }
  return found
    .filter(({ gate, attempt }) => attempt === last.get(gate))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, mostArtifacts);
}

/** What the artifacts say: the number of the pull request, and the texts. */
function readArtifacts(folder) {
  const parts = artifactsIn(folder).flatMap(({ name, attempt }) => {
    const text = readSmall(join(folder, name, "comment.md"));
    const number = readSmall(join(folder, name, "pull-request.txt"));
    return text === undefined || number === undefined ? [] : [{ text, attempt, number: number.trim() }];
  });
  const numbers = [...new Set(parts.map(({ number }) => number))];
  if (numbers.length === 0) {
    return undefined;
  }
  if (numbers.length > 1 || !/^[1-9]\d{0,8}$/u.test(numbers[0])) {
    throw new Stop("the artifacts do not name one pull request by its number; nothing is written");
  }
  return { number: Number(numbers[0]), parts };
}

const zeroWidth = "\u200B";

/** Comments of HTML could hide a marker; what cannot be seen has no place in a comment, nor what is left where one is taken out. */
const visible = (text) =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/gu, "")
    .replaceAll("<!", `<${zeroWidth}!`)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/gu, "\u{FFFD}");

/**
 * Nobody is called by a text from a fork, no image is fetched for it, and no HTML stands in it. A character that is not seen comes
 * between the signs, so that the text reads the same inside a block of code.
 */
const harmless = (text) => text.replaceAll(/[<&@](?=\S)/gu, (sign) => `${sign}${zeroWidth}`).replaceAll("![", "!\\[");

/** The text cut to the room there is, on a whole character and outside of a block of code. */
function cut(text, room) {
  if (text.length <= room) {
    return text;
  }
  const ending = "\n\n_The rest does not fit into a comment; it is in the artifacts of the run._\n";
  const fence = "\n```\n";
  const end = room - ending.length - fence.length;
  const kept = text.slice(0, /[\uD800-\uDBFF]/u.test(text[end - 1] ?? "") ? end - 1 : end);
  const isOpen = (kept.match(/^ {0,3}```/gmu) ?? []).length % 2 === 1;
  return `${kept}${isOpen ? fence : ""}${ending}`;
}

/** A text, and from which attempt it is where that is not the last one. */
const dated = ({ text, attempt }, run) =>
  attempt > 0 && attempt < run.run_attempt
    ? `_From attempt ${attempt}; the run is at attempt ${run.run_attempt}._\n\n${text}`
    : text;

function bodyOf({ parts, marker, run, isFork }) {
  const fork = isFork ? " on a fork. Its author made this text; it is not checked" : "";
  const text = visible(parts.map((part) => dated(part, run)).join("\n\n"));
  // Whatever becomes of later runs, the reader sees which commit it is about.
  const head = `${marker}\n_About commit \`${run.head_sha.slice(0, 10)}\`, from [a run](${run.html_url})${fork}._\n\n`;
  return `${head}${cut(isFork ? harmless(text) : text, mostCharacters - head.length)}`;
}

/** Calls the API of GitHub; the answer as JSON. */
async function call(method, path, body) {
  const { GITHUB_API_URL: base, GITHUB_TOKEN: token } = process.env;
  const what = `${method} ${path.replace(/\?.*$/u, "")}`;
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "user-agent": "assay",
      "x-github-api-version": "2022-11-28",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause) => {
    throw new Stop(`${what} got no answer: ${cause.cause?.message ?? cause.message}`);
  });
  if (!response.ok) {
    const hint = response.status === 403 || response.status === 404 ? "; the job needs pull-requests: write" : "";
    throw new Stop(`${what} was answered with status ${response.status}${hint}`);
  }
  return response.json();
}

/** The comment that an earlier run left; only one of our own, so that nobody's words are replaced. */
async function findComment({ issue, marker, author }) {
  for (let page = 1; page <= mostPages; page += 1) {
    const comments = await call("GET", `${issue}/comments?per_page=${perPage}&page=${page}`);
    const own = comments.find(({ body, user }) => user?.login === author && String(body).startsWith(`${marker}\n`));
    if (own !== undefined || comments.length < perPage) {
      return own;
    }
  }
  return undefined;
}

/** Whether two names are there and the same: a fork that was deleted has none. */
const isSame = (a, b) => typeof a === "string" && a === b;

/** Whether this pull request is the one that the run was of, as it stands now. */
const isOfRun = (pull, run, repository) =>
  isSame(pull.head?.sha, run.head_sha) &&
  isSame(pull.head?.repo?.full_name, run.head_repository?.full_name) &&
  isSame(pull.base?.repo?.full_name, repository);

async function main({ COMMENT_FOLDER, COMMENT_KEY, COMMENT_AUTHOR, GITHUB_EVENT_PATH, GITHUB_REPOSITORY: repository }) {
  const key = COMMENT_KEY || "gate";
  if (!/^[a-z0-9-]{1,40}$/u.test(key)) {
    throw new Stop("the key of a comment has 1 to 40 of a-z, 0-9 and hyphen");
  }
  const run = JSON.parse(readFileSync(GITHUB_EVENT_PATH, "utf8")).workflow_run;
  if (run === undefined) {
    throw new Stop("this is no event workflow_run; see comment.yml for how it is called");
  }
  const found = readArtifacts(COMMENT_FOLDER);
  if (found === undefined) {
    return "the run left no comment";
  }
  const pull = await call("GET", `/repos/${repository}/pulls/${found.number}`);
  if (!isOfRun(pull, run, repository)) {
    return `pull request ${found.number} is not, or no longer, what the run was of; nothing is written`;
  }
  const marker = `<!-- assay-comment:${key} -->`;
  const isFork = run.head_repository.full_name !== repository;
  const body = bodyOf({ parts: found.parts, marker, run, isFork });
  const issue = `/repos/${repository}/issues/${found.number}`;
  const author = COMMENT_AUTHOR || "github-actions[bot]";
  const comment = await findComment({ issue, marker, author });
  if (comment === undefined) {
    await call("POST", `${issue}/comments`, { body });
    return `commented on pull request ${found.number}`;
  }
  await call("PATCH", `/repos/${repository}/issues/comments/${Number(comment.id)}`, { body });
  return `updated the comment on pull request ${found.number}`;
}

/** One line that the runner takes for no command but this one. */
const shown = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

try {
  process.stdout.write(`assay: ${shown(await main(process.env))}\n`);
} catch (error) {
  const sentence = error instanceof Stop ? error.message : `this is a bug in comment.mjs: ${error}`;
  process.stdout.write(`::error title=Assay::${shown(sentence)}\n`);
  process.exitCode = 1;
}
