/** Addresses of pages that are named by what is any text: it stands in the query. */

/** A decision is named by its place in the record. */
export function decisionUrl(view: { chain: string; seq: number }): string {
  return `/decision?${new URLSearchParams({ chain: view.chain, seq: String(view.seq) })}`;
}

/** The same by its id, for whoever does not know its place. */
export function decisionByIdUrl(id: string): string {
  return `/decision?${new URLSearchParams({ id })}`;
}

/** The file that proves an entry. */
export function receiptUrl(view: { chain: string; seq: number }): string {
  return `/record/receipt?${new URLSearchParams({ chain: view.chain, seq: String(view.seq) })}`;
}

/** A session's page. */
export function sessionUrl(session: string): string {
  return `/session?${new URLSearchParams({ id: session })}`;
}

/** The skills that an agent wrote. */
export function skillsUrl(agent: string): string {
  return `/agents/${encodeURIComponent(agent)}/skills`;
}

/** A skill's history. */
export function skillUrl(agent: string, skill: string, page = 1): string {
  const query = new URLSearchParams({ name: skill, ...(page === 1 ? {} : { page: String(page) }) });
  return `/agents/${encodeURIComponent(agent)}/skill?${query}`;
}

/** Where a text is tried, with the session whose words its quotes are looked up in. */
export function checkUrl(session: string | null): string {
  return session === null ? "/evidence/check" : `/evidence/check?${new URLSearchParams({ session })}`;
}
