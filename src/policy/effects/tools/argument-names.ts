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
  | "label"
  | "url"
  | "sender"
  | "persona"
  | "reference"
  | "item"
  | "none";

export interface NameRow {
  readonly role: ArgumentRole;
  /**
   * Argument names in lower-case words joined by `_`, without accents, with spaces between; `toEmail` and `to-email` are
   * `to_email`, `Empfänger` is `empfanger`.
   */
  readonly names: string;
}

/** Argument names of tools that no table knows. A name stands in one row only. */
export const ARGUMENT_NAMES: readonly NameRow[] = [
  {
    role: "to",
    names:
      "to tos recipient recipients to_email to_emails to_address to_addresses to_recipients to_user to_number email_to mail_to send_to sent_to additional_recipients recipient_email recipient_emails recipient_address receiver receivers receiver_email recipient_id recipient_ids recipient_list recipient_name to_phone to_list destinataire destinataires destinatario destinatarios destinatari empfanger empfaenger mailempfanger an para ontvanger ontvangers mottagare modtager mottaker odbiorca odbiorcy alici adresat watcher watchers subscriber subscribers follower followers notify notified notify_user notify_users notify_email notify_emails notify_list notification_email notification_emails also also_to also_send_to deliver_to delivery_email distribution distribution_list mention mentions mentioned_users tagged_users target_email target_emails send_copy_to 收件人 收信人 收件者 接收人 接收者 收件邮箱 宛先 送信先 받는사람 수신자 수신인 кому получатель получатели",
  },
  {
    role: "copy",
    names:
      "cc ccs cc_email cc_emails cc_address cc_addresses cc_recipients cc_list copy_to carbon_copy cc_to copy copies carbon_copies kopie kopien kopi kopia copia copias copie in_copia en_copia en_copie con_copia 抄送 抄送人 副本 참조 копия",
  },
  {
    role: "blind-copy",
    names:
      "bcc bccs bcc_email bcc_emails bcc_address bcc_addresses bcc_recipients bcc_list blind_copy blind_carbon_copy bcc_to blind_copies hidden_copy cco ccn cci blindkopie blindkopien copie_cachee copia_oculta copia_nascosta skjult_kopi dold_kopia 密送 密送人 密件抄送 密件副本 秘密抄送 숨은참조 скрытая_копия",
  },
  {
    role: "reply-to",
    names:
      "reply_to reply_to_email reply_to_address reply_to_addresses reply_tos return_path reply_address reply_email replies_to antwort_an repondre_a responder_a rispondi_a 回复地址",
  },
  {
    role: "attendee",
    names:
      "attendee attendees guest guests invitee invitees participant participants required_attendees optional_attendees attendee_emails guest_emails invitee_email invitee_emails participant_emails invited invites teilnehmer gaste participantes asistentes invitados invitati partecipanti convidados deelnemers 参会人 参与者 与会者 邀请人 参加者 참석자 участники",
  },
  {
    role: "person",
    names:
      "email emails email_address email_addresses user_email user_emails customer_email contact_email address addresses phone phones phone_number phone_numbers mobile msisdn user users user_id user_ids username usernames user_name handle handles screen_name person people contact contacts contact_id contact_ids friend open_id wxid jid",
  },
  {
    role: "member",
    names:
      "member members member_id member_email collaborator collaborators grantee grantees editor editors viewer viewers commenter commenters co_owner co_owners new_owner transfer_to share_with shared_with share_to with_user with_email principal_email reviewer_email",
  },
  {
    role: "place",
    names:
      "channel channels channel_id channel_ids channel_name room rooms room_id room_name conversation conversation_id chat chats chat_id chat_ids group_id group_code group_chat space space_id subreddit server_channel",
  },
  {
    role: "audience",
    names:
      "list list_id mailing_list audience audience_id segment segment_id group groups topic_arn broadcast_list team teams department departments",
  },
  {
    role: "account",
    names:
      "payee payees payee_name payee_id iban to_iban recipient_iban beneficiary beneficiary_id beneficiary_name account account_number account_id to_account to_account_id to_account_number destination destination_account destination_id wallet wallet_id wallet_address to_wallet vendor merchant creditor creditor_account supplier pay_to zahlungsempfanger zahlungsempfaenger begunstigter beguenstigter beneficiario beneficiaire kontonummer conto cuenta 收款人 收款方 收款账户 收款账号 收款卡号",
  },
  {
    role: "forward",
    names:
      "forward forward_to forwarding forwarding_address forwarding_email forward_address forward_email auto_forward auto_forward_to forward_all_to redirect_to weiterleiten weiterleitung transferer_a reenviar_a inoltra_a 转发 转发至 转发给",
  },
  { role: "raw", names: "raw raw_message raw_email mime mime_message rfc822 eml" },
  {
    role: "sum",
    names:
      "amount amounts total total_amount total_price total_cost payment_amount refund_amount transfer_amount transaction_amount amount_cents amount_in_cents amount_minor cents price_cents price price_in_cents grand_total charge_amount deposit_amount tip tip_amount max_amount max_price budget donation betrag montant importe importo monto bedrag belopp kwota summe 金额 金額 总额",
  },
  {
    role: "unit-sum",
    names: "unit_price unit_amount unit_cost price_each price_per_unit price_per_item unit_amount_decimal",
  },
  { role: "value", names: "value sum cost fee limit_price bid bid_amount offer salary" },
  {
    role: "currency",
    names:
      "currency currency_code ccy currency_iso amount_currency wahrung waehrung devise moneda moeda valuta 币种 货币 貨幣",
  },
  { role: "count", names: "quantity qty count units seats tickets number_of_tickets shares" },
  { role: "kept", names: "observation observations fact facts memory memories insight insights knowledge" },
  {
    role: "prose",
    names:
      "content contents text body message messages description html markdown html_body text_body body_html body_text prompt comment note notes instructions code script snippet data payload nachricht inhalt mensaje mensagem messaggio corps contenu contenido texto corpo caption signature footer 正文 内容 消息 留言",
  },
  {
    role: "label",
    names:
      "title titles subject subjects subject_line summary headline topic heading agenda query q search search_query filter filters keyword keywords betreff objet asunto assunto oggetto onderwerp 主题 标题",
  },
  {
    role: "reference",
    names:
      "message_id message_ids in_reply_to references thread_id thread_ids original_message_id reply_to_message_id reply_to_id parent_id parent_message_id uid uids ical_uid i_cal_uid event_id event_ids calendar calendars calendar_id calendar_ids draft_id idempotency_key request_id etag content_id",
  },
  {
    role: "url",
    names:
      "url urls uri uris link links href website webpage web_page homepage page_url target_url image_url video_url webhook webhook_url callback_url endpoint domain domains host hosts hostname site_url",
  },
  {
    role: "sender",
    names:
      "from sender author sender_id sender_email from_email from_address created_by me sender_name from_name from_user from_account payer payer_id debtor debit_account source_account source_wallet from_wallet from_iban sender_iban mailbox account_email organizer organiser absender expediteur remitente mittente remetente 发件人 付款人 付款账户",
  },
  {
    role: "persona",
    names:
      "on_behalf_of behalf_of send_as sent_as sends_as as acting_as act_as as_user run_as impersonate impersonate_user impersonated_user delegate_for",
  },
];

/** Roles by argument name, and by the same name without its gaps: `c_c` and `replyto`. */
export function rolesOf(rows: readonly NameRow[]): ReadonlyMap<string, ArgumentRole> {
  const named = rows.flatMap(({ role, names }) => names.split(" ").map((name) => [name, role] as const));
  const roles = new Map(named);
  for (const [name, role] of named) {
    const closed = name.replaceAll("_", "");
    if (!roles.has(closed)) roles.set(closed, role);
  }
  return roles;
}

/** What an argument is, by its name as `nameOf` gives it: `cc_2` and `c_c` are `cc`, `bcc_self` is one as well. */
export function roleOf(roles: ReadonlyMap<string, ArgumentRole>, name: string): ArgumentRole | undefined {
  const whole = roles.get(name);
  if (whole !== undefined) return whole;
  const plain = name.replace(/_?\d{1,6}$/, "");
  const known = roles.get(plain) ?? roles.get(plain.replaceAll("_", ""));
  if (known !== undefined) return known;
  if (/^b_?cc_/.test(name)) return "blind-copy";
  return /^cc_/.test(name) ? "copy" : undefined;
}
