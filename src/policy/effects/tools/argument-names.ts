import type { RecipientRole } from "../../types.ts";

/**
 * What an argument is, by its name. Some names say it outright; `person`, `place`, `audience`, `member` and `account` depend
 * on what the call does with whom it is given.
 */
export type ArgumentRole =
  | Exclude<RecipientRole, "member" | "public">
  | "member"
  | "person"
  | "place"
  | "audience"
  | "account"
  | "forward"
  | "raw"
  | "sum"
  | "unit-sum"
  | "value"
  | "currency"
  | "count"
  | "stored"
  | "kept"
  | "prose"
  | "url"
  | "sender"
  | "item"
  | "none";

export interface NameRow {
  readonly role: ArgumentRole;
  /** Argument names in lower-case words joined by `_`, with spaces between; `toEmail` and `to-email` are `to_email`. */
  readonly names: string;
}

/** Argument names of tools that no table knows. A name stands in one row only. */
export const ARGUMENT_NAMES: readonly NameRow[] = [
  {
    role: "to",
    names:
      "to tos recipient recipients to_email to_emails to_address to_addresses to_recipients to_user to_number email_to mail_to send_to sent_to additional_recipients recipient_email recipient_emails recipient_address receiver receivers receiver_email recipient_id recipient_ids recipient_list recipient_name to_phone to_list",
  },
  {
    role: "copy",
    names: "cc ccs cc_email cc_emails cc_address cc_addresses cc_recipients cc_list copy_to carbon_copy",
  },
  {
    role: "blind-copy",
    names:
      "bcc bccs bcc_email bcc_emails bcc_address bcc_addresses bcc_recipients bcc_list blind_copy blind_carbon_copy",
  },
  {
    role: "reply-to",
    names: "reply_to reply_to_email reply_to_address reply_to_addresses reply_tos return_path",
  },
  {
    role: "attendee",
    names:
      "attendee attendees guest guests invitee invitees participant participants required_attendees optional_attendees attendee_emails guest_emails invitee_email invitee_emails participant_emails invited",
  },
  {
    role: "person",
    names:
      "email emails email_address email_addresses user_email user_emails customer_email contact_email address addresses phone phones phone_number phone_numbers mobile msisdn user users user_id user_ids username usernames user_name handle handles screen_name person people contact contacts contact_id friend open_id wxid jid",
  },
  {
    role: "member",
    names:
      "member members member_id member_email collaborator collaborators grantee grantees share_with shared_with with_user with_email principal_email reviewer_email",
  },
  {
    role: "place",
    names:
      "channel channels channel_id channel_ids channel_name room rooms room_id room_name conversation conversation_id chat chats chat_id chat_ids group_id group_code group_chat space space_id subreddit server_channel",
  },
  {
    role: "audience",
    names:
      "list list_id mailing_list audience audience_id segment segment_id group groups topic_arn broadcast_list",
  },
  {
    role: "account",
    names:
      "payee payees payee_name payee_id iban to_iban recipient_iban beneficiary beneficiary_id beneficiary_name account account_number account_id to_account to_account_id to_account_number destination destination_account destination_id wallet wallet_id wallet_address to_wallet vendor merchant creditor creditor_account supplier",
  },
  {
    role: "forward",
    names:
      "forward forward_to forwarding forwarding_address forwarding_email forward_address forward_email auto_forward auto_forward_to forward_all_to redirect_to",
  },
  { role: "raw", names: "raw raw_message raw_email mime mime_message rfc822 eml" },
  {
    role: "sum",
    names:
      "amount amounts total total_amount total_price total_cost payment_amount refund_amount transfer_amount transaction_amount amount_cents amount_in_cents amount_minor cents price_cents price price_in_cents grand_total charge_amount deposit_amount tip tip_amount max_amount max_price budget donation",
  },
  {
    role: "unit-sum",
    names: "unit_price unit_amount unit_cost price_each price_per_unit price_per_item unit_amount_decimal",
  },
  { role: "value", names: "value sum cost fee limit_price bid bid_amount offer salary" },
  { role: "currency", names: "currency currency_code ccy currency_iso amount_currency" },
  { role: "count", names: "quantity qty count units seats tickets number_of_tickets shares" },
  { role: "kept", names: "observation observations fact facts memory memories insight insights knowledge" },
  {
    role: "prose",
    names:
      "content contents text body message messages description html markdown html_body text_body body_html body_text prompt comment note notes instructions code script snippet data payload",
  },
  {
    role: "url",
    names:
      "url urls uri uris link links href website webpage web_page homepage page_url target_url image_url video_url webhook webhook_url callback_url endpoint domain domains host hosts hostname site_url",
  },
  {
    role: "sender",
    names: "from sender author sender_id sender_email from_email from_address created_by me",
  },
];

/** Roles by argument name. */
export function rolesOf(rows: readonly NameRow[]): ReadonlyMap<string, ArgumentRole> {
  return new Map(rows.flatMap(({ role, names }) => names.split(" ").map((name) => [name, role] as const)));
}
