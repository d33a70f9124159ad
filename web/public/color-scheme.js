// Sets the colour scheme before the first paint. Mantine keeps the choice under this key and takes over once it runs.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage may be blocked: then the system's scheme is used.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
