const intervalMs = 15_000;

const formatDuration = (ms) => (ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${(ms / 60_000).toFixed(1)} min`);

/** Formats an error. The stack of a test that timed out does not start with its message. */
const formatError = ({ stack = "", message }) => (stack.includes(message) ? stack : `${message}\n${stack}`.trimEnd());

/** Reports progress of a long test run every 15 seconds, and each failed test immediately. */
export default class ProgressReporter {
  #startedAt = Date.now();
  #passed = 0;
  #failed = 0;
  #timer;

  onInit() {
    this.#timer = setInterval(() => this.#printCounts(), intervalMs);
    this.#timer.unref();
  }

  onTestCaseResult(testCase) {
    const { state, errors = [] } = testCase.result();
    this.#passed += state === "passed" ? 1 : 0;
    this.#failed += state === "failed" ? 1 : 0;
    if (state === "failed") {
      this.#print(`failed: ${testCase.fullName}\n${errors.map(formatError).join("\n")}`);
    }
  }

  onTestModuleEnd(module) {
    for (const error of module.errors()) {
      this.#print(`failed: ${module.moduleId}\n${formatError(error)}`);
    }
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
    this.#printCounts();
  }

  #printCounts() {
    this.#print(
      `${this.#passed} passed, ${this.#failed} failed so far, ${formatDuration(Date.now() - this.#startedAt)}`,
    );
  }

  #print(text) {
    process.stdout.write(`    ${text.replaceAll("\n", "\n    ")}\n`);
  }
}
