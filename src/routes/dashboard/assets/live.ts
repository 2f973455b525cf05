/**
 * The script of the overview, as it is served. It fetches the list again every two seconds and puts what is new on top:
 * rows that are already there stay the very same elements, so that an open one stays open and focus stays where it is.
 * Without it the page works by its Refresh link.
 */
export const LIVE = /* js */ `"use strict";
(() => {
  const box = document.querySelector("[data-live]");
  if (box === null) return;
  const status = document.querySelector("[data-live-status]");
  const pulse = document.querySelector("[data-live-pulse]");
  const toggle = document.querySelector("[data-live-toggle]");
  const heard = document.querySelector("[data-live-announce]");
  const EVERY_MS = 2000;
  const SLOWEST_MS = 60000;
  let wait = EVERY_MS;
  let timer = 0;
  let paused = false;
  let over = false;
  let etag = "";

  const say = (text, on) => {
    status.textContent = text;
    pulse.toggleAttribute("data-on", on);
  };
  const next = () => {
    clearTimeout(timer);
    if (!over && !paused && !document.hidden) timer = setTimeout(refresh, wait);
  };

  async function refresh() {
    try {
      const answer = await fetch(box.dataset.live, {
        headers: etag === "" ? {} : { "if-none-match": etag },
        cache: "no-store",
        redirect: "error",
        signal: AbortSignal.timeout(10000),
      });
      if (answer.status === 401 || answer.status === 403) {
        over = true;
        toggle.hidden = true;
        say("You are signed out. This list no longer updates.", false);
        return;
      }
      if (answer.status !== 304) {
        if (!answer.ok) throw new Error(String(answer.status));
        merge(await answer.text());
        etag = answer.headers.get("etag") ?? "";
      }
      wait = EVERY_MS;
      if (!paused) say("Live", true);
    } catch {
      wait = Math.min(wait * 2, SLOWEST_MS);
      if (!paused) say("Not reachable. Trying again in " + wait / 1000 + " s", false);
    }
    next();
  }

  function merge(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const incoming = fresh.querySelector("ol");
    const list = box.querySelector("ol");
    if (incoming === null) return;
    if (list === null) {
      box.replaceChildren(incoming);
      announce([...incoming.children]);
      return;
    }
    const known = new Map([...list.children].map((row) => [row.id, row]));
    const added = [];
    let at = list.firstElementChild;
    for (const row of [...incoming.children]) {
      const kept = known.get(row.id);
      if (kept === undefined) {
        row.classList.add("is-new");
        added.push(row);
        list.insertBefore(row, at);
      } else {
        known.delete(row.id);
        if (kept === at) at = at.nextElementSibling;
        else if (!kept.contains(document.activeElement)) list.insertBefore(kept, at);
      }
    }
    // What fell off the page goes, unless somebody is reading it.
    for (const row of known.values())
      if (row.querySelector("details[open]") === null && !row.contains(document.activeElement)) row.remove();
    if (added.length > 0) announce(added);
  }

  function announce(rows) {
    const counts = new Map();
    for (const row of rows) counts.set(row.dataset.verdict, (counts.get(row.dataset.verdict) ?? 0) + 1);
    heard.textContent =
      (rows.length === 1 ? "1 new decision: " : rows.length + " new decisions: ") +
      [...counts].map(([verdict, n]) => n + " " + verdict).join(", ");
  }

  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    paused = !paused;
    toggle.textContent = paused ? "Resume" : "Pause";
    say(paused ? "Paused" : "Live", !paused);
    if (paused) clearTimeout(timer);
    else void refresh();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) clearTimeout(timer);
    else if (!paused && !over) void refresh();
  });
  say("Live", true);
  next();
})();
`;

/** Copies a secret that is shown once. Without it the field is there to be selected. */
export const COPY = /* js */ `"use strict";
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const said = document.getElementById(button.dataset.said);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "Selected. Copy it with your keyboard.";
    }
  });
}
`;
