/** What people and keys may be in an organization: words that every room shares. */

/** Of a member, from the least to the most. */
export const ROLES = ["viewer", "approver", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Of an agent's key. */
export const SCOPES = ["ask", "report", "turns"] as const;
export type Scope = (typeof SCOPES)[number];
