import { type AnchorHTMLAttributes, lazy, type MouseEvent, Suspense, useState } from 'react'
import { createPortal } from 'react-dom'

const OutsideLinkDialog = lazy(() => import('./outside-link-dialog.tsx'))

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'onClick' | 'onAuxClick'> & {
  url: string
}

/** A link of a user to another site. Shows the full URL first (LOOP-13). `ugc`: we don't vouch for user content. */
export function OutsideLink({ url, children, ...rest }: Props) {
  const [asking, setAsking] = useState(false)
  const ask = (event: MouseEvent) => {
    if (event.button === 2) return // opens the context menu
    event.preventDefault()
    setAsking(true)
  }
  return (
    <>
      <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc" onClick={ask} onAuxClick={ask} {...rest}>
        {children}
      </a>
      {/* Outside the paragraph, which can't contain a dialog. */}
      {asking &&
        createPortal(
          <Suspense>
            <OutsideLinkDialog url={url} onClose={() => setAsking(false)} />
          </Suspense>,
          document.body,
        )}
    </>
  )
}
