/** `/record`: receipts, checkpoints, the keys that sign them, and whether the copy still says what the ledgers say. */
import type { Context } from "hono";
import { listAlerts } from "../../db/alerts.ts";
import { listCheckpoints, readCheckpoint, readLatestCheckpoint } from "../../db/checkpoints.ts";
import { Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import { makeCheckpoint } from "../../http/checkpoints.ts";
import { checkpointsFile, MOST_CHECKPOINTS } from "../../http/checkpoints-file.ts";
import type { AppEnv } from "../../http/context.ts";
import { checkDrift } from "../../http/drift.ts";
import { streamOf } from "../../http/exporting.ts";
import { govern } from "../../http/governing.ts";
import { identityOf, receiptOf } from "../../http/receipts.ts";
import { restoreFor } from "../../http/restoring.ts";
import { newRouter } from "../../http/router.ts";
import { keysOnRecord, logName, OVERLAP_DAYS, rotateSigningKey } from "../../http/signing-keys.ts";
import { orFormAgain, page, readForm } from "./access.tsx";
import { frameOf, sendPage } from "./layout.tsx";
import { RecordPage, type RecordPageProps } from "./record-page.tsx";

/** Of one page; older ones are the API's. */
const SHOWN = 20;
const MOST_ALERTS = 50;
/** A form looks for this long at most. */
const LOOKS_FOR_MS = 10_000;

export const recordPages = newRouter();

recordPages.get("/record", page({ operation: "viewRecord" }), async (c) => {
  const done = (["sealed", "unmoved", "rotated", "seen"] as const).find((one) => one === c.req.query("done"));
  return sendPage(c, <RecordPage {...(await recordOf(c))} {...(done === undefined ? {} : { done })} />);
});

recordPages.get("/record/checkpoint", page({ operation: "downloadCheckpoint" }), async (c) => {
  const number = Number(c.req.query("number"));
  const row = Number.isSafeInteger(number)
    ? await readCheckpoint(c.env.DB, memberCaller(c).organization, number)
    : null;
  if (row === null) throw new Problem("not-found", "There is no such checkpoint.");
  return c.body(row.note, 200, {
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": `attachment; filename="checkpoint-${row.number}.txt"`,
    "cache-control": "no-store",
  });
});

recordPages.get("/record/checkpoints.json", page({ operation: "downloadCheckpoints" }), async (c) => {
  const { organization } = memberCaller(c);
  const newest = (await readLatestCheckpoint(c.env.DB, organization))?.number ?? 1;
  // The newest say all that the older ones said: their tree holds every leaf.
  const first = Math.max(1, newest - MOST_CHECKPOINTS + 1);
  const wish = { first, limit: MOST_CHECKPOINTS, leaves: true };
  const { last, pieces } = await checkpointsFile(c.env, organization, wish);
  return c.body(await streamOf(pieces, ""), 200, {
    "content-type": "application/json",
    "content-disposition": `attachment; filename="checkpoints-${first}-${last}.json"`,
    "cache-control": "no-store",
  });
});

recordPages.get("/record/receipt", page({ operation: "downloadReceipt" }), async (c) => {
  const identity = identityOf(memberCaller(c).organization, c.req.query("chain") ?? "");
  const seq = Number(c.req.query("seq"));
  if (identity === null || !Number.isSafeInteger(seq) || seq < 1)
    throw new Problem("not-found", "There is no such entry.");
  try {
    return c.body(await receiptOf(c.env, identity, seq, false), 200, {
      "content-type": "application/json",
      "content-disposition": `attachment; filename="receipt-${seq}.json"`,
      "cache-control": "no-store",
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "not-sealed-yet") throw error;
    throw new Problem(
      error.code,
      "No checkpoint covers this entry yet. The clock makes one within minutes; an admin makes one at once on the page of the record.",
    );
  }
});

recordPages.post(
  "/record/checkpoints",
  page({ operation: "makeCheckpoint", role: "admin", act: "make a checkpoint" }),
  async (c) => {
    const { organization, member } = memberCaller(c);
    const wish = { origin: new URL(c.req.url).origin, actor: member, fresh: true };
    const { made } = await orFormAgain(
      c,
      () => makeCheckpoint(c.env, organization, Date.now(), wish),
      again(c),
    );
    return c.redirect(`/record?done=${made ? "sealed" : "unmoved"}#result`, 303);
  },
);

recordPages.post(
  "/record/check",
  page({ operation: "checkDrift", role: "admin", act: "have the copy compared" }),
  async (c) => {
    const { organization } = memberCaller(c);
    const now = Date.now();
    const typed = Number((await readForm(c)).get("since"));
    const since = Number.isSafeInteger(typed) && typed > 0 ? Math.min(typed, now) : now;
    const report = await orFormAgain(
      c,
      () => checkDrift(c.env, organization, now, { since, until: now + LOOKS_FOR_MS }),
      again(c),
    );
    return sendPage(c, <RecordPage {...(await recordOf(c))} compared={{ ...report, since }} />);
  },
);

recordPages.post(
  "/record/restore",
  page({ operation: "restoreCopy", role: "owner", act: "have the copy put back" }),
  async (c) => {
    const cursor = (await readForm(c)).get("cursor") ?? "";
    const restored = await orFormAgain(
      c,
      () => restoreFor(c, memberCaller(c), cursor === "" ? undefined : cursor),
      again(c),
    );
    return sendPage(c, <RecordPage {...(await recordOf(c))} restored={restored} />);
  },
);

recordPages.post(
  "/record/alerts",
  page({ operation: "acknowledgeAlerts", role: "admin", act: "say that alerts were seen" }),
  async (c) => {
    const { organization, member } = memberCaller(c);
    const through = Number((await readForm(c)).get("through"));
    await orFormAgain(
      c,
      () => {
        if (!Number.isSafeInteger(through) || through < 1)
          throw new Problem("invalid-request", "The form does not say which alerts were seen.");
        return govern(c, organization, { kind: "acknowledge_alerts", through }, member);
      },
      again(c),
    );
    return c.redirect("/record?done=seen#result", 303);
  },
);

recordPages.post(
  "/record/keys",
  page({ operation: "rotateSigningKey", role: "owner", act: "make a new signing key" }),
  async (c) => {
    const { organization, member } = memberCaller(c);
    const leaked = (await readForm(c)).get("leaked") === "yes";
    const what = {
      name: logName(c.env, organization, new URL(c.req.url).origin),
      overlapDays: leaked ? 0 : OVERLAP_DAYS,
      actor: member,
      request: c.get("requestId"),
    };
    await orFormAgain(c, () => rotateSigningKey(c.env, organization, what), again(c));
    return c.redirect("/record?done=rotated#result", 303);
  },
);

function again(c: Context<AppEnv>) {
  return async (problem: Problem) => <RecordPage {...(await recordOf(c))} refused={problem.message} />;
}

async function recordOf(c: Context<AppEnv>): Promise<RecordPageProps> {
  const { organization, role } = memberCaller(c);
  const [frame, checkpoints, keys, alerts] = await Promise.all([
    frameOf(c),
    listCheckpoints(c.env.DB, organization, Number.MAX_SAFE_INTEGER, SHOWN),
    keysOnRecord(c.env, organization),
    listAlerts(c.env.DB, organization, MOST_ALERTS),
  ]);
  const origin = c.get("config").publicOrigin ?? new URL(c.req.url).origin;
  return {
    frame,
    checkpoints,
    keys,
    alerts,
    keysAddress: `${origin}/.well-known/countersign/${organization}/keys`,
    isAdmin: hasRole(role, "admin"),
    isOwner: hasRole(role, "owner"),
    now: Date.now(),
  };
}
