/**
 * Opens an empty tab at once, to be sent to its address when that is known.
 * @param words what the tab says until then.
 */
export function openLater(words: string): { go: (url: string) => boolean; close: () => void } {
  const tab = window.open('', '_blank')
  if (tab) {
    // The page it will show has no business with this one.
    tab.opener = null
    tab.document.title = words
    tab.document.body.textContent = words
  }
  return {
    /** False when the browser opened no tab, or the person has closed it. */
    go: (url) => {
      if (!tab || tab.closed) return false
      tab.location.replace(url)
      return true
    },
    close: () => tab?.close(),
  }
}
