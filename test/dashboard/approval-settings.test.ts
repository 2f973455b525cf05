/** The settings of approvals, on the settings' page. */
import { describe, it } from "vitest";
import { APPROVAL_FIELDS, howId, peopleId } from "../../src/routes/dashboard/approval-settings-values.ts";
import { fieldsOf, settingsFrom } from "../../src/routes/dashboard/settings-values.ts";
import { ledgerOf, must, newMember, newTenant, type Tenant } from "../support/api.ts";
import { type Fields, fieldOf, open, post, wordsOf } from "./support.ts";

const rowsOf = async (tenant: Tenant) =>
  (await ledgerOf(tenant)).map(({ entry, body }) => ({ kind: entry.kind, ...body }));

describe("the settings of approvals", () => {
  const inForce = async (tenant: Tenant) =>
    (await must("/v1/organization", { cookie: tenant.cookie })).json.settings;

  /** Everything as it stands, as a browser would send it, but for what is changed. */
  async function save(tenant: Tenant, changes: Fields, cookie = tenant.cookie) {
    const page = await open("/settings", cookie);
    const expected = fieldOf(page.text, "expected") ?? "";
    const { hash_limit_bytes: _default, ...stored } = await inForce(tenant);
    const fields = Object.entries(fieldsOf(stored)).map(([id, text]) => [
      id,
      id.endsWith("except") ? text.split("\n").filter((one) => one !== "") : text,
    ]);
    return post("/settings", cookie, { expected, ...Object.fromEntries(fields), ...changes });
  }

  it("are saved as the API takes them, and shown as they are", async ({ expect }) => {
    const tenant = await newTenant("Settings", {});
    const saved = await save(tenant, {
      "approvals-expires_after_seconds": "120",
      "approvals-grant_lasts_seconds": " 300 ",
      [peopleId("DELETE")]: "2",
      [peopleId("SHARE")]: "2",
      [howId("FINANCIAL")]: "passkey",
      "approvals-quiet_hours-time_zone": "Europe/Berlin",
      "approvals-quiet_hours-from": "22:00",
      "approvals-quiet_hours-to": "07:00",
      "approvals-quiet_hours-asks": "block",
      "approvals-quiet_hours-except": ["FINANCIAL", "CREDENTIAL"],
    });
    expect(saved.status, wordsOf(saved.text).slice(0, 600)).toBe(303);
    const approvals = {
      expires_after_seconds: 120,
      grant_lasts_seconds: 300,
      demands: [
        { risks: ["DELETE", "SHARE"], people: 2 },
        { risks: ["FINANCIAL"], passkey: true },
      ],
      quiet_hours: {
        time_zone: "Europe/Berlin",
        from: "22:00",
        to: "07:00",
        asks: "block",
        except: ["FINANCIAL", "CREDENTIAL"],
      },
    };
    expect((await inForce(tenant)).approvals).toEqual(approvals);
    expect((await rowsOf(tenant)).at(-1)).toMatchObject({
      kind: "settings_changed",
      by: tenant.owner,
      settings: { approvals },
    });
    const page = (await open("/settings", tenant.cookie)).text;
    expect(fieldOf(page, "approvals-expires_after_seconds")).toBe("120");
    expect(page).toMatch(
      new RegExp(`id="${peopleId("SHARE")}"[\\s\\S]{0,200}<option value="2" selected="">`),
    );
    expect(page).toContain('name="approvals-quiet_hours-except" value="FINANCIAL" checked=""');
    const same = await save(tenant, {});
    expect(same.status).toBe(303);
    expect((await inForce(tenant)).approvals).toEqual(approvals);
    const { cookie } = await newMember(tenant, "viewer");
    const shown = wordsOf((await open("/settings", cookie)).text);
    expect(shown).toContain("For these people are told at once all the same: FINANCIAL, CREDENTIAL");
    expect(shown).toMatch(/DELETE deletes, here or elsewhere\n2\na link is enough/);
    const emptied = await save(
      tenant,
      Object.fromEntries(APPROVAL_FIELDS.map(({ id, kind }) => [id, kind === "set" ? [] : ""])),
    );
    expect(emptied.status).toBe(303);
    expect(await inForce(tenant)).not.toHaveProperty("approvals");
  });

  it("keep rows that say the same in another way, and every demand of a class with several", async ({
    expect,
  }) => {
    const demands = [
      { risks: ["DELETE", "WRITE"], signed_in: true },
      { risks: ["DELETE"], people: 3 },
    ];
    const stored = { approvals: { demands } };
    expect(settingsFrom(fieldsOf(stored), stored)).toEqual(stored);
    const fields = { ...fieldsOf(stored), [peopleId("WRITE")]: "2" };
    expect(settingsFrom(fields, stored)).toEqual({
      approvals: {
        demands: [
          { risks: ["WRITE"], people: 2, signed_in: true },
          { risks: ["DELETE"], people: 3, signed_in: true },
        ],
      },
    });
  });

  it("take no value that the API would not, and lose nothing that was typed", async ({ expect }) => {
    const tenant = await newTenant("Settings", {});
    const before = await inForce(tenant);
    for (const [changes, said] of [
      [
        { "approvals-expires_after_seconds": "29" },
        "Seconds to answer: Write a whole number of seconds from 30",
      ],
      [{ "approvals-grant_lasts_seconds": "1e3" }, "Seconds to run it: Write a whole number of seconds"],
      [{ [peopleId("DELETE")]: "9" }, "What it takes to approve an action: Choose one of what is offered."],
      [{ [howId("DELETE")]: "anyhow" }, "What it takes to approve an action: Choose one of what is offered."],
      [{ "approvals-quiet_hours-from": "22:00" }, "Time zone of the quiet hours: Write a time zone such as"],
      [
        {
          "approvals-quiet_hours-time_zone": "Mars/Olympus",
          "approvals-quiet_hours-from": "25:00",
          "approvals-quiet_hours-to": "07:00",
        },
        "Quiet from: Write a time such as 22:00",
      ],
      [
        {
          "approvals-quiet_hours-time_zone": "UTC",
          "approvals-quiet_hours-from": "07:00",
          "approvals-quiet_hours-to": "07:00",
        },
        "Quiet until: Write another time than they begin at",
      ],
      [{ "approvals-quiet_hours-except": ["NOTHING"] }, "Told at once all the same: Choose one"],
    ] as const) {
      const page = await save(tenant, { "fence-loop_limit": "8", ...changes });
      expect(page.status, said).toBe(422);
      expect(wordsOf(page.text)).toContain(said);
      expect(fieldOf(page.text, "fence-loop_limit")).toBe("8");
      for (const [id, value] of Object.entries(changes))
        if (/seconds|from|to$|zone/.test(id)) expect(fieldOf(page.text, id)).toBe(value);
      expect((await rowsOf(tenant)).at(-1)).toMatchObject({ kind: "refusal", code: "invalid-request" });
      expect(await inForce(tenant)).toEqual(before);
    }
  });
});
