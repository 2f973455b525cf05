/** What a form needs so that its approval is signed by a passkey: put it inside the form, beside its buttons. */
import type { RequestOptions } from "../../http/passkeys.ts";
import { assetUrl } from "./assets/index.ts";

/**
 * A hidden field `passkey`, filled by the script when the form is sent with `decision=approve`; any other decision goes
 * out as it is. At most one for each form.
 * @param options of `optionsFor`, for the member who looks
 */
export function PasskeyField({ options }: { readonly options: RequestOptions }) {
  if (options.allowCredentials.length === 0)
    return (
      <div class="note note-strong">
        <p class="note-title">Approving this takes a passkey, and you have none</p>
        <p>
          <a href="/passkeys">Add one</a>, then open this page again. You can deny without.
        </p>
      </div>
    );
  return (
    <div class="stack-tight">
      <p class="soft">
        To approve this, your device asks for your passkey. If you have lost it, an owner can remove it for
        you.
      </p>
      <noscript>
        <p>
          <strong>Passkeys need JavaScript.</strong> Turn it on to approve. You can deny without.
        </p>
      </noscript>
      <input
        type="hidden"
        name="passkey"
        value=""
        autocomplete="off"
        data-passkey-options={JSON.stringify(options)}
      />
      <p role="status" data-passkey-said="" />
      <script src={assetUrl("/assets/passkeys.js")} defer />
    </div>
  );
}

/**
 * The same for a form whose every sending is signed, such as one that removes a passkey. Nothing for who holds none.
 * @param options of `confirmationOptions`
 */
export function SignedField({ options }: { readonly options: RequestOptions }) {
  if (options.allowCredentials.length === 0) return null;
  return (
    <>
      <noscript>
        <p>
          <strong>Passkeys need JavaScript.</strong> This is signed with one of yours: turn it on.
        </p>
      </noscript>
      <input
        type="hidden"
        name="passkey"
        value=""
        autocomplete="off"
        data-passkey-options={JSON.stringify(options)}
        data-passkey-always=""
      />
      <p role="status" data-passkey-said="" />
    </>
  );
}
