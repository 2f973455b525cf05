/** Words for what any user sees, touches and is asked by a product. */

/** Parts of an interface, and what stands behind one. */
export const SCREENS = new Set(
  "picker dialog dialogue modal form popup pop-up wizard dropdown settings screen checkout app banner menu page widget toggle sheet kiosk till portal dashboard email analytics telemetry database db backend frontend crm payload storage session api server client service job script system device sensor map player plugin function query form sign-up signup onboarding registration login installer profile account tooltip badge toast receipt header cart button tab sidebar navbar footer snackbar icon cursor spinner keyboard toolbar endpoint overlay drawer carousel slider chip breadcrumb viewport stepper statusbar splash listbox combobox checkbox middleware webhook router worker daemon parser editor preview".split(
    " ",
  ),
);

/** What applications ask of everybody, and what everybody declines. */
export const APP_THINGS = new Set(
  "permission permissions prompt prompts cookie cookies tracking notification notifications consent banner pop-up popup hint hints tip tooltip suggestion suggestions survey rating call calls invite invites invitation captcha login location camera microphone push autofill autocomplete completion completions upload download tick checkmark request requests".split(
    " ",
  ),
);

/** The last word of a label that announces how a product works. */
export const LOGIC = new Set(
  "logic behaviour behavior handler handlers handling callback callbacks webhook webhooks reducer middleware pseudocode pseudo-code statechart listener listeners guard trigger triggers transition transitions fallback microcopy".split(
    " ",
  ),
);
/** In a label: what follows may be a rule. */
export const POLICY = new Set(
  "rule rules policy logic condition conditions case cases event events".split(" "),
);

/** Verbs for what an application keeps. */
export const KEEPING =
  /^(?:persist|restore|draw|outline|underline|paint|dim|scroll|animate|prefill|preselect|hydrate|cache|render|highlight|serialize|preload|store|display|load|fetch|remember|reload|log)$/;

/** Names of properties whose values are states. */
export const STATES = new Set(
  "status state filter label tag flag event type column phase stage option value legend states statuses events outcomes options values results stages phases code codes flags tags types columns".split(
    " ",
  ),
);

/** Names of data that Chinese text takes over as they are. */
export const MIXED_FIELDS = new Set(
  "flag status field column event callback webhook token rate count badge key enum hook state log".split(" "),
);
