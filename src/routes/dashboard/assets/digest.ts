/**
 * The script that hashes a chosen file in the browser and fills in its digest, as it is served. The file itself has no
 * name in the form, and is never sent. Without the script the digest is typed.
 */
export const DIGEST = /* js */ `"use strict";
(() => {
  const field = document.getElementById("file-field");
  if (field === null || globalThis.crypto?.subtle === undefined) return;
  const input = document.getElementById("file");
  const digest = document.getElementById("digest");
  const said = document.getElementById("file-said");
  // A browser hashes in one piece.
  const MOST_BYTES = 268435456;
  let round = 0;
  field.hidden = false;
  input.addEventListener("change", async () => {
    round += 1;
    const own = round;
    const [file] = input.files;
    digest.value = "";
    if (file === undefined) {
      said.textContent = "";
      return;
    }
    if (file.size > MOST_BYTES) {
      said.textContent = "This file is too large to be hashed by a browser: type its SHA-256 instead.";
      return;
    }
    said.textContent = "Hashing…";
    try {
      const hash = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
      if (own !== round) return;
      digest.value = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
      said.textContent = "Hashed here, all of its " + file.size.toLocaleString("en-GB") + " bytes. The file stays with you.";
    } catch {
      if (own === round) said.textContent = "This file could not be read.";
    }
  });
})();
`;
