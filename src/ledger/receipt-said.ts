/** What a receipt says of itself: held against what it shows, and told apart from what nobody can check. */
import { CHAIN_NOT_SHOWN, commitmentOf, coversOf, NOT_CHECKED, RECEIPT_NOT_PROVEN } from "./claims.ts";
import { readEntry } from "./reading.ts";
import type { Check, Receipt, ReceiptFault } from "./receipt.ts";

/** Its sentences, as lines without a mark. That private text is gone, nobody can check. */
export function saidOf({ chain, covers, entry, private_gone: gone }: Receipt): Check[] {
  const said: Check[] = [{ status: "note", text: gone ? `${NOT_CHECKED} ${covers}` : covers }];
  if (chain !== "organization" && readEntry(entry.entry)?.seq !== 1)
    said.push({ status: "note", text: CHAIN_NOT_SHOWN });
  return said;
}

/** What a receipt says of itself must be what it shows. */
export function claimsFault(receipt: Receipt): ReceiptFault | null {
  const { entry, disclosed, private_gone: gone, covers, not_proven: said } = receipt;
  if (gone && (disclosed !== null || commitmentOf(entry.body) === null))
    return { code: "claims", pointer: "/private_gone", message: "Nothing private of this entry is gone." };
  if (covers !== coversOf(entry.body, disclosed, gone))
    return { code: "claims", pointer: "/covers", message: "It covers another part than it says." };
  const other = RECEIPT_NOT_PROVEN.findIndex((sentence, i) => said[i] !== sentence);
  if (other !== -1 || said.length !== RECEIPT_NOT_PROVEN.length)
    return {
      code: "claims",
      pointer: `/not_proven/${other === -1 ? RECEIPT_NOT_PROVEN.length : other}`,
      message: "It does not say in full what it does not prove.",
    };
  return null;
}
