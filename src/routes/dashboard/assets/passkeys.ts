/**
 * The script that speaks to authenticators, as it is served. On a form that makes a passkey, and on one that approves
 * or is signed with one, it fills in the hidden field and sends the form on: what is right is the server's to say. Without it such a
 * form says that it needs it.
 */
export const PASSKEYS = /* js */ `"use strict";
(() => {
  const able = typeof PublicKeyCredential === "function" && navigator.credentials !== undefined;
  const UNABLE = "This browser has no passkeys here. Use another one, or open Countersign at its own address.";

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
  const known = (list) => list.map((one) => ({ ...one, id: bytes(one.id) }));

  // Browsers of before 2024 read and write no JSON of their own.
  const creation = (options) =>
    PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: known(options.excludeCredentials),
    };
  const request = (options) =>
    PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: known(options.allowCredentials),
    };
  const told = (credential) => {
    try {
      if (credential.toJSON !== undefined) return JSON.stringify(credential);
    } catch {
      // Some managers of passwords hand out a credential whose own method refuses it.
    }
    const { response } = credential;
    const parts = { clientDataJSON: text(response.clientDataJSON) };
    for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"])
      if (response[name] instanceof ArrayBuffer) parts[name] = text(response[name]);
    if (response.getTransports !== undefined) parts.transports = response.getTransports();
    return JSON.stringify({
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      clientExtensionResults: {},
      response: parts,
    });
  };

  const why = (error) => {
    switch (error?.name) {
      case "NotAllowedError":
      case "AbortError":
        return "Nothing was signed: it was cancelled, or took too long. Nothing was sent. Try again.";
      case "InvalidStateError":
        return "This device holds a passkey of yours already. Nothing was sent.";
      case "SecurityError":
        return UNABLE;
      default:
        return "That did not work, and nothing was sent. Try again, or use another device.";
    }
  };

  /** Runs work once at a time, and says how it goes beside the form. */
  function guarded(form, work) {
    const said = form.querySelector("[data-passkey-said]");
    let busy = false;
    return async (submitter) => {
      if (busy) return;
      if (!able) {
        said.textContent = UNABLE;
        return;
      }
      busy = true;
      said.textContent = "Waiting for your device …";
      try {
        await work(submitter);
        said.textContent = "Sending …";
      } catch (error) {
        said.textContent = error instanceof Told ? error.message : why(error);
      } finally {
        busy = false;
      }
    };
  }
  class Told extends Error {}

  async function asked(path, body) {
    const answer = await fetch(path, {
      method: "POST",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(10000),
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Told("Countersign cannot be reached. Nothing was sent. Try again.");
    });
    if (answer.status === 401) throw new Told("You are signed out. Sign in, and open this page again.");
    if (!answer.ok) throw new Told("Countersign answered " + answer.status + ". Nothing was sent. Try again.");
    return answer;
  }

  for (const form of document.querySelectorAll("[data-passkey-new]")) {
    for (const button of form.querySelectorAll("button[hidden]")) button.hidden = false;
    const said = form.querySelector("[data-passkey-said]");
    const make = async () => {
      const answer = await asked(form.dataset.passkeyNew);
      const { options, challenge } = await answer.json();
      const made = await navigator.credentials.create({ publicKey: creation(options) });
      form.elements.namedItem("challenge").value = challenge;
      form.elements.namedItem("response").value = told(made);
      return made.id;
    };
    // Made, and not signed for yet: it is not made a second time.
    let made = null;
    const run = guarded(form, async () => {
      made ??= await make();
      if (form.dataset.passkeySigned !== undefined) {
        said.textContent = "It is made. Now confirm it with a passkey that you have had before …";
        try {
          const answer = await asked("/v1/passkeys/confirmations", { act: "add", credential_id: made });
          const options = await answer.json();
          form.elements.namedItem("passkey").value = told(
            await navigator.credentials.get({ publicKey: request(options) }),
          );
        } catch (error) {
          if (error instanceof Told) throw error;
          throw new Told(
            "It is made, and not added yet: that takes a passkey that you have had before. Try again within five minutes.",
          );
        }
      }
      form.submit();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void run();
    });
  }

  for (const field of document.querySelectorAll("[data-passkey-options]")) {
    const { form } = field;
    if (form === null) continue;
    for (const button of form.querySelectorAll("button[hidden]")) button.hidden = false;
    const run = guarded(form, async (submitter) => {
      const options = JSON.parse(field.dataset.passkeyOptions);
      field.value = told(await navigator.credentials.get({ publicKey: request(options) }));
      form.requestSubmit(submitter);
    });
    form.addEventListener("submit", (event) => {
      const { submitter } = event;
      const pressed = submitter?.name === "decision" ? submitter.value : form.elements.namedItem("decision")?.value;
      const signs = field.dataset.passkeyAlways !== undefined || pressed === "approve";
      if (!signs || field.value !== "") return;
      event.preventDefault();
      void run(submitter);
    });
    // Back from the next page, what was signed for this one has been sent.
    addEventListener("pageshow", (event) => {
      if (event.persisted) field.value = "";
    });
  }
})();
`;
