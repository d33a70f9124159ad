import { postTexts } from '@ovation/contract/texts/posts'
import { lazy, Suspense, useState } from 'react'
import { nameOf } from '../../lib/auth/viewer.ts'
import { MoreTrigger } from '../../ui/more-trigger.tsx'
import type { PostMenuProps } from './post-menu-open.tsx'

const PostMenuOpen = lazy(() => import('./post-menu-open.tsx'))

/** The button of a post's menu. The menu's code loads on the first click, because few menus in a list are ever opened. */
export function PostMenu({ post, own }: PostMenuProps) {
  const [isAsked, setAsked] = useState(false)
  const button = <MoreTrigger label={postTexts.more(nameOf(post.creator))} onClick={() => setAsked(true)} />
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <PostMenuOpen post={post} own={own} />
    </Suspense>
  )
}
