// Before the first paint: sets the color scheme, which Mantine keeps under this key and takes over once it runs, and hides what the server
// has rendered for visitors if this browser has a session that the server doesn't know of (web/lib/auth/mark-signed-in.ts).
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('mantine-color-scheme-value')
    const hasSession = Object.keys(localStorage).some((key) => /^sb-.*-auth-token$/.test(key))
    document.documentElement.toggleAttribute('data-has-session', hasSession)
  } catch {
    // Storage may be blocked: then the system's scheme is used.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
