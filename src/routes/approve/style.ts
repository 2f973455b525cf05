/** The stylesheet of the page behind a link, and of an action wherever it is shown. */
export const APPROVE_STYLE = /* css */ `
/* Approvals: an action as it is shown to whoever answers it */
.approve { max-width: 46rem; }
.action { min-width: 0; }
.arguments { display: grid; gap: 0.375rem; }
.arguments dd + dt { margin-top: 0.625rem; }
.arguments dd, .arguments dt { min-width: 0; overflow-wrap: anywhere; }
.arguments pre { font-size: 0.875rem; }
.short-digest { font-size: 1.125rem; font-weight: 650; letter-spacing: 0.02em; }
.button-big { width: 100%; min-height: 3.5rem; font-size: 1.0625rem; }
.answer { scroll-margin-top: 1rem; }
.button:disabled { opacity: 0.5; cursor: not-allowed; }
.answer .check { min-height: 3rem; align-items: center; padding-block: 0.5rem; }
.answer > form > .button:not(.button-big) { width: 100%; }
.answer .tell > summary { min-height: 3rem; }
.diff { padding-inline: 0; }
.diff-line { display: block; padding-inline: 1rem; white-space: pre-wrap; text-decoration: none; }
.diff-gone { background: var(--block-wash); color: var(--block); }
.diff-new { background: var(--allow-wash); color: var(--allow); }
.diff-left { color: var(--soft); font-family: var(--sans); }
.sign { font-weight: 700; user-select: none; }
.sign-gone { color: var(--block); }
.sign-new { color: var(--allow); }
@media print { .answer { display: none; } }
`;
