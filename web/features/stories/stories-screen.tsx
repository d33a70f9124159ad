import { Loader, Modal } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { storyTexts } from '@ovation/contract/texts/stories'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import {
  highlightStoriesQuery,
  highlightsQuery,
  type StoryCreator,
  storiesQuery,
  storyCreatorQuery,
  storyQuery,
  storyRingsQuery,
} from '../../domain/stories/queries.ts'
import { isId } from '../../lib/api/is-id.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { GoneStory } from './gone-story.tsx'
import classes from './story-player.module.css'
import { StoryPlayer } from './story-player.tsx'

const texts = storyTexts.viewer

/** A creator's stories, one of their highlights, or a single story, over the whole window (STORY-01). */
export default function StoriesScreen() {
  const { username = '' } = useParams()
  const creator = useQuery(storyCreatorQuery(username))
  if (creator.isPending) return <Frame label={storyTexts.title} />
  if (creator.isError)
    return (
      <Frame label={storyTexts.title}>
        <div className={classes.panel}>
          <LoadFailed order={1} title={texts.loadFailed} of={creator} />
        </div>
      </Frame>
    )
  if (!creator.data)
    return (
      <Frame label={storyTexts.title}>
        <GoneStory />
      </Frame>
    )
  return <OfCreator key={creator.data.id} creator={creator.data} />
}

function OfCreator({ creator }: { creator: StoryCreator }) {
  const [search] = useSearchParams()
  const [highlight, wanted] = [idIn(search.get('highlight')), idIn(search.get('story'))]
  const open = useQuery({ ...storiesQuery(creator.id), enabled: !highlight })
  const kept = useQuery({ ...highlightStoriesQuery(highlight ?? ''), enabled: highlight !== undefined })
  const highlights = useQuery({ ...highlightsQuery(creator.id), enabled: highlight !== undefined })
  const isAmongOpen = open.data?.some(({ id }) => id === wanted) ?? false
  const single = useQuery({
    ...storyQuery(wanted ?? ''),
    enabled: wanted !== undefined && !highlight && open.isSuccess && !isAmongOpen,
  })
  const shown = highlight ? kept : wanted && open.isSuccess && !isAmongOpen ? single : open
  const name = nameOf(creator)
  const highlightName = highlights.data?.find(({ id }) => id === highlight)?.name
  const label = highlightName ? texts.highlight(highlightName) : texts.label(name)
  const neighbors = useNeighbors(creator.id, highlight === undefined && wanted === undefined)
  const close = useClose(creator)
  if (shown.isPending) return <Frame label={label} />
  if (shown.isError)
    return (
      <Frame label={label}>
        <div className={classes.panel}>
          <LoadFailed order={1} title={texts.loadFailed} of={shown} />
        </div>
      </Frame>
    )
  if (shown.data.length === 0)
    return (
      <Frame label={label}>
        <GoneStory creator={creator} />
      </Frame>
    )
  return (
    <Page title={label} heading={null}>
      <StoryPlayer
        key={`${creator.id} ${highlight} ${wanted}`}
        creator={creator}
        label={label}
        stories={shown.data}
        highlightId={highlight}
        wanted={wanted}
        onPrevious={neighbors.previous}
        onNext={neighbors.next}
        onClose={close}
      />
    </Page>
  )
}

const idIn = (value: string | null): string | undefined => (value && isId(value) ? value : undefined)

/** The window before there are stories, or where there are none. */
function Frame({ label, children }: { label: string; children?: ReactNode }) {
  const navigate = useNavigate()
  return (
    <Page title={label} heading={null}>
      <Modal.Root opened onClose={() => void navigate(paths.home)} fullScreen transitionProps={{ duration: 0 }}>
        <Modal.Content className={classes.content ?? ''} aria-label={label}>
          <Modal.Body className={classes.frame ?? ''}>
            {children ?? <Loader color="gray" aria-label={texts.loading} />}
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </Page>
  )
}

/** Back to the screen that led here, or to the profile, if a link from outside did. */
function useClose(creator: StoryCreator): () => void {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { fromApp?: true } | null }
  return () => void (state?.fromApp ? navigate(-1) : navigate(paths.profile(creator.username ?? ''), { replace: true }))
}

/** The creators before and after this one in the row of rings, as it was when the viewer came. */
function useNeighbors(creatorId: string, isOpen: boolean) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const viewer = useViewer()
  const rings = useQuery({ ...storyRingsQuery(), enabled: Boolean(viewer) })
  const [order] = useState(() => rings.data ?? [])
  const others = (order.length > 0 ? order : (rings.data ?? [])).map(({ username, creator_id }) => ({
    username,
    creator_id,
  }))
  const at = others.findIndex(({ creator_id }) => creator_id === creatorId)
  const goTo = (index: number) => {
    const ring = at === -1 || !isOpen ? undefined : others[index]
    return ring && (() => void navigate(paths.stories(ring.username), { replace: true, state }))
  }
  return { previous: goTo(at - 1), next: goTo(at + 1) }
}
