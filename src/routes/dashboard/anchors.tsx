/**
 * `/anchors`: digests that were stamped with OpenTimestamps, and the form that has another one stamped;
 * `/anchors/settings`: the calendars; `/anchors/{anchor}`: what one establishes, its proof, and its block's header.
 */
import type { Context } from "hono";
import { listAnchors, wakeAnchors } from "../../db/anchors.ts";
import { readOrganization } from "../../db/governance.ts";
import { Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import { anchoringOf } from "../../http/anchor-state.ts";
import {
  addHeader,
  anchorFile,
  anchorOf,
  makeAnchor,
  NewAnchor,
  proofDisposition,
  shownAnchor,
} from "../../http/anchors.ts";
import { contentTag } from "../../http/content-tag.ts";
import type { AppEnv } from "../../http/context.ts";
import { MAX_CURSOR_CHARACTERS, readCursor, writeCursor } from "../../http/cursor.ts";
import { reachOf } from "../../http/drafting.ts";
import { faultsOf } from "../../http/faults.ts";
import { govern } from "../../http/governing.ts";
import { newRouter } from "../../http/router.ts";
import { type AnchoringSettings, anchoringFaults } from "../../http/settings.ts";
import { OrganizationSettings } from "../organizations.ts";
import { orFormAgain, page, readForm } from "./access.tsx";
import { AnchorPage, type AnchorPageProps } from "./anchor-page.tsx";
import { momentOf } from "./anchor-words.ts";
import { AnchorsPage, type AnchorsPageProps, type CalendarsDraft } from "./anchors-page.tsx";
import { FormProblem } from "./form-problem.ts";
import { frameOf, sendPage } from "./layout.tsx";

const SHOWN = 20;
/** Seven addresses of the largest size, in a form's encoding. */
const CALENDARS_BYTES = 128 * 1024;

export const anchorPages = newRouter();

anchorPages.get("/anchors", page({ operation: "viewAnchors" }), async (c) =>
  sendPage(c, <AnchorsPage {...(await anchorsOf(c))} saved={c.req.query("done") === "saved"} />),
);

anchorPages.post(
  "/anchors",
  page({ operation: "makeAnchor", role: "admin", act: "have something stamped" }),
  async (c) => {
    const form = await readForm(c);
    const typed = {
      reference: (form.get("reference") ?? "").trim(),
      digest: (form.get("digest") ?? "").trim().toLowerCase(),
      published: (form.get("published") ?? "").trim(),
    };
    const again = async (refused: string) => (
      <AnchorsPage {...(await anchorsOf(c))} typed={typed} refused={refused} />
    );
    const refuse = async (why: string): Promise<never> => {
      throw new FormProblem("invalid-request", why, await again(why));
    };
    const published = momentOf(typed.published);
    if (published === undefined) return refuse("Write the time of publishing as 2026-01-31 14:00, in UTC.");
    if (!/^[0-9a-f]{64}$/.test(typed.digest))
      return refuse("A SHA-256 is 64 hex digits: choose a file, or type it.");
    const wish = NewAnchor.safeParse({
      reference: typed.reference,
      digest: typed.digest,
      private: true,
      ...(published === null ? {} : { published_at: published }),
    });
    if (!wish.success) {
      const [fault] = faultsOf("json", wish.error);
      return refuse(`Reference: ${fault?.detail ?? "this cannot be one"}.`);
    }
    const { anchor, made } = await orFormAgain(
      c,
      () => makeAnchor(c, wish.data),
      (problem) => again(problem.message),
    );
    return c.redirect(`/anchors/${anchor.anchor}?done=${made ? "made" : "known"}#result`, 303);
  },
);

anchorPages.post(
  "/anchors/settings",
  page({ operation: "changeSettings", role: "admin", act: "set calendars" }),
  async (c) => {
    const form = await readForm(c, CALENDARS_BYTES);
    const draft: CalendarsDraft = {
      calendars: form.get("calendars") ?? "",
      headers: (form.get("headers") ?? "").trim(),
      checkpoints: form.get("checkpoints") === "yes",
    };
    const props = await anchorsOf(c);
    const refuse = (why: string): never => {
      throw new FormProblem(
        "invalid-request",
        why,
        <AnchorsPage {...props} calendars={{ ...props.calendars, draft, refused: why }} />,
      );
    };
    if (form.get("expected") !== props.calendars.tag)
      return refuse("Somebody changed these settings in the meantime. Look at them and save again.");
    const caller = memberCaller(c);
    const stored = await storedSettings(c);
    const wish = OrganizationSettings.safeParse({ ...stored, anchoring: anchoringFrom(draft) });
    const faults = wish.success
      ? anchoringFaults(wish.data.anchoring, reachOf(c))
      : faultsOf("json", wish.error);
    const [fault] = faults;
    if (!wish.success || fault !== undefined) {
      const number = /\/calendars\/(\d+)$/.exec(fault?.pointer ?? "")?.[1];
      const what = number === undefined ? "" : `Line ${Number(number) + 1}: `;
      return refuse(`${what}${fault?.detail ?? "This cannot be saved."}`);
    }
    await orFormAgain(
      c,
      () => govern(c, caller.organization, { kind: "change_settings", settings: wish.data }, caller.member),
      (problem) => (
        <AnchorsPage {...props} calendars={{ ...props.calendars, draft, refused: problem.message }} />
      ),
    );
    await wakeAnchors(c.env.DB, caller.organization, Date.now());
    return c.redirect("/anchors?done=saved#calendars", 303);
  },
);

anchorPages.get("/anchors/:anchor", page({ operation: "viewAnchor" }), async (c) => {
  const done = (["made", "known", "header"] as const).find((one) => one === c.req.query("done"));
  const published = momentOf(c.req.query("published") ?? "");
  const props = await anchorPage(c, c.req.param("anchor"), published ?? undefined);
  return sendPage(
    c,
    <AnchorPage
      {...props}
      {...(done === undefined ? {} : { done })}
      {...(published === undefined ? { refused: "Write a time as 2026-01-31 14:00, in UTC." } : {})}
    />,
  );
});

anchorPages.get("/anchors/:anchor/proof.ots", page({ operation: "downloadAnchorProof" }), async (c) => {
  const id = c.req.param("anchor");
  return c.body(await anchorFile(c, id), 200, {
    "content-type": "application/vnd.opentimestamps.v1",
    "content-disposition": proofDisposition(await anchorOf(c, id)),
    "cache-control": "no-store",
  });
});

anchorPages.post("/anchors/:anchor/headers", page({ operation: "addAnchorHeader" }), async (c) => {
  const id = c.req.param("anchor");
  const form = await readForm(c);
  const typed = { height: (form.get("height") ?? "").trim(), header: (form.get("header") ?? "").trim() };
  await orFormAgain(
    c,
    async () => {
      if (!/^(0|[1-9]\d{0,8})$/.test(typed.height))
        throw new Problem("invalid-request", "The height of a block is a whole number.");
      await addHeader(c, id, { height: Number(typed.height), header: typed.header.replace(/\s+/g, "") });
    },
    async (problem) => (
      <AnchorPage
        {...(await anchorPage(c, id))}
        typed={typed}
        refused={problem.details.errors?.[0]?.detail ?? problem.message}
      />
    ),
  );
  return c.redirect(`/anchors/${encodeURIComponent(id)}?done=header#result`, 303);
});

async function anchorPage(c: Context<AppEnv>, id: string, publishedAt?: number): Promise<AnchorPageProps> {
  const row = await anchorOf(c, id);
  return { frame: await frameOf(c), anchor: shownAnchor(row, publishedAt), asked: publishedAt };
}

async function storedSettings(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const row = await readOrganization(c.env.DB, memberCaller(c).organization);
  const { compiler: _compiler, ...stored } = JSON.parse(row?.settings ?? "{}") as Record<string, unknown>;
  return stored;
}

/** What is left empty is not set. */
function anchoringFrom({ calendars, headers, checkpoints }: CalendarsDraft): AnchoringSettings {
  const urls = calendars.split(/\s+/).filter((line) => line !== "");
  return {
    ...(urls.length === 0 ? {} : { calendars: urls }),
    ...(headers === "" ? {} : { headers }),
    ...(checkpoints ? { checkpoints } : {}),
  };
}

async function anchorsOf(c: Context<AppEnv>): Promise<AnchorsPageProps> {
  const { organization, role } = memberCaller(c);
  const cursor = c.req.method === "GET" ? c.req.query("before") : undefined;
  if (cursor !== undefined && cursor.length > MAX_CURSOR_CHARACTERS)
    throw new Problem("not-found", "There is no such page.");
  const before = cursor === undefined ? undefined : readCursor(cursor);
  const [frame, rows, settings] = await Promise.all([
    frameOf(c),
    listAnchors(
      c.env.DB,
      organization,
      before === undefined ? undefined : { at: before.at, id: before.chain },
      SHOWN + 1,
    ),
    storedSettings(c),
  ]);
  const { calendars = [], headers = "", checkpoints = false } = anchoringOf(JSON.stringify(settings));
  const shown = rows.slice(0, SHOWN);
  const last = rows.length > SHOWN ? shown.at(-1) : undefined;
  return {
    frame,
    anchors: shown.map((row) => shownAnchor(row)),
    isFirst: before === undefined,
    next: last === undefined ? null : writeCursor({ at: last.created_at, chain: last.anchor_id, seq: 0 }),
    calendars: {
      draft: { calendars: calendars.join("\n"), headers, checkpoints },
      tag: contentTag(JSON.stringify(settings["anchoring"] ?? {})),
    },
    mayEdit: hasRole(role, "admin"),
  };
}
