/** The API over HTTP, as any client would speak it. */

/**
 * @param {string} origin
 * @returns {(method: string, path: string, options?: {key?: string, cookie?: string, headers?: Record<string, string>, json?: unknown, body?: BodyInit}) => Promise<{status: number, ok: boolean, headers: Headers, text: string, json: any}>}
 */
export function client(origin) {
  return async function send(method, path, { key, cookie, headers = {}, json, body } = {}) {
    const response = await fetch(origin + path, {
      method,
      redirect: "manual",
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(cookie === undefined ? {} : { cookie }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: json === undefined ? body : JSON.stringify(json),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, ok: response.ok, headers: response.headers, text, json: parsed(text) };
  };
}

/** Presses the button behind a sign-in link. @returns the cookie that signs its member in */
export async function signIn(send, url) {
  const answer = await send("POST", "/sign-in", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ link: new URL(url).searchParams.get("link") ?? "" }).toString(),
  });
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0];
  if (cookie === undefined) throw new Error(`POST /sign-in answered ${answer.status}, without a cookie`);
  return cookie;
}

/** The answer, or an error that says which request was refused and why. */
export async function must(send, method, path, options) {
  const answer = await send(method, path, options);
  if (answer.ok) return answer;
  throw new Error(
    `${method} ${path} answered ${answer.status} ${answer.json?.code ?? ""}: ${answer.json?.detail ?? answer.text.slice(0, 200)}`,
  );
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
