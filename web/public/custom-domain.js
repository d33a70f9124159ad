// A creator's own domain shows their page without the app: signing in, buying, and writing happen on the site itself. Links are redirected
// there by the server; this leads there from buttons and fields.
;(() => {
  const { profile } = document.currentScript.dataset
  document.addEventListener('click', (event) => {
    if (event.target.closest('button, input, select, textarea, summary, [role="tab"]')) location.assign(profile)
  })
})()
