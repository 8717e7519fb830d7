type TaskResult = { readonly value: unknown } | { readonly code: string; readonly reason: string };

/** What is done with a document, in the thread that calls it and without an end; see `runInDocumentWorker`. */
export declare const documentTasks: Readonly<Record<"bundle" | "validate", (document: object) => Promise<TaskResult>>>;
