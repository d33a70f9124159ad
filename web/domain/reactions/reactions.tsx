import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useMemo } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { type Reaction, reactionsQuery } from './queries.ts'

/** The posts that were asked about together, and of which of them it is so; `undefined` as long as that is not known. */
type Reacted = { postIds: string[] } & Readonly<Record<Reaction, readonly string[] | undefined>>

export const ReactionsContext = createContext<Reacted>({ postIds: [], post_likes: undefined, bookmarks: undefined })

const nothing: readonly string[] = []

/** What the viewer did with these posts: asked once for all of them, and followed once, not by each button below each post. */
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
