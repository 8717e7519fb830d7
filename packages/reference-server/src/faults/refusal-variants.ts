import { refusals, type Refusal } from "../access.ts";
import type { Variants } from "./fault.ts";

const alert: Refusal = {
  allowed: false,
  alert: {
    title: "Sign in to search",
    description: "This search needs a sign-in that it does not have.",
    proposedQueries: null,
  },
};

const redirect: Refusal = { allowed: false, status: 302, text: "Found.", location: "/sign-in" };

/** Variants to turn a credential away. Which one a service takes is left open. */
export const credentialRefusals: Variants<Refusal> = {
  "status-401": refusals.invalidToken,
  "status-403": refusals.missingScope,
  redirect,
  "status-404": { allowed: false, status: 404, text: "404 page not found" },
  alert,
};

/** Variants to refuse a search for one of its parameters; none is a stream that ends without a reason. */
export const parameterRefusals: Variants<Refusal> = {
  alert: {
    allowed: false,
    alert: {
      title: "Unable To Process Query",
      description: "A parameter of this search is not known here.",
      proposedQueries: null,
    },
  },
  "status-400": { allowed: false, status: 400, text: "unknown parameter" },
  redirect,
};
