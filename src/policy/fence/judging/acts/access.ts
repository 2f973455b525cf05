/** How much access a call gives, beside how much the words give: `share it with ana` is to look at it. */
import type { Act, Item } from "../../../types.ts";
import { asked, type Match, type Ready } from "./match.ts";

const LEVELS =
  /^(?:role|roles|role_name|share_role|permission|permissions|permission_level|access|access_level|access_role|level|privilege|privileges|rights|type|member_type|user_type)$/;
/** Arguments that open a thing to more than those who are named. */
const OPENS =
  /^(?:anyone|anyone_with_link|anyone_with_the_link|with_link|link_access|link_sharing|general_access|public|is_public|make_public|everyone|share_with_everyone|allow_anyone|publish|share_publicly)$/;
const SHUT = /^(?:false|0|no|none|never|off|restricted|private|)$/i;
const WIDENS = /reshare|can_share|can_invite|transfer_ownership|make_owner|allow_discovery|discoverable/;
const PUBLIC = /\bpublic|anyone|everyone|link\b|offentlich|öffentlich|publico|público|公开|任何人/i;

const isOn = (value: string): boolean => !SHUT.test(value.trim());

/** Whether the words speak of the public. */
export const saysPublic = (ready: Ready): boolean => PUBLIC.test(ready.quote);

/** Reading 1, changing 2, ruling 3. */
function levelOf(text: string): number {
  const folded = text.toLowerCase();
  if (
    /admin|owner|full[ _-]?(?:access|control)|^full$|\ball[ _-]access|manage|maintain|organi[sz]er|superuser|besitzer|eigentumer|eigentümer|vollzugriff|propietari|acceso total|管理|所有者|完全/.test(
      folded,
    )
  )
    return 3;
  if (/edit|writ|contribut|push|collaborat|modif|bearbeit|schreib|escrib|编辑|写/.test(folded)) return 2;
  return 1;
}

/** More access than was asked for, to more than were named, or a way for them to pass it on; `null` for none. */
export function widerAccess(ready: Ready, act: Act, items: readonly Item[]): Match | null {
  const gives =
    act.risk === "SHARE" ||
    ((act.risk === "COMMUNICATION" || act.risk === "EXTERNAL_WRITE") &&
      act.verbs.some((verb) => /^(?:invite|share|grant|add)$/.test(verb)));
  if (!gives) return null;
  if (items.some(({ name, value }) => WIDENS.test(name) && isOn(value))) return asked("scope-wider");
  if (items.some(({ name, value }) => OPENS.test(name) && isOn(value)) && !saysPublic(ready))
    return asked("scope-wider");
  const said = Math.max(1, levelOf(ready.quote));
  if (items.some(({ name, value }) => LEVELS.test(name) && levelOf(value) > said))
    return asked("scope-wider");
  return null;
}
