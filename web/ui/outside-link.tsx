import type { AnchorHTMLAttributes } from 'react'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'onClick' | 'onAuxClick'> & {
  url: string
}

/** A link of a user to another site. `OutsideLinkGuard` shows the full URL first (LOOP-13). `ugc`: we don't vouch for user content. */
export function OutsideLink({ url, children, ...rest }: Props) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc" data-outside-link {...rest}>
      {children}
    </a>
  )
}
