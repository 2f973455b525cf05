/** An action that an approver changes on the page before they approve it: a call of its own, judged anew. */
import fc from "fast-check";
import { describe, it } from "vitest";
import { editableJson } from "../../src/routes/approve/edit-text.ts";
import { textAreaOf, wordsOf } from "../dashboard/support.ts";
import { ask, ledgerOf, send, swear } from "../support/api.ts";
import {
  ASKING,
  again,
  approveWith,
  asked,
  COMMAND,
  linkOf,
  press,
  refusalsOf,
  statusOf,
} from "./support.ts";

/** What the page's own text area holds; the first one is that of a reason. */
function argsOn(page: string): string | undefined {
  return textAreaOf(page.slice(page.indexOf('<textarea id="args"')));
}

describe("a changed action", () => {
  it("takes the place of what was asked, and runs once as it was changed", async ({ expect }) => {
    const one = await asked(undefined, ASKING);
    const path = await linkOf(one);
    const page = await send(path);
    expect(JSON.parse(argsOn(page.text) ?? "")).toEqual({ command: COMMAND });
    const args = JSON.stringify({ command: "git push origin branch" }, null, 2).replaceAll("\n", "\r\n");
    const edit = { decision: "approve", action_digest: one.digest, args };
    const pressed = await press(path, edit);
    expect(pressed.status, pressed.text).toBe(303);
    expect(pressed.headers.get("location")).toBe(path);
    const words = wordsOf((await send(path)).text);
    for (const part of ["You changed it", "What it was changed into", "git push origin branch", "Approved"])
      expect(words).toContain(part);
    // The same form again: it was decided before.
    expect((await press(path, edit)).headers.get("location")).toBe(`${path}?late`);
    const blocked = (await again(one)).json;
    expect(blocked.verdict).toBe("block");
    expect(blocked.approval.edited).toEqual({
      tool: "terminal",
      args: { command: "git push origin branch" },
    });
    const call = { tool: "terminal", args: { command: "git push origin branch" } };
    expect((await ask(one.tenant, one.session, call)).json.verdict).toBe("allow");
    expect((await ask(one.tenant, one.session, call)).json.verdict).toBe("ask");
    const kinds = (await ledgerOf(one.tenant, one.session)).map(({ entry }) => entry.kind);
    expect(kinds).toContain("approval_edited");
    expect(await statusOf(one)).toBe("denied");
  });

  it("is blocked where what it was changed into is, and nothing that was typed is lost", async ({
    expect,
  }) => {
    const one = await asked({ tool: "terminal", args: { command: "rm -rf ~/tmp" } });
    await swear(one.tenant, "never delete: ~/notes/**");
    const path = await linkOf(one);
    const args = '{"command": "rm -rf ~/notes"}';
    const refused = await press(path, { decision: "approve", action_digest: one.digest, args });
    expect(refused.status).toBe(409);
    expect(wordsOf(refused.text)).toContain("What you made of the action is blocked");
    expect(argsOn(refused.text)).toBe(args);
    expect(await statusOf(one)).toBe("pending");
    expect((await refusalsOf(one)).map(({ code }) => code)).toEqual(["edit-blocked"]);
  });

  it("has to be a change of what was shown, and something that is read in one way alone", async ({
    expect,
  }) => {
    const one = await asked();
    const path = await linkOf(one);
    const cases: [string, Record<string, string>, number, string][] = [
      ["unchanged", { args: JSON.stringify({ command: COMMAND }) }, 409, "unchanged"],
      ["of another action", { args: "{}", action_digest: "0".repeat(64) }, 409, "digest-mismatch"],
      ["two values", { args: '{"command":"a","command":"b"}' }, 422, "invalid-request"],
      ["a lone surrogate", { args: '{"command":"\\ud800"}' }, 422, "invalid-request"],
      ["no JSON", { args: "git push" }, 422, "invalid-request"],
      ["no object", { args: '["git push"]' }, 409, "edit-blocked"],
    ];
    for (const [what, fields, status, code] of cases) {
      const answer = await press(path, { decision: "approve", action_digest: one.digest, ...fields });
      expect(answer.status, what).toBe(status);
      expect((await refusalsOf(one)).at(-1), what).toMatchObject({ code, status });
      expect(argsOn(answer.text), what).toBe(fields["args"]);
    }
    expect(await statusOf(one)).toBe("pending");
    // Beside another button, what was changed means nothing.
    const denied = { decision: "deny", action_digest: one.digest, args: '{"command":"ls"}' };
    expect((await press(path, denied)).status).toBe(303);
    expect(await statusOf(one)).toBe("denied");
  });

  it("waits for others and for their passkeys where they are demanded", async ({ expect }) => {
    const risks = ["EXTERNAL_WRITE", "EXECUTE", "NETWORK"];
    const args = '{"command":"git push origin branch"}';
    for (const demand of [{ people: 2 }, { passkey: true }, { signed_in: true }]) {
      const one = await asked(undefined, { ...ASKING, approvals: { demands: [{ risks, ...demand }] } });
      const path = await linkOf(one);
      const edit = { decision: "approve", action_digest: one.digest, args };
      if (!("people" in demand)) {
        expect((await send(path)).text).not.toContain('name="args"');
        expect((await press(path, edit)).status).toBe(403);
        expect(await statusOf(one)).toBe("pending");
      }
      const pressed = await press(path, edit, { cookie: one.tenant.cookie });
      expect(pressed.status).toBe(303);
      expect(await statusOf(one)).toBe("denied");
      const location = pressed.headers.get("location") ?? "";
      const call = { tool: "terminal", args: JSON.parse(args) };
      const asks = (await ask(one.tenant, one.session, call)).json;
      if ("signed_in" in demand) {
        expect(location).toBe(path);
        expect(asks.verdict).toBe("allow");
      } else {
        expect(location).toBe(`/approvals/${asks.approval.id}`);
        expect(asks.verdict).toBe("ask");
        expect(wordsOf((await send(path)).text)).toContain("It waits for more");
      }
    }
  });

  it("cannot carry over what nobody sees in it", async ({ expect }) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(editableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const odd = { "a\u202e": "\u200b\u{e0041}\u00a0x\ny\u0000</textarea><script>" };
    const text = editableJson(odd);
    expect(JSON.parse(text)).toEqual(odd);
    expect(text).not.toMatch(/[\u202e\u200b\u00a0\u{e0041}]/u);
    expect(text).toContain("\\udb40\\udc41");
    const one = await asked(
      { tool: "send_email", args: { to: "a@example.com", body: "x\u202ey</textarea>" } },
      ASKING,
    );
    const page = await send(await linkOf(one));
    expect(argsOn(page.text)).toContain('"body": "x\\u202ey</textarea>"');
    expect((await approveWith(await linkOf(one), one)).status).toBe(303);
  });
});
