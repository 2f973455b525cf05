/** The changes to what governs an organization: what each says, who may ask for it, and what one comes to. */
import type { Role, Scope } from "../roles.ts";
import type { AnchorChange } from "./anchors.ts";
import type { UndeliveredEntry } from "./chain.ts";
import type { ContactChange } from "./contacts.ts";
import type { PrivateText, Refused } from "./protocol.ts";
import type { SealingChange } from "./sealing-changes.ts";

export type Settings = Readonly<Record<string, unknown>>;

/** A change to what governs. Ids and hashes are made by the caller, so that a retry can be the same change. */
export type Change =
  | { kind: "create_organization"; name: string; member_id: string; member_name: string; settings: Settings }
  | { kind: "change_settings"; settings: Settings }
  /** `shown` is what the record says of it: a key, even sealed, is nobody's to export. */
  | { kind: "change_compiler"; compiler: Settings; shown: Settings }
  | { kind: "change_tools"; expected: number; table: Settings }
  | { kind: "add_member"; member_id: string; name: string; role: Role }
  | { kind: "change_member"; member_id: string; role: Role }
  | { kind: "remove_member"; member_id: string }
  | { kind: "create_agent"; agent_id: string; name: string; settings: Settings }
  | { kind: "change_agent"; agent_id: string; settings: Settings }
  | {
      kind: "create_key";
      agent_id: string;
      key_id: string;
      name: string;
      scopes: Scope[];
      secret_hash: string;
    }
  | { kind: "revoke_key"; agent_id: string; key_id: string }
  | { kind: "swear"; oath: string; expected: number; text: string; private: PrivateText }
  | { kind: "purge"; before: number }
  /** A session's object is about to be removed, its chain ending here. */
  | { kind: "retire_session"; root: string; seq: number; hash: string }
  | {
      kind: "note";
      what: "sign_in_link_created" | "signed_in" | "signed_out" | "exported";
      member_id: string;
      /** The link or the signed-in session that it is about: one that is not known here was made by nobody. */
      credential?: Credential;
      /** The signed-in session that ends. */
      ends?: string;
    }
  | SealingChange
  | AnchorChange
  | ContactChange;

/** A member's one-time link or signed-in session, as D1 holds it. The secret is known to whoever carries it alone. */
export interface Credential {
  readonly id: string;
  readonly secret_hash: string;
  readonly created_at: number;
  readonly expires_at: number;
}

export type Changed =
  | {
      readonly ok: true;
      readonly policy_version: number;
      readonly version: number;
      readonly at: number;
      /**
       * What D1 still needs, in order, up to this change. Whoever publishes this one publishes those before it too, or
       * an isolate could read the newer version without the older change. `null`: too much for one request.
       */
      readonly entries: readonly UndeliveredEntry[] | null;
    }
  | (Refused<"not-found" | "conflict" | "version-mismatch" | "forbidden"> & {
      readonly detail: string;
      readonly current?: number;
    });

/** Who may ask for a change (DESIGN §8). */
export const LEAST_ROLE: Readonly<Record<Change["kind"], Role>> = {
  create_organization: "owner",
  change_settings: "admin",
  change_compiler: "admin",
  change_tools: "admin",
  add_member: "owner",
  change_member: "owner",
  remove_member: "owner",
  create_agent: "admin",
  change_agent: "admin",
  create_key: "admin",
  revoke_key: "admin",
  swear: "owner",
  purge: "admin",
  retire_session: "admin",
  note: "viewer",
  anchor: "admin",
  rotate_signing_key: "owner",
  reseal_signing_key: "owner",
  checkpoint: "admin",
  restore: "owner",
  alert: "admin",
  acknowledge_alerts: "admin",
  // Whose channel or passkey it is decides the rest.
  add_channel: "approver",
  change_channel: "approver",
  remove_channel: "approver",
  add_passkey: "approver",
  remove_passkey: "viewer",
};

export type Rejected = Exclude<Changed, { ok: true }>;

/** What a change does: an entry for the chain, and rows for D1. */
export interface Effect {
  readonly kind: string;
  readonly body: Record<string, unknown>;
  readonly rows: Record<string, unknown>[];
  readonly private?: PrivateText;
  readonly governs?: boolean;
  readonly version?: number;
}

export function forbidden(detail: string): Rejected {
  return { ok: false, code: "forbidden", detail };
}

export function mismatch(what: string, current: number, expected: number): Rejected {
  return {
    ok: false,
    code: "version-mismatch",
    detail: `The ${what} in force is version ${current}, not ${expected}. Read it again and change that.`,
    current,
  };
}

export function notFound(detail: string): Rejected {
  return { ok: false, code: "not-found", detail };
}

export function conflict(detail: string): Rejected {
  return { ok: false, code: "conflict", detail };
}
