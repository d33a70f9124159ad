// Comfort while typing. Every page works without it: the server reads spaces, slashes and double clicks as well.
const groups = {
  card: (digits) => (/^3[47]/.test(digits) ? [4, 6, 5] : [4, 4, 4, 4, 3]),
  expiry: () => [2, 2],
  date: () => [2, 2, 4],
  digits: () => [17],
}
const separators = { card: ' ', expiry: ' / ', date: '/', digits: '' }

function grouped(format, text) {
  let rest = text.replace(/\D/g, '')
  const parts = []
  for (const size of groups[format](rest)) {
    if (rest === '') break
    parts.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return parts.join(separators[format])
}

for (const input of document.querySelectorAll('input[data-format]')) {
  const { format } = input.dataset
  input.addEventListener('input', () => {
    // Only at the end of the text: regrouping under the caret would move it while someone corrects a digit.
    if (input.selectionStart !== input.value.length) return
    if (format === 'expiry' && /^\d\d \/ \d{4}$/.test(input.value)) return
    input.value = grouped(format, input.value)
  })
}

for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) {
      event.preventDefault()
      return
    }
    form.dataset.sent = 'yes'
    const button = event.submitter
    if (!button?.dataset.busy) return
    button.setAttribute('aria-disabled', 'true')
    button.textContent = button.dataset.busy
  })
}

// Safari on phones ignores autofocus, and the first refused field would stay below the edge.
window.addEventListener('load', () => {
  const field = document.querySelector('[autofocus]')
  if (!field || document.activeElement !== document.body) return
  field.focus()
  field.scrollIntoView({ block: 'center' })
})

// The back button shows the page as it was left: let it be sent again.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})
