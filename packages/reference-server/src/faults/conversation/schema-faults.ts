import { currentPath, currentProcedures } from "@assay/contract";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, selectEffect, selectVariant, type Variants, defineViolation } from "../fault.ts";
import { withMember } from "../json-mutation.ts";
import { selectCalls, editJson, type InterfaceName, interfaces, listsWith } from "./call-effects.ts";
import { inEntries, withEntries } from "./conversation-parts.ts";

/** Invalid members that only the OpenAPI document describes; no other rule checks them. */
const invalidValues: Readonly<Record<InterfaceName, Variants<ConversationEffect>>> = {
  legacy: {
    "listed-address-number": editJson(listsWith(), inEntries(withMember("share_url", 7))),
    "viewer-of-a-creation": editJson(selectCalls("legacy", "create"), withMember("viewer", { is_owner: "yes" })),
    "quota-of-a-creation": editJson(selectCalls("legacy", "create"), withMember("quota_usage", { total_quota: 1 })),
  },
  current: {
    "listed-name-number": editJson(selectCalls("current", "list"), (json) =>
      withEntries(json, (entries) => [...entries, { name: 7 }]),
    ),
  },
};

const readObject = (data: PayloadObject, name: string): PayloadObject => {
  const value = data[name];
  return isPayloadObject(value) ? value : {};
};

/** Changes the served OpenAPI document. */
const changeDocument = (change: (document: PayloadObject) => PayloadObject | undefined): ConversationEffect => ({
  layer: "conversation",
  describe: (document, run) => {
    run.recordChange();
    return change(document);
  },
});

/** Adds a required member to the schema of conversations. */
const requiringExtraMember = (schema: string): ConversationEffect =>
  changeDocument((document) => {
    const components = readObject(document, "components");
    const schemas = readObject(components, "schemas");
    const schemaObject = readObject(schemas, schema);
    const requiredMembers = isPayloadArray(schemaObject["required"]) ? schemaObject["required"] : [];
    const properties = { ...readObject(schemaObject, "properties"), revision: { type: "integer" } };
    const changedSchema = { ...schemaObject, required: [...requiredMembers, "revision"], properties };
    return { ...document, components: { ...components, schemas: { ...schemas, [schema]: changedSchema } } };
  });

/** Changes the link on the page of the API reference. */
const changePage = (change: (page: string) => string): ConversationEffect => ({
  ...changeDocument((document) => document),
  referencePage: change,
});

const deadLink = (page: string): string => page.replaceAll("/openapi.", "/no-longer/openapi.");

const cancelPath = `${currentPath}/${currentProcedures.cancel}`;
const getPath = `${currentPath}/${currentProcedures.get}`;

/** Changes to the paths of the current interface. */
const otherPaths: Variants<(path: string, item: unknown) => readonly (readonly [string, unknown])[]> = {
  "operation-missing": (path, item) => (path === cancelPath ? [] : [[path, item]]),
  "other-method": (path, item) =>
    path === getPath && isPayloadObject(item) ? [[path, { get: item["post"] }]] : [[path, item]],
  "other-path": (path, item) => [[path.replace(currentPath, "/deepsearch/v1"), item]],
};

const createFaults = (name: InterfaceName): readonly Fault[] => [
  defineViolation(`${name}/responses-fit-openapi`, `${name}-answer-not-as-described`)(
    "Answers have a member of the wrong type that only the OpenAPI document describes.",
    selectEffect(invalidValues[name]),
  ),
  defineViolation(`${name}/responses-fit-openapi`, `${name}-description-of-another-release`)(
    "The served OpenAPI document requires a member that conversations do not have.",
    requiringExtraMember(`${name === "legacy" ? "Legacy" : "Current"}ConversationAnswer`),
  ),
];

/** Faults that only a check against the OpenAPI document finds. */
export const schemaFaults: readonly Fault[] = [
  ...interfaces.flatMap(createFaults),
  defineViolation("current/openapi-schema-is-served", "current-no-api-reference")(
    "The OpenAPI document is missing, is something else, or is not linked.",
    selectEffect({
      missing: changeDocument(() => undefined),
      "not-openapi": changeDocument(() => ({ title: "This is not an OpenAPI document" })),
      "no-link": changePage((page) => page.replaceAll(/<a [^>]*>|<\/a>/gu, "")),
      "dead-link": changePage(deadLink),
      "dead-link-of-viewer": changePage((page) => `${deadLink(page)}<script src="/viewer.js"></script>\n`),
    }),
  ),
  defineViolation("current/openapi-schema-describes-operations", "current-description-without-operations")(
    "The OpenAPI document lacks an operation, or has it under another path or with another method.",
    selectVariant(otherPaths, (pathsOf) =>
      changeDocument((document) => {
        const paths = Object.entries(readObject(document, "paths"));
        return { ...document, paths: Object.fromEntries(paths.flatMap(([path, item]) => pathsOf(path, item))) };
      }),
    ),
  ),
];
