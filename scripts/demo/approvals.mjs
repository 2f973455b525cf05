/** A person countersigns: the exact action on a page behind a link, one button, one run. */
import { must } from "../lib/client.mjs";
import { answers, aside, chapter, expect, tells } from "./stage.mjs";

const SEND = "mcp_gmail_send_message";
const MAIL = { to: "jane@example.com", body: "The summary, as promised." };

export async function tellOfApprovals(agent, send, cookie) {
  chapter(15, "A person countersigns, exactly once, from a phone");
  const session = "phone";
  await agent.open(session);
  tells("Olivia", '"Email the summary to my team."');
  await agent.turn(session, "Email the summary to my team.");
  const { call_id, decision } = await agent.ask(session, SEND, MAIL, "ask");
  const { id } = decision.approval;
  const { url } = (await must(send, "POST", `/v1/approvals/${id}/links`, { cookie })).json;
  const path = new URL(url).pathname;
  aside("The agent waits; Olivia opens the link on her phone.");
  const waiting = agent.askAs(call_id, session, SEND, MAIL, "allow", {}, { prefer: "wait=25" });
  // Where the story ends before it is asked for, its own end is what is told.
  waiting.catch(() => {});
  const page = (await must(send, "GET", path)).text;
  for (const shown of [MAIL.to, MAIL.body, decision.action_digest])
    expect(`whether the page shows ${shown}`, page.includes(shown), true);
  const looked = (await must(send, "GET", `/v1/approvals/${id}`, { cookie })).json;
  expect("the approval after its page was opened", looked.approval.status, "pending");
  tells("Olivia", "sees to whom it goes and what it says, and presses Approve once");
  const tap = { decision: "approve", action_digest: decision.action_digest };
  await press(send, path, tap);
  const ran = await waiting;
  expect("the grant of the call that waited", ran.approval.grant, "spent");
  await agent.report(session, call_id, { outcome: "success" });
  tells("Olivia", "presses Deny on another device, too late");
  await press(send, path, { ...tap, decision: "deny" });
  const stands = (await must(send, "GET", `/v1/approvals/${id}`, { cookie })).json.approval;
  answers(stands.status, "the first answer stands, and who gave it");
  expect("the approval after a late tap", [stands.status, stands.grant], ["approved", "reported"]);
  aside("The same mail once more is another question:");
  const again = await agent.ask(session, SEND, MAIL, "ask");
  expect("whether it is another approval", again.decision.approval.id === id, false);
}

/** As a browser sends the form: it is led back to the page, which says what was decided. */
async function press(send, path, form) {
  const { status } = await send("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  });
  expect(`the answer to ${form.decision}`, status, 303);
}
