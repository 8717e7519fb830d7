/** Collects what a proof asserts: `assert` prints each sentence, `throwIfFailed` throws if one was false. */
export function createAssertions(print) {
  const failures = [];
  const assert = (isTrue, sentence, details) => {
    print(`${isTrue ? "ok    " : "FAILED"} ${sentence}`);
    if (!isTrue) {
      failures.push(sentence);
      if (details !== undefined) {
        print(typeof details === "string" ? details.split("\n").slice(-30).join("\n") : JSON.stringify(details));
      }
    }
  };
  const throwIfFailed = () => {
    if (failures.length > 0) {
      throw new Error(`${failures.length} assertions failed:\n${failures.join("\n")}`);
    }
  };
  return { assert, throwIfFailed };
}
