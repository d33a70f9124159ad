/**
 * Opens an empty tab at once, for a URL that isn't known yet.
 * @param message shown in the tab until then.
 */
export function openPendingTab(message: string): { go: (url: string) => boolean; close: () => void } {
  const tab = window.open('', '_blank')
  if (tab) {
    // The page must not control this one.
    tab.opener = null
    tab.document.title = message
    tab.document.body.textContent = message
  }
  return {
    /** @returns false if the browser blocked the tab or the user closed it. */
    go: (url) => {
      if (!tab || tab.closed) return false
      tab.location.replace(url)
      return true
    },
    close: () => tab?.close(),
  }
}
