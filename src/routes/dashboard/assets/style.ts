/**
 * The stylesheet of every page: what all pages share. Colour says a verdict and nothing else, and never alone: a word
 * and a shape stand beside it.
 */
export const STYLE = /* css */ `
:root {
  color-scheme: light dark;
  --page: #f7f7f8;
  --surface: #ffffff;
  --sunken: #f3f3f5;
  --line: #e1e1e6;
  --edge: #85858f;
  --ink: #16161a;
  --soft: #5a5b66;
  --solid: #16161a;
  --on-solid: #ffffff;
  --solid-hover: #35353d;
  --focus: #16161a;
  --allow: #0d6b3a;
  --allow-wash: #e5f4ea;
  --block: #b3201a;
  --block-wash: #fcebe9;
  --ask: #855000;
  --ask-wash: #fcf1d9;
  --shadow: 0 1px 2px rgb(20 20 30 / 5%);
  --mono: ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Open Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e0f11;
    --surface: #16171a;
    --sunken: #1d1e22;
    --line: #2b2c32;
    --edge: #7b7d88;
    --ink: #ececef;
    --soft: #a2a4af;
    --solid: #ececef;
    --on-solid: #121316;
    --solid-hover: #ffffff;
    --focus: #ececef;
    --allow: #6fd197;
    --allow-wash: #13291c;
    --block: #ff938a;
    --block-wash: #331715;
    --ask: #ecb95f;
    --ask-wash: #2d2210;
    --shadow: none;
  }
}

*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  background: var(--page);
  color: var(--ink);
  font: 400 0.9375rem/1.55 var(--sans);
  overflow-wrap: break-word;
}
h1, h2, h3, h4, p, ol, ul, dl, dd, pre, figure { margin: 0; }
h1 { font-size: 1.625rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; }
h2 { font-size: 1.125rem; line-height: 1.35; font-weight: 600; letter-spacing: -0.01em; }
h3, .part { font-size: 0.9375rem; line-height: 1.4; font-weight: 600; letter-spacing: 0; }
a { color: inherit; text-decoration-thickness: 1px; text-underline-offset: 0.2em; text-decoration-color: var(--edge); }
a:hover { text-decoration-color: currentColor; text-decoration-thickness: 2px; }
code, pre, kbd, .mono { font-family: var(--mono); font-size: 0.8125rem; }
code, .wrap { overflow-wrap: anywhere; }
pre {
  padding: 0.875rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--sunken);
  line-height: 1.6;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
bdi { unicode-bidi: isolate; }
.soft { color: var(--soft); }
.small { font-size: 0.8125rem; }
.unseen {
  padding: 0 0.2em;
  border: 1px dashed currentColor;
  border-radius: 0.25em;
  font: 600 0.85em/1 var(--mono);
  white-space: nowrap;
}
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 0.25rem; }
.hide, [hidden] { display: none !important; }
.unheard {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.skip { position: absolute; left: 1rem; top: -6rem; z-index: 2; }
.skip:focus { top: 0.75rem; }

/* Frame */
.bar { background: var(--surface); border-bottom: 1px solid var(--line); }
.bar-inner, main, .foot-inner { width: 100%; max-width: 72rem; margin: 0 auto; padding-inline: clamp(1rem, 4vw, 2rem); }
.bar-inner { display: flex; flex-wrap: wrap; align-items: center; column-gap: 1rem; }
.brand { display: inline-flex; align-items: center; gap: 0.625rem; min-height: 3.5rem; font-weight: 650; letter-spacing: -0.01em; text-decoration: none; }
.brand svg { width: 1.5rem; height: 1.5rem; flex: none; }
.brand-organization { padding-left: 0.625rem; border-left: 1px solid var(--line); color: var(--soft); font-weight: 500; max-width: 7rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.nav ul { display: flex; flex-wrap: wrap; gap: 0.125rem; padding: 0; list-style: none; }
.nav a, .who-settings { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 0.375rem; border-radius: 0.5rem; color: var(--soft); font-weight: 500; text-decoration: none; }
.nav a:hover, .who-settings:hover { color: var(--ink); background: var(--sunken); }
.nav a[aria-current="page"], .who-settings[aria-current="page"] { color: var(--ink); box-shadow: inset 0 -2px 0 var(--ink); border-radius: 0; }
.who { display: flex; align-items: center; gap: 0.75rem; margin-left: auto; min-height: 3.5rem; }
.who-name { line-height: 1.25; text-align: right; }
.who-role { display: block; color: var(--soft); font-size: 0.75rem; }
main { flex: 1 0 auto; padding-block: clamp(1.5rem, 4vw, 2.5rem) 4rem; }
main:focus { outline: none; }
.narrow { max-width: 34rem; }
.foot { border-top: 1px solid var(--line); color: var(--soft); font-size: 0.8125rem; }
.foot-inner { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; justify-content: space-between; padding-block: 1.25rem; }

/* Rhythm */
.stack { display: flex; flex-direction: column; gap: 1rem; }
.stack-tight { display: flex; flex-direction: column; gap: 0.375rem; }
.stack-wide { display: flex; flex-direction: column; gap: 2.25rem; }
.head { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: 0.75rem 1.5rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.625rem; }
.lead { max-width: 42rem; color: var(--soft); font-size: 1rem; }
.card { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); box-shadow: var(--shadow); }
.pad { padding: clamp(1rem, 3vw, 1.5rem); }
.crumb { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--soft); font-size: 0.875rem; }

/* Controls */
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 2.75rem;
  padding: 0 1rem;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  background: var(--surface);
  color: var(--ink);
  font: 550 0.9375rem/1 var(--sans);
  text-decoration: none;
  cursor: pointer;
}
.button:hover { border-color: var(--ink); background: var(--sunken); }
.button-main { border-color: var(--solid); background: var(--solid); color: var(--on-solid); }
.button-main:hover { border-color: var(--solid-hover); background: var(--solid-hover); }
.button-quiet { border-color: var(--line); }
.field { display: flex; flex-direction: column; gap: 0.375rem; }
label, legend { font-weight: 550; font-size: 0.875rem; }
legend { padding: 0; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
.hint { color: var(--soft); font-size: 0.8125rem; font-weight: 400; }
input[type="text"], input[type="password"], select, textarea {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  background: var(--surface);
  color: var(--ink);
  font: 400 1rem/1.4 var(--sans);
}
select { padding-right: 0.5rem; }
textarea { font: 400 0.875rem/1.65 var(--mono); resize: vertical; overflow-wrap: anywhere; }
input[aria-invalid="true"], select[aria-invalid="true"], textarea[aria-invalid="true"] { border-width: 2px; border-color: var(--ink); }
.check { min-height: 2.75rem; display: grid; grid-template-columns: auto 1fr; column-gap: 0.625rem; align-items: start; padding: 0.625rem 0; font-weight: 400; }
.check input { width: 1.375rem; height: 1.375rem; margin: 0.0625rem 0 0; accent-color: var(--ink); }
.form-line { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; }
.form-line .field { flex: 1 1 12rem; }
.form-line, .form { max-width: 38rem; }
.secret { font-family: var(--mono) !important; font-size: 0.9375rem !important; user-select: all; }

/* What opens: a chevron says so. */
.tell > summary { display: inline-flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; font-size: 0.875rem; font-weight: 550; cursor: pointer; list-style: none; }
.tell > summary::-webkit-details-marker { display: none; }
.tell > summary::before { content: ""; width: 0.4375rem; height: 0.4375rem; margin-left: 0.125rem; border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
.tell[open] > summary::before { transform: translateY(-2px) rotate(45deg); }
.tell > summary:hover { text-decoration: underline; text-underline-offset: 0.2em; }

/* Notices: a word says what kind it is; the rule at the side only sets it apart. */
.note { padding: 0.875rem 1.125rem; border: 1px solid var(--line); border-left: 4px solid var(--edge); border-radius: 0.25rem; background: var(--surface); }
.note-strong { border-left-color: var(--ink); }
.note > * + * { margin-top: 0.375rem; }
.note-title { font-weight: 600; }
`;
