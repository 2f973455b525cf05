/**
 * The script by which a browser becomes a channel, and the service worker that shows what is pushed to it. Without the
 * script there is no button: a browser that runs none cannot be told.
 */

/** Where the worker is served: the folder of its address is the widest scope that it may have. */
export const PUSH_WORKER_PATH = "/push-worker.js";

export const PUSH = /* js */ `"use strict";
(() => {
  const box = document.querySelector("[data-push]");
  if (box === null) return;
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) {
    // Safari on an iPhone says whether it was opened from the home screen; only then it can be told.
    if (navigator.standalone === false) document.querySelector("[data-push-install]").hidden = false;
    return;
  }
  const button = box.querySelector("button");
  const status = box.querySelector("[role=status]");
  /** The channel that this browser is, so that its page knows it again. */
  const KEPT = "countersign.push-channel";
  const say = (text) => {
    status.textContent = text;
  };
  const rowOf = (id) =>
    id === null ? null : document.querySelector('[data-channel="' + CSS.escape(id) + '"]');

  const bytesOf = (base64url) =>
    Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

  async function asked(path, init = {}) {
    const answer = await fetch(path, { cache: "no-store", redirect: "error", ...init });
    if (answer.status === 204) return {};
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.errors?.[0]?.detail ?? body.detail);
    return body;
  }

  async function subscribe() {
    if ((await Notification.requestPermission()) !== "granted") {
      say("Your browser does not let this site notify you. Allow it in the settings of the site, and try again.");
      return;
    }
    say("One moment …");
    await navigator.serviceWorker.register("${PUSH_WORKER_PATH}", { scope: "/", updateViaCache: "none" });
    const { pushManager } = await navigator.serviceWorker.ready;
    // Whoever used this browser before is told here no more: what they are sent is theirs to answer.
    await (await pushManager.getSubscription())?.unsubscribe();
    const { key } = await asked("/v1/push/key");
    const subscription = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytesOf(key),
    });
    try {
      const { endpoint, keys } = subscription.toJSON();
      const platform = navigator.userAgentData?.platform || navigator.platform || "this device";
      const { channel } = await asked("/v1/channels", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ kind: "push", name: ("Browser on " + platform).slice(0, 100), target: { endpoint, keys } }),
      });
      const before = localStorage.getItem(KEPT);
      localStorage.setItem(KEPT, channel);
      // It was told by the subscription that has just ended.
      if (rowOf(before) !== null) await asked("/v1/channels/" + before, { method: "DELETE" }).catch(() => {});
      location.assign("/channels?added=" + channel + "#result");
    } catch (error) {
      await subscription.unsubscribe();
      throw error;
    }
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await subscribe();
    } catch (error) {
      say("It did not work: " + (error.message || error.name));
    }
    button.disabled = false;
  });

  async function begin() {
    const registration = await navigator.serviceWorker.getRegistration("/");
    const subscription = (await registration?.pushManager.getSubscription()) ?? null;
    const row = rowOf(localStorage.getItem(KEPT));
    box.hidden = false;
    if (subscription === null || row === null) return;
    button.textContent = "Set this device up anew";
    say("This device is told.");
  }
  begin().catch(() => {
    box.hidden = false;
  });
})();
`;

/** It shows what it is sent, and opens its page. It answers no request of a page, fetches nothing and keeps nothing. */
export const PUSH_WORKER = /* js */ `"use strict";
const words = (value, otherwise, most) =>
  typeof value === "string" && value !== "" ? value.slice(0, most) : otherwise;

/** An address of ours, or the page on which every ask stands. */
const ours = (value) => {
  try {
    const url = new URL(value, self.location.origin);
    if (typeof value === "string" && url.origin === self.location.origin) return url.href;
  } catch {}
  return self.location.origin + "/approvals";
};

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data.json() ?? {};
  } catch {}
  event.waitUntil(
    self.registration.showNotification(words(message.title, "Countersign", 200), {
      body: words(message.body, "Somebody is asked.", 1000),
      tag: words(message.tag, "", 200),
      data: { url: ours(message.url) },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(ours(event.notification.data?.url)));
});
`;
