/** The script that moves the time which an ask has left, as it is served: by the very function that wrote it. */
import { leftWords } from "../approval-words.ts";

export const LEFT = /* js */ `"use strict";
(() => {
  const wordsOf = ${leftWords.toString()};
  // Counted from when the page was asked for, so that nobody is shown more than there is. The clock here may be wrong.
  const since = Date.now() - performance.now();
  const spans = [...document.querySelectorAll("[data-left]")];
  if (spans.length === 0) return;
  let timer = 0;
  const tick = () => {
    let over = false;
    for (const span of spans) {
      const left = Number(span.dataset.left) - (Date.now() - since);
      const words = left > 0 ? wordsOf(left) : "none";
      if (span.textContent !== words) span.textContent = words;
      over ||= left <= 0;
    }
    if (!over) return;
    clearInterval(timer);
    for (const note of document.querySelectorAll("[data-left-over]")) note.hidden = false;
    for (const button of document.querySelectorAll('button[name="decision"][value="approve"]')) button.disabled = true;
  };
  timer = setInterval(tick, 1000);
  document.addEventListener("visibilitychange", tick);
  tick();
})();
`;
