/**
 * How an organization's people are reached and how they sign: channels and passkeys, as its object keeps them. A
 * member's own channel carries their links, so nobody else may set one up: whoever could would countersign as them.
 */
import { ROLES, type Role } from "../roles.ts";
import type { Registry } from "./registry.ts";

/** Bounds on what one organization holds. */
const MAX_CHANNELS = 200;
const MAX_PASSKEYS_PER_MEMBER = 20;

export type ContactChange =
  | {
      kind: "add_channel";
      channel_id: string;
      /** Where whoever sets it up works with us: what belongs to no request leads there. */
      origin: string;
      /** Whose own it is; `null` for the organization's. */
      member_id: string | null;
      channel_kind: string;
      name: string;
      events: readonly string[];
      /** Sealed: address and secrets. */
      target: string;
      /** What the record and its readers are shown of it. */
      shown: Readonly<Record<string, unknown>>;
    }
  | {
      kind: "change_channel";
      channel_id: string;
      origin: string;
      /** What is left out stays as it is: two changes at once must not undo each other. */
      name?: string;
      events?: readonly string[];
      /** `from`: the sealed target that it was made of; when it is another one by now, a secret of it would be lost. */
      target?: { from: string; to: string; shown: Readonly<Record<string, unknown>> };
    }
  | { kind: "remove_channel"; channel_id: string }
  | {
      kind: "add_passkey";
      member_id: string;
      credential_id: string;
      name: string;
      public_key: string;
      transports: readonly string[];
      /** The passkey of whoever asks that has signed for it, as the caller has checked; `null` for none. */
      signed_by: string | null;
    }
  | { kind: "remove_passkey"; member_id: string; credential_id: string; signed_by: string | null };

interface Channel {
  readonly member_id: string | null;
  readonly kind: string;
  readonly name: string;
  readonly events: readonly string[];
  readonly target: string;
  readonly shown: Readonly<Record<string, unknown>>;
  readonly created_at: number;
  readonly removed_at: number | null;
}

interface Passkey {
  readonly member_id: string;
  readonly name: string;
  readonly public_key: string;
  readonly transports: readonly string[];
  readonly created_at: number;
  readonly removed_at: number | null;
}

export interface ContactEffect {
  readonly kind: string;
  readonly body: Record<string, unknown>;
  readonly rows: Record<string, unknown>[];
}

export type ContactRefusal = {
  readonly ok: false;
  readonly code: "not-found" | "conflict" | "forbidden";
  readonly detail: string;
};

/**
 * Checks a change and makes it.
 * @param actor the member who asks, with the role on record; `null` for the operator
 */
export function changeContacts(
  registry: Registry,
  change: ContactChange,
  actor: { readonly member: string; readonly role: Role } | null,
  now: number,
): ContactEffect | ContactRefusal {
  switch (change.kind) {
    case "add_channel": {
      const { kind: _kind, channel_id, channel_kind, origin: _origin, ...rest } = change;
      const refused = mayNotSet(actor, change.member_id);
      if (refused !== null) return refused;
      if (change.member_id !== null && registry.get("member", change.member_id) === null)
        return no("not-found", "There is no such member.");
      if (
        registry.all<Channel>("channel").filter(({ removed_at }) => removed_at === null).length >=
        MAX_CHANNELS
      )
        return no("conflict", `An organization holds at most ${MAX_CHANNELS} channels.`);
      const channel: Channel = { ...rest, kind: channel_kind, created_at: now, removed_at: null };
      return keepChannel(registry, "channel_added", channel_id, channel);
    }
    case "change_channel": {
      const before = live(registry.get<Channel>("channel", change.channel_id));
      if (before === null) return no("not-found", "There is no such channel.");
      const refused = mayNotSet(actor, before.member_id);
      if (refused !== null) return refused;
      const { name = before.name, events = before.events, target } = change;
      if (target !== undefined && target.from !== before.target)
        return no("conflict", "The channel was changed in the meantime. Look at it, and try again.");
      const { to, shown } = target ?? { to: before.target, shown: before.shown };
      return keepChannel(registry, "channel_changed", change.channel_id, {
        ...before,
        name,
        events,
        target: to,
        shown,
      });
    }
    case "remove_channel": {
      const before = live(registry.get<Channel>("channel", change.channel_id));
      if (before === null) return no("not-found", "There is no such channel.");
      if (!isOwn(actor, before.member_id) && !isAtLeast(actor, "admin"))
        return no("forbidden", "Only its owner or an administrator removes a channel.");
      // Nobody is to be told there again: what it takes to do so goes.
      return keepChannel(registry, "channel_removed", change.channel_id, {
        ...before,
        target: "",
        removed_at: now,
      });
    }
    case "add_passkey": {
      if (!isOwn(actor, change.member_id)) return no("forbidden", "A passkey is added by whoever holds it.");
      const known = registry.get<Passkey>("passkey", change.credential_id);
      if (known !== null) return no("conflict", "This passkey is registered already.");
      const refused = mayNotSign(registry, actor, change.signed_by);
      if (refused !== null) return refused;
      const own = passkeysOf(registry, change.member_id);
      if (own.length >= MAX_PASSKEYS_PER_MEMBER)
        return no(
          "conflict",
          `A member holds at most ${MAX_PASSKEYS_PER_MEMBER} passkeys. Remove one first.`,
        );
      const { kind: _kind, credential_id, signed_by, ...rest } = change;
      const passkey = { ...rest, created_at: now, removed_at: null };
      return keepPasskey(registry, "passkey_added", credential_id, passkey, signed_by);
    }
    case "remove_passkey": {
      const before = live(registry.get<Passkey>("passkey", change.credential_id));
      if (before === null || before.member_id !== change.member_id)
        return no("not-found", "There is no such passkey.");
      if (!isOwn(actor, before.member_id) && !isAtLeast(actor, "owner"))
        return no("forbidden", "Only its holder or an owner removes a passkey.");
      const refused = mayNotSign(registry, actor, change.signed_by);
      if (refused !== null) return refused;
      const passkey = { ...before, removed_at: now };
      return keepPasskey(registry, "passkey_removed", change.credential_id, passkey, change.signed_by);
    }
  }
}

