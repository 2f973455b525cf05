/** The frame of every page, and how a page is sent. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { countAlerts } from "../../db/alerts.ts";
import { countPending } from "../../db/approvals.ts";
import { readOrganization } from "../../db/governance.ts";
import { hasRole, type MemberCaller, memberCaller } from "../../http/access.ts";
import type { AppEnv } from "../../http/context.ts";
import { type Asset, assetUrl } from "./assets/index.ts";
import { Mark } from "./marks.tsx";
import { Recorded, visible } from "./recorded.tsx";

const NAVIGATION = [
  ["/", "Decisions"],
  ["/approvals", "Approvals"],
  ["/evidence", "Evidence"],
  ["/oath", "Oath"],
  ["/tools", "Tools"],
  ["/agents", "Agents"],
  ["/members", "Members"],
  ["/docs", "API"],
] as const;
/** Where a page belongs. The settings stand beside who looks: on a phone the navigation is full. */
export type Place = (typeof NAVIGATION)[number][0] | "/settings";

/** Who looks, and at whose pages; `null` for pages that need nobody. */
export interface Frame {
  readonly member: MemberCaller;
  readonly organization: string;
  /** Approvals that wait for an answer, up to {@link MOST_COUNTED}. */
  readonly pending: number;
  /** Alerts that nobody has seen; 0 for whom they do not concern. */
  readonly alerts: number;
}

/** More are not counted: nobody reads a larger number. */
const MOST_COUNTED = 100;

export interface PageProps {
  readonly title: string;
  readonly frame: Frame | null;
  readonly place?: Place;
  readonly scripts?: readonly Asset[];
  readonly wide?: boolean;
  readonly children?: Child;
}

/** What the frame says of the signed-in member. Its reads are made at once; the access check has set the caller. */
export async function frameOf(c: Context<AppEnv>): Promise<Frame> {
  const member = memberCaller(c);
  const [organization, pending, alerts] = await Promise.all([
    readOrganization(c.env.DB, member.organization),
    countPending(c.env.DB, member.organization, Date.now(), MOST_COUNTED),
    hasRole(member.role, "admin") ? countAlerts(c.env.DB, member.organization, MOST_COUNTED) : 0,
  ]);
  return { member, organization: organization?.name ?? "", pending, alerts };
}

/** A whole document. */
export function Page({ title, frame, place, scripts = [], wide = false, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{visible(title)} · Countersign</title>
        <link rel="icon" href={assetUrl("/favicon.svg")} type="image/svg+xml" />
        {frame === null ? null : (
          <>
            <link rel="manifest" href="/manifest.webmanifest" />
            <link rel="apple-touch-icon" href="/icon-192.png" />
          </>
        )}
        <link rel="stylesheet" href={assetUrl("/assets/style.css")} />
        {scripts.map((script) => (
          <script src={assetUrl(script)} defer />
        ))}
      </head>
      <body class={wide ? "wide" : ""}>
        <a class="skip button" href="#main">
          Skip to the content
        </a>
        <Bar frame={frame} place={place} />
        {frame === null || frame.alerts === 0 ? null : <Alarm count={frame.alerts} />}
        <main id="main" tabindex={-1}>
          {children}
        </main>
        <footer class="foot">
          <div class="foot-inner">
            <p>
              Countersign sees what the harness sends. What an allowed command does inside itself is not
              checked.
            </p>
            <p>
              <a href="/verify">Check a file</a>
            </p>
            <p>Times are in UTC.</p>
          </div>
        </footer>
      </body>
    </html>
  );
}

function Bar({ frame, place }: { frame: Frame | null; place: Place | undefined }) {
  return (
    <header class="bar">
      <div class="bar-inner">
        <a class="brand" href="/">
          <Mark />
          <span>Countersign</span>
          {frame === null || frame.organization === "" ? null : (
            <span class="brand-organization">
              <Recorded text={frame.organization} />
            </span>
          )}
        </a>
        <nav class="nav" aria-label="Main">
          <ul>
            {NAVIGATION.filter(([path]) => frame !== null || path === "/docs").map(([path, name]) => (
              <li>
                <a href={path} {...(path === place ? { "aria-current": "page" } : {})}>
                  {name}
                  {path === "/approvals" && frame !== null && frame.pending > 0 ? (
                    <Waiting count={frame.pending} />
                  ) : null}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {frame === null ? null : (
          <div class="who">
            <a
              class="who-settings"
              href="/settings"
              {...(place === "/settings" ? { "aria-current": "page" } : {})}
            >
              Settings
            </a>
            <span class="who-name">
              <Recorded text={frame.member.name} />
              <span class="who-role">{frame.member.role}</span>
            </span>
            <form method="post" action="/sign-out">
              <button class="button button-quiet" type="submit">
                Sign out
              </button>
            </form>
          </div>
        )}
      </div>
    </header>
  );
}

/** On every page of those who can do something about it. */
function Alarm({ count }: { count: number }) {
  const many = count < MOST_COUNTED ? String(count) : `${MOST_COUNTED - 1}+`;
  return (
    <aside class="alarm" aria-label="Alerts">
      <p>
        <strong>The record does not hold.</strong>{" "}
        <a href="/record#alerts">{count === 1 ? "See the alert" : `See the ${many} alerts`}</a>
      </p>
    </aside>
  );
}

function Waiting({ count }: { count: number }) {
  return (
    <span class="count">
      {count < MOST_COUNTED ? count : `${MOST_COUNTED - 1}+`}
      <span class="unheard"> waiting</span>
    </span>
  );
}

/** Sends a page. What it shows is one member's view of this moment, so nothing keeps it. */
export function sendPage(
  c: Context<AppEnv>,
  element: Child,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  c.header("cache-control", "no-store");
  return c.html(html`<!doctype html>${element}`, status);
}
