/** What people are told when the record is found not to be what it was. */
import type { LiveChannel } from "../db/channel-health.ts";
import { ROLES, type Role } from "../roles.ts";
import type { Matter, Notice, NoticeBox } from "./box.ts";
import { alertMessage } from "./message.ts";

/** `null` for alerts that are not known. */
export function alertMatterOf(box: NoticeBox, { subject }: Notice): Matter | null {
  const alerts = box.alerts(subject);
  if (alerts === null) return null;
  const { origin } = alerts;
  return {
    origin,
    isFor: mayLook,
    readiness: () => Promise.resolve("all"),
    message: () => Promise.resolve(alertMessage(alerts, `${origin}/record`)),
  };
}

/** Who reads the page that a message leads to, as their role is now; and whatever the organization itself listens by. */
function mayLook({ member_id, role }: LiveChannel): boolean {
  return member_id === null || ROLES.indexOf(role as Role) >= ROLES.indexOf("admin");
}
