import { isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";

/** Tags of values that plain JSON has. A lone `!` makes a string. */
const plainTags = new Set([
  "!",
  ...["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
]);

class Refusal extends Error {
  constructor(code, reason) {
    super(reason);
    this.code = code;
  }
}

const refuse = (reason, code = "not-yaml") => {
  throw new Refusal(code, reason);
};

// Anchors of the document, as far as it was read, so that an alias inside its own anchor does not resolve.
const anchors = new Map();
let limits = { maxDepth: 0, maxCharacters: 0 };
let size = 0;
let deepest = 0;

/** Counts JSON characters approximately. The contents of an alias count each time, because JSON repeats them. */
const grow = (by) => {
  size += by;
  if (size > limits.maxCharacters) {
    refuse(`the YAML document expands to more than ${limits.maxCharacters} characters of JSON`, "too-large");
  }
};

const reach = (depth) => {
  if (depth > limits.maxDepth) {
    refuse(`the OpenAPI document is nested deeper than ${limits.maxDepth} levels`, "too-deep");
  }
  deepest = Math.max(deepest, depth);
};

const valueOf = (node, depth) => {
  if (node === null || node === undefined) {
    grow(5);
    return null;
  }
  if (isAlias(node)) {
    return valueOfAlias(node, depth);
  }
  if (node.tag !== undefined && !plainTags.has(node.tag)) {
    refuse(`the YAML tag \`${node.tag.slice(0, 80)}\` has no meaning in JSON; remove it`);
  }
  return node.anchor === undefined ? contentOf(node, depth) : valueOfAnchored(node, depth);
};

const valueOfAnchored = (node, depth) => {
  const [sizeBefore, deepestBefore] = [size, deepest];
  deepest = depth;
  const value = contentOf(node, depth);
  anchors.set(node.anchor, { value, size: size - sizeBefore, height: deepest - depth });
  deepest = Math.max(deepest, deepestBefore);
  return value;
};

const valueOfAlias = (node, depth) => {
  const anchored = anchors.get(node.source);
  if (anchored === undefined) {
    refuse(
      `the YAML alias \`${node.source.slice(0, 80)}\` does not resolve or contains itself; write out its contents`,
    );
  }
  grow(anchored.size);
  reach(depth + anchored.height);
  return anchored.value;
};

const contentOf = (node, depth) => {
  if (isScalar(node)) {
    return valueOfScalar(node.value);
  }
  reach(depth + 1);
  grow(2);
  if (isSeq(node)) {
    return node.items.map((item) => valueOf(item, depth + 1));
  }
  return isMap(node) ? objectOf(node, depth + 1) : refuse("the YAML document contains a value that JSON does not have");
};

const valueOfScalar = (value) => {
  if (typeof value === "number" && !Number.isFinite(value)) {
    refuse(`the YAML document has the number ${value}, which JSON does not have; write another value`);
  }
  grow(typeof value === "string" ? value.length + 3 : 6);
  return value;
};

const objectOf = (map, depth) => {
  const members = new Map();
  let merged = [];
  let hasMerge = false;
  for (const { key, value } of map.items) {
    const name = nameOf(key);
    const isMerge = name === "<<" && key.type === "PLAIN";
    if (isMerge ? hasMerge : members.has(name)) {
      refuse(`the YAML document has the key \`${name.slice(0, 80)}\` twice in one mapping; remove one`);
    }
    grow(name.length + 4);
    const content = valueOf(value, depth);
    if (isMerge) {
      hasMerge = true;
      merged = mappingsOf(content);
    } else {
      members.set(name, content);
    }
  }
  return hasMerge
    ? Object.fromEntries([...merged.toReversed().flatMap(Object.entries), ...members])
    : Object.fromEntries(members);
};

// Mappings to merge for `<<`: one, or several, of which the first takes precedence. Siblings of `<<` take precedence over
// all. Source: YAML merge key 0.1.
const mappingsOf = (content) => {
  const mappings = Array.isArray(content) ? content : [content];
  return mappings.every((one) => typeof one === "object" && one !== null && !Array.isArray(one))
    ? mappings
    : refuse("the YAML document merges a value with `<<` that is not a mapping; write the members out");
};

const nameOf = (key) =>
  isScalar(key) && typeof key.value === "string"
    ? key.value
    : refuse("the YAML document has a key that is not text, which JSON does not allow");

// Always the core schema of YAML 1.2, even for documents that request 1.1: dates stay text, `yes` and `012` have no special
// meaning. Duplicate keys are detected here, because the library compares all pairs.
const read = (text) => {
  const document = parseDocument(text, {
    schema: "core",
    version: "1.2",
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false,
    logLevel: "error",
  });
  const [error] = document.errors;
  if (error?.code === "RESOURCE_EXHAUSTION") {
    refuse(`the OpenAPI document is nested deeper than ${limits.maxDepth} levels`, "too-deep");
  }
  if (error !== undefined) {
    const reason = error.message.split("\n", 1)[0].replace(/:$/, "").slice(0, 200);
    refuse(`the OpenAPI document is not valid YAML (${reason}); check that it is complete`);
  }
  return { json: JSON.stringify(valueOf(document.contents, 0)) };
};

/**
 * Converts a YAML document to `{ json }`, JSON text, or `{ code, reason }`. Has no time limit: read untrusted documents in a
 * thread that can be terminated.
 */
export const jsonOfYaml = (text, given) => {
  anchors.clear();
  [limits, size, deepest] = [given, 0, 0];
  try {
    return read(text);
  } catch (error) {
    return error instanceof Refusal
      ? { code: error.code, reason: error.message }
      : { code: "not-yaml", reason: "the OpenAPI document is YAML that cannot be read; convert it to JSON" };
  }
};
