/** Parts of a typed text that are shown, not said. */

export type DataKind =
  | "fence"
  | "quoted-line"
  | "forwarded"
  | "document"
  | "note"
  | "patch"
  | "tag"
  | "quote"
  | "code";

/** A part of a text that is shown, not said. `inner` is what stands between its marks. */
export interface DataSpan {
  readonly kind: DataKind;
  readonly start: number;
  readonly end: number;
  readonly inner: { readonly start: number; readonly end: number };
}
