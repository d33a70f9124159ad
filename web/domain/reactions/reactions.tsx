import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useMemo } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { type Reaction, reactionsQuery } from './queries.ts'

/** The posts of one request, and which of them have the viewer's reaction; `undefined` while loading. */
type Reacted = { postIds: string[] } & Readonly<Record<Reaction, readonly string[] | undefined>>

export const ReactionsContext = createContext<Reacted>({ postIds: [], post_likes: undefined, bookmarks: undefined })

const nothing: readonly string[] = []

/** The viewer's reactions to these posts: one request and one subscription for all of them, not one for each button. */
export function Reactions({ postIds, children }: { postIds: string[]; children: ReactNode }) {
  const viewer = useViewer()
  const ask = (reaction: Reaction) => ({
    ...reactionsQuery(reaction, viewer?.profileId ?? '', postIds),
    enabled: Boolean(viewer),
  })
  const { data: likes } = useQuery(ask('post_likes'))
  const { data: kept } = useQuery(ask('bookmarks'))
  const isVisitor = viewer === null
  const reacted = useMemo(
    () => ({ postIds, post_likes: isVisitor ? nothing : likes, bookmarks: isVisitor ? nothing : kept }),
    [postIds, isVisitor, likes, kept],
  )
  return <ReactionsContext value={reacted}>{children}</ReactionsContext>
}
