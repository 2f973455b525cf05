/** The stylesheet of single parts: decisions, the oath, tables, tools, the reference; then print and reduced motion. */
export const STYLE_PARTS = /* css */ `
/* Verdicts */
.verdict { display: inline-flex; align-items: baseline; justify-self: start; gap: 0.375rem; padding: 0.1875rem 0.5625rem 0.1875rem 0.4375rem; border-radius: 1rem; font-size: 0.8125rem; font-weight: 600; line-height: 1.25; white-space: nowrap; }
.verdict svg { width: 0.9375rem; height: 0.9375rem; flex: none; transform: translateY(0.15rem); }
.verdict-allow { color: var(--allow); background: var(--allow-wash); }
.verdict-block { color: var(--block); background: var(--block-wash); }
.verdict-ask { color: var(--ask); background: var(--ask-wash); }
.verdict-none { color: var(--soft); background: var(--sunken); }
.tag { display: inline-block; padding: 0.0625rem 0.5rem; border: 1px solid var(--line); border-radius: 0.375rem; color: var(--soft); font-size: 0.75rem; line-height: 1.5; white-space: nowrap; }
.tag-strong { color: var(--ink); border-color: var(--edge); }

/* Decisions */
.tools { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: 0.75rem 1.5rem; }
.filters { flex: 1 1 24rem; display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; }
.filters .field { flex: 1 1 9rem; max-width: 16rem; }
.live { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; color: var(--soft); font-size: 0.8125rem; }
.pulse { width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--soft); }
.pulse[data-on] { background: var(--ink); animation: pulse 2s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: 0.25; } }
.filters .field-wide { flex: 2 1 16rem; max-width: 24rem; }
.decisions { padding: 0; list-style: none; }
.decision + .decision { border-top: 1px solid var(--line); }
.decision.is-new { animation: arrive 2.4s ease-out; }
@keyframes arrive { from { background: var(--sunken); } }
.decision summary { display: grid; grid-template-columns: 6.25rem minmax(0, 1fr) auto; grid-template-rows: auto 1fr; gap: 0.125rem 1rem; align-items: baseline; padding: 0.8125rem 2.75rem 0.8125rem 1.125rem; position: relative; cursor: pointer; list-style: none; }
.decision summary::-webkit-details-marker { display: none; }
.decision summary::after { content: ""; position: absolute; right: 1.25rem; top: 1.25rem; width: 0.4375rem; height: 0.4375rem; border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
.decision details[open] > summary::after { transform: translateY(3px) rotate(225deg); }
.decision summary:hover { background: var(--sunken); }
.decision:first-child summary { border-radius: 0.6875rem 0.6875rem 0 0; }
.decision:last-child details:not([open]) summary { border-radius: 0 0 0.6875rem 0.6875rem; }
.decision summary:focus-visible { outline-offset: -3px; border-radius: 0.6875rem; }
.what { min-width: 0; display: flex; flex-wrap: wrap; gap: 0 0.625rem; align-items: baseline; }
.what strong { font-family: var(--mono); font-size: 0.875rem; font-weight: 650; overflow-wrap: anywhere; }
.preview { color: var(--soft); min-width: 0; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.why { grid-column: 2; color: var(--ink); font-size: 0.875rem; }
.by { grid-column: 3; grid-row: 1 / span 2; display: flex; flex-direction: column; text-align: right; color: var(--soft); font-size: 0.8125rem; max-width: 15rem; }
.by time { font-variant-numeric: tabular-nums; white-space: nowrap; }
.detail { padding: 0.375rem 1.125rem 1.5rem; display: grid; gap: 1.5rem; }
.pad > .detail { padding: 0; }
.reason { padding: 0.25rem 0 0.25rem 1rem; border-left: 2px solid var(--line); }
.reason + .reason { margin-top: 0.875rem; }
.cite { display: block; margin: 0.375rem 0 0; }
.facts { display: grid; grid-template-columns: minmax(6rem, 9rem) minmax(0, 1fr); gap: 0.4375rem 1rem; font-size: 0.875rem; }
.facts dt { color: var(--soft); }
.facts dd { min-width: 0; overflow-wrap: anywhere; }
.pager { display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: space-between; }

/* Oath */
.lines { padding: 0.75rem 0; list-style: none; counter-reset: none; }
.lines li { display: grid; grid-template-columns: 3.25rem minmax(0, 1fr); align-items: baseline; padding: 0.125rem 1rem 0.125rem 0; }
.lines li:target { background: var(--sunken); box-shadow: inset 3px 0 0 var(--ink); }
.lines .number { padding-right: 1rem; text-align: right; color: var(--soft); font: 400 0.75rem/1.6 var(--mono); user-select: none; }
.lines code { font-size: 0.875rem; line-height: 1.65; white-space: pre-wrap; }
.lines .comment { color: var(--soft); }
.fault { padding: 0.375rem 0 0; }
.fault + .fault { margin-top: 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }
.faults { padding: 0; list-style: none; }
.faults .lines { padding: 0.25rem 0; }
mark { background: transparent; color: inherit; font-weight: 700; text-decoration: underline wavy 1.5px; text-underline-offset: 0.25em; }
.history { display: flex; flex-wrap: wrap; gap: 0.25rem; padding: 0; list-style: none; }
.history a, .history span { display: inline-flex; align-items: center; justify-content: center; min-width: 2.75rem; min-height: 2.75rem; padding: 0 0.625rem; border: 1px solid var(--line); border-radius: 0.5rem; font-variant-numeric: tabular-nums; }
.history a { text-decoration: none; color: var(--soft); }
.history a:hover { border-color: var(--ink); color: var(--ink); }
.history [aria-current] { border-color: var(--ink); color: var(--ink); font-weight: 600; }

/* Lists of things: a table that becomes a list of cards where there is no room. */
.field > input[type="file"] { width: 100%; min-height: 2.75rem; padding: 0.375rem 0; font: inherit; font-size: 0.875rem; }
.field > input[type="file"]::file-selector-button { min-height: 2.25rem; margin-right: 0.75rem; padding: 0 0.875rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--surface); color: var(--ink); font: inherit; font-weight: 550; cursor: pointer; }
.things { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
.things th { padding: 0.625rem 1.125rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: 0.8125rem; font-weight: 500; text-align: left; }
.things td { padding: 0.75rem 1.125rem; vertical-align: middle; }
.things tbody tr + tr td { border-top: 1px solid var(--line); }
.things .end { text-align: right; }
.things td > a:first-child:not(.button) { display: inline-flex; align-items: center; min-height: 2.75rem; }
.tuck > summary { width: max-content; list-style: none; }
.tuck > summary::-webkit-details-marker { display: none; }
.tuck[open] > summary { background: var(--sunken); }
.end > .tuck > summary { margin-left: auto; }
.tuck-body { margin-top: 0.75rem; }
@media (max-width: 44rem) {
  .things thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .things, .things tbody, .things tr, .things td { display: block; }
  .things tr { padding: 0.875rem 1rem; }
  .things tbody tr + tr { border-top: 1px solid var(--line); }
  .things td, .things tbody tr + tr td { padding: 0.125rem 0; border: 0; }
  .things td[data-label]::before { content: attr(data-label) " "; display: inline-block; min-width: 5.25rem; color: var(--soft); font-size: 0.8125rem; }
  .things time { font-size: 0.875rem; white-space: nowrap; }
  .things .end { text-align: left; margin-top: 0.5rem; }
  .end > .tuck > summary { margin-left: 0; }
  .decision summary { grid-template-columns: minmax(0, 1fr) auto; padding-inline: 1rem 2.5rem; row-gap: 0.375rem; }
  .decision summary::after { right: 1.125rem; top: 1.1875rem; }
  .what, .why { grid-column: 1 / -1; }
  .by { grid-column: 2; grid-row: 1; max-width: none; }
  .decision summary { grid-template-rows: none; }
  .by .who-asked { display: none; }
  .detail { padding-inline: 1rem; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0.0625rem; }
  .facts dd { margin-bottom: 0.625rem; }
  .who { width: 100%; justify-content: space-between; min-height: 3.25rem; margin: 0; border-top: 1px solid var(--line); }
  .who-name { text-align: left; }
  .who-settings { order: 1; margin-left: auto; }
  .who form { order: 2; }
  .who-role { display: inline; padding-left: 0.375rem; }
  .nav { --pad: clamp(0.25rem, 1.4vw, 0.625rem); width: calc(100% + 2 * var(--pad)); margin-inline: calc(-1 * var(--pad)); }
  .nav ul { gap: 0; }
  .nav a { padding: 0 var(--pad); font-size: 0.875rem; }
}

/* Tools, and how a call is read */
.bare { padding: 0; list-style: none; display: grid; gap: 0.1875rem; }
.short { max-width: 38rem; }
.things-tall td { vertical-align: top; }
.things p { margin-top: 0.125rem; }
.things-inset { margin-top: 0.75rem; }
.things-inset th:first-child, .things-inset td:first-child { padding-left: 0; }
@media (max-width: 44rem) {
  .things-tall td[data-label] { margin-top: 0.375rem; }
  .things-tall td[data-label]::before { display: block; }
  .things-inset tr { padding-inline: 0; }
}
.steps { padding: 0; list-style: none; }
.steps > li { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 0.75rem; align-items: baseline; padding: 0.5rem 0; }
.steps > li + li { border-top: 1px solid var(--line); }
.steps > li:target { background: var(--sunken); box-shadow: -0.75rem 0 0 var(--sunken), 0.75rem 0 0 var(--sunken); }
.steps > li code { font-weight: 600; }
.found { font-size: 0.875rem; }
.found code, .steps > li .found code { font-weight: 400; }
.steps-text { line-height: 2.1; }
mark.step { padding: 0.25rem 0.125rem; border-bottom: 2px solid var(--edge); font-weight: inherit; text-decoration: none; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
mark.step mark.step { border-bottom-color: var(--ink); }
.step-number { display: inline-block; min-width: 1.375rem; margin-right: 0.25rem; padding: 0.0625rem 0.25rem; border: 1px solid var(--edge); border-radius: 0.25rem; background: var(--surface); color: var(--soft); font: 600 0.75rem/1.25 var(--mono); text-align: center; text-decoration: none; user-select: none; }

/* Sessions: what a person said, and what it was taken to mean */
blockquote { margin: 0; padding-left: 0.875rem; border-left: 3px solid var(--edge); overflow-wrap: anywhere; white-space: pre-wrap; }
.said { padding: 0; list-style: none; }
.said > li { display: grid; gap: 0.625rem; padding: 1rem 1.125rem; }
.said > li + li { border-top: 1px solid var(--line); }
.jumps { display: flex; flex-wrap: wrap; gap: 0 1.25rem; padding: 0; list-style: none; }
.jumps a { display: inline-flex; align-items: center; min-height: 2.75rem; font-size: 0.875rem; }

/* Evidence and skills */
.claims .decision summary { grid-template-columns: 7.25rem minmax(0, 1fr) auto; }
.claimed { border-top: 1px solid var(--line); }
.claimed > li { padding-inline: 0; }
.danger { border-color: var(--ink); }
.alarm { border-bottom: 1px solid var(--block); background: var(--block-wash); color: var(--block); }
.alarm p { max-width: 72rem; margin: 0 auto; padding: 0.375rem clamp(1rem, 4vw, 2rem); }
.alarm a { display: inline-block; padding: 0.375rem 0; color: inherit; font-weight: 550; }
.bad { color: var(--block); font-weight: 550; }
.passage { overflow-wrap: anywhere; white-space: pre-wrap; }
.hashes .facts { grid-template-columns: minmax(0, 1fr); gap: 0.0625rem; }
@media (max-width: 44rem) {
  .claims .decision summary { grid-template-columns: minmax(0, 1fr); }
  .claims .what { font-size: 0.9375rem; }
  .claims .why { grid-row: 3; }
  .claims .by { grid-column: 1; grid-row: 4; text-align: left; }
  .counts tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0.25rem 0.75rem; }
  .counts .end { grid-row: 1; grid-column: 2; margin: 0; }
  .counts td:nth-child(2) { grid-column: 1 / -1; }
}

/* Settings, and what is tried */
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 1rem; align-items: start; }
.verdicts tbody th { border: 0; color: var(--ink); font-size: 0.9375rem; }
.verdicts td, .verdicts tbody th { padding-block: 0.375rem; }
.verdicts td { width: 13rem; }
.verdicts tbody tr + tr th { border-top: 1px solid var(--line); }
@media (max-width: 44rem) {
  .verdicts tbody th, .verdicts tbody tr + tr th { display: block; padding: 0 0 0.25rem; border: 0; }
  .verdicts td { width: auto; }
  .verdicts tbody td, .verdicts tbody tr + tr td { padding: 0.125rem 0; display: grid; grid-template-columns: minmax(0, 1fr) 10.75rem; align-items: center; gap: 0.5rem; }
}

/* Approvals */
.count { display: inline-block; min-width: 1.25rem; margin-left: 0.375rem; padding: 0.0625rem 0.375rem; border-radius: 0.75rem; background: var(--solid); color: var(--on-solid); font-size: 0.75rem; font-weight: 600; line-height: 1.35; text-align: center; }
.share { display: inline-grid; grid-template-columns: 3rem 5rem; align-items: center; gap: 0.5rem; font-variant-numeric: tabular-nums; }
.share-bar { width: 100%; height: 0.5rem; }
.share-all { fill: var(--line); }
.share-part { fill: var(--ink); }
.reasons { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); column-gap: 1rem; }

/* Reference */
.reference { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; }
.toc ul, .endpoints { padding: 0; list-style: none; }
.toc a { display: flex; align-items: center; min-height: 2.75rem; color: var(--soft); text-decoration: none; font-size: 0.875rem; line-height: 1.35; }
.toc a:hover { color: var(--ink); text-decoration: underline; }
.toc > ul { columns: 2; column-gap: 1.5rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line); }
.toc-operations { display: none; }
@media (min-width: 64rem) {
  .wide .bar-inner, .wide main, .wide .foot-inner { max-width: 80rem; }
  .reference { grid-template-columns: 15rem minmax(0, 1fr); gap: 3.5rem; }
  .toc { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; }
  .toc > ul { columns: 1; padding: 0; border: 0; }
  .toc .toc-operations { display: block; padding: 0 0 0.5rem 0.875rem; border-left: 1px solid var(--line); }
  .toc a { min-height: 1.75rem; padding-block: 0.1875rem; }
  .toc .toc-tag { color: var(--ink); font-weight: 550; }
}
.plain { padding-left: 1.25rem; display: grid; gap: 0.375rem; }
.endpoints a { min-height: 2.75rem; align-items: center; text-decoration: none; }
.endpoints a:hover code { text-decoration: underline; }
.endpoints .method { min-width: 4rem; color: var(--soft); }
h4 { font-size: 0.8125rem; font-weight: 600; color: var(--soft); }
.reference p { max-width: 46rem; }
.operation { padding-top: 2rem; border-top: 1px solid var(--line); }
.endpoint { display: flex; flex-wrap: wrap; gap: 0.375rem 0.625rem; align-items: baseline; }
.method { font: 700 0.8125rem/1.5 var(--mono); letter-spacing: 0.02em; }
.endpoint code { font-size: 0.875rem; }
.members { padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--surface); }
.members > li { padding: 0.625rem 0.875rem; }
.members > li + li { border-top: 1px solid var(--line); }
.members .members { margin-top: 0.5rem; background: var(--page); }
.members code { font-weight: 600; }
.type { color: var(--soft); font-size: 0.8125rem; }
.anchor:target, .operation:target h3 { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 0.3em; }
.problems { display: grid; gap: 0; }
.problems > div { display: grid; grid-template-columns: minmax(0, 14rem) 3rem minmax(0, 1fr); gap: 0.125rem 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
.problems > div:target { background: var(--sunken); box-shadow: -0.75rem 0 0 var(--sunken), 0.75rem 0 0 var(--sunken); }
@media (max-width: 44rem) {
  .problems > div { grid-template-columns: minmax(0, 1fr) auto; }
  .problems > div dd:last-child { grid-column: 1 / -1; }
}

@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
}
@media (forced-colors: active) {
  .verdict, .tag, .note, .card { border: 1px solid CanvasText; }
}
@media print {
  :root { --page: #fff; --surface: #fff; --sunken: #fff; --ink: #000; --soft: #333; --line: #999; }
  .nav, .who-settings, .who form, .filters, .live, .skip, .pager, .button { display: none !important; }
  .decision, .operation { break-inside: avoid; }
  body { display: block; }
  a { text-decoration: none; }
}
`;
