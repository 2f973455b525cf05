/** The strict reader of JSON text lives with the policy, which meets JSON text inside calls too. */
export * from "../policy/text/strict-json.ts";