function keepChannel(registry: Registry, kind: string, id: string, channel: Channel): ContactEffect {
  registry.put("channel", id, channel);
  return {
    kind,
    body: {
      channel: id,
      channel_kind: channel.kind,
      member: channel.member_id,
      events: channel.events,
      shown: channel.shown,
    },
    rows: [{ op: "channel", channel_id: id, ...channel }],
  };
}

function keepPasskey(
  registry: Registry,
  kind: string,
  id: string,
  passkey: Passkey,
  signedBy: string | null,
): ContactEffect {
  registry.put("passkey", id, passkey);
  return {
    kind,
    body: { credential: id, member: passkey.member_id, signed_by: signedBy },
    rows: [{ op: "passkey", credential_id: id, ...passkey }],
  };
}

function passkeysOf(registry: Registry, member: string): Passkey[] {
  return registry
    .all<Passkey>("passkey")
    .filter((one) => one.member_id === member && one.removed_at === null);
}

/**
 * Why a change to passkeys that this one has signed is not made. Whoever has stolen a session could else add a key of
 * their own and countersign with it, or remove those that stand in the way.
 */
function mayNotSign(
  registry: Registry,
  actor: { member: string; role: Role } | null,
  signedBy: string | null,
): ContactRefusal | null {
  if (actor === null) return null;
  const signer = signedBy === null ? null : live(registry.get<Passkey>("passkey", signedBy));
  if (signer?.member_id === actor.member) return null;
  if (signedBy === null && passkeysOf(registry, actor.member).length === 0) return null;
  return no("forbidden", "You hold a passkey, so this takes a signature by one that you hold. Begin again.");
}

/** Why this member may not set up or change a channel of `owner`. */
function mayNotSet(
  actor: { member: string; role: Role } | null,
  owner: string | null,
): ContactRefusal | null {
  if (owner === null)
    return actor === null || isAtLeast(actor, "admin")
      ? null
      : no("forbidden", "Only an administrator sets up a channel of the organization.");
  if (isOwn(actor, owner)) return null;
  return no("forbidden", "A member's own channel carries their links: only they set it up.");
}

/** The operator's word counts as the member's: they make the sign-in links, too. */
function isOwn(actor: { member: string } | null, owner: string | null): boolean {
  return actor === null || (owner !== null && actor.member === owner);
}

function isAtLeast(actor: { role: Role } | null, least: Role): boolean {
  return actor === null || ROLES.indexOf(actor.role) >= ROLES.indexOf(least);
}

function live<T extends { readonly removed_at: number | null }>(row: T | null): T | null {
  return row === null || row.removed_at !== null ? null : row;
}

function no(code: ContactRefusal["code"], detail: string): ContactRefusal {
  return { ok: false, code, detail };
}
