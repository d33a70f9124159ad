/**
 * Tells the server in a cookie, which grants nothing, whether this browser has a session: it renders pages for visitors only. The session
 * itself is in the browser's storage, which no request carries.
 */
export function markSignedIn(isSignedIn: boolean): void {
  if (import.meta.env.SSR) return
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs TLS
  document.cookie = `signed-in=${isSignedIn ? '1; max-age=31536000' : '; max-age=0'}; path=/; samesite=lax`
}
