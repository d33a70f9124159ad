import { lazy, Suspense, useEffect, useState } from 'react'

const OutsideLinkDialog = lazy(() => import('../ui/outside-link-dialog.tsx'))

/**
 * Shows the full URL of a user's link before the browser follows it (LOOP-13). One listener for the whole document, so that a link on a page
 * that the server has rendered asks, too, before the code of the part around it has loaded.
 */
export function OutsideLinkGuard() {
  const [url, setUrl] = useState<string>()

  useEffect(() => {
    const ask = (event: MouseEvent) => {
      if (event.button === 2 || !(event.target instanceof Element)) return // the second button opens the context menu
      const link = event.target.closest<HTMLAnchorElement>('a[data-outside-link]')
      if (!link) return
      event.preventDefault()
      setUrl(link.href)
    }
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    document.addEventListener('click', ask, options)
    document.addEventListener('auxclick', ask, options)
    return () => listening.abort()
  }, [])

  return (
    url !== undefined && (
      <Suspense>
        <OutsideLinkDialog url={url} onClose={() => setUrl(undefined)} />
      </Suspense>
    )
  )
}
