import { Modal } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { storyTexts } from '@ovation/contract/texts/stories'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Story, StoryCreator } from '../../domain/stories/queries.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { sized, useMediaLinks } from '../../lib/media/media-links.ts'
import { OwnFooter } from './own-footer.tsx'
import { ReplyFooter } from './reply-footer.tsx'
import { type StoryDialog, StoryDialogs } from './story-dialogs.tsx'
import { StoryHead } from './story-head.tsx'
import { StoryMedia } from './story-media.tsx'
import classes from './story-player.module.css'
import { useMarkSeen } from './use-mark-seen.ts'
import { usePageVisible } from './use-page-visible.ts'
import { useStoryGestures } from './use-story-gestures.ts'
import { useStoryKeys } from './use-story-keys.ts'
import { useStoryProgress } from './use-story-progress.ts'

const texts = storyTexts.viewer

type Props = {
  creator: StoryCreator
  label: string
  stories: Story[]
  highlightId: string | undefined
  /** The story to begin with; otherwise the first one that the viewer hasn't seen. */
  wanted: string | undefined
  /** The creators before and after this one, if there are any. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
}

// For this visit: who has turned the sound on or off means all stories.
let isMutedByDefault = false

/**
 * Stories one after another (STORY-01): tap the sides, hold to pause, swipe, or use the keys. With reduced motion, nothing moves by itself: the
 * viewer turns the pages and starts the videos.
 */
export function StoryPlayer({ creator, label, stories, highlightId, wanted, onPrevious, onNext, onClose }: Props) {
  const viewer = useViewer()
  const own = viewer?.profileId === creator.id
  const reduced = useReducedMotion(false, { getInitialValueInEffect: false })
  const visible = usePageVisible()
  const [at, setAt] = useState(() => firstOf(stories, wanted))
  const [paused, setPaused] = useState(reduced)
  const [muted, setMuted] = useState(isMutedByDefault)
  const [readyId, setReadyId] = useState<string>()
  const [typing, setTyping] = useState(false)
  const [dialog, setDialog] = useState<StoryDialog>()
  const video = useRef<HTMLVideoElement>(null)
  const bar = useRef<HTMLSpanElement>(null)

  const index = Math.min(at, stories.length - 1)
  const story = stories[index] as Story
  const { links, pending } = useMediaLinks(
    stories.map(({ path }) => path),
    'stories',
  )
  const name = nameOf(creator)
  const go = (to: number) => {
    setPaused(reduced)
    setAt(to)
  }
  const next = () => (index + 1 < stories.length ? go(index + 1) : (onNext ?? onClose)())
  const previous = () => (index > 0 ? go(index - 1) : onPrevious?.())
  const { held, handlers } = useStoryGestures({
    onSwipeLeft: onNext ?? onClose,
    onSwipeRight: onPrevious,
    onSwipeDown: onClose,
  })
  const running = readyId === story.id && !paused && !held && !typing && dialog === undefined && visible
  // With reduced motion, a video that the viewer has started runs, but a photo doesn't lead on.
  useStoryProgress({
    storyId: story.id,
    running: running && !(reduced && story.media_type === 'image'),
    video,
    bar,
    onEnd: next,
  })
  useMarkSeen(story, readyId === story.id && Boolean(viewer) && !own && highlightId === undefined)
  usePreload(links.get(stories[index + 1]?.path ?? ''), stories[index + 1])

  const mute = () => {
    isMutedByDefault = !muted
    setMuted(!muted)
  }
  useStoryKeys(dialog === undefined, {
    onNext: next,
    onPrevious: previous,
    onPause: () => setPaused(!paused),
    onMute: story.media_type === 'video' ? mute : undefined,
  })

  return (
    <>
      <Modal.Root
        opened
        onClose={onClose}
        fullScreen
        closeOnEscape={dialog === undefined}
        trapFocus={dialog === undefined}
        transitionProps={{ duration: 0 }}
      >
        <Modal.Content className={classes.content ?? ''} aria-label={label}>
          <Modal.Body className={classes.body ?? ''}>
            {/* Not a button, whose outline would lie over the picture: the keys work from anywhere. */}
            <h1 className="visually-hidden" tabIndex={-1} data-autofocus>
              {label}
            </h1>
            <p className="visually-hidden">{texts.keys}</p>
            {onPrevious && <OtherCreator label={texts.previousCreator} side="left" onClick={onPrevious} />}
            <div className={classes.stage}>
              <StoryMedia
                story={story}
                link={links.get(story.path)}
                pending={pending}
                name={name}
                muted={muted}
                running={running}
                video={video}
                onReady={() => setReadyId(story.id)}
                onEnded={() => (reduced ? setPaused(true) : next())}
                onMutedByBrowser={() => setMuted(true)}
              />
              {/* Below the head and the foot, above the picture. */}
              <div className={classes.sides} {...handlers}>
                <button
                  type="button"
                  data-side="left"
                  aria-label={texts.previous}
                  onClick={previous}
                  onKeyUp={keepSpace}
                />
                <button type="button" data-side="right" aria-label={texts.next} onClick={next} onKeyUp={keepSpace} />
              </div>
              <StoryHead
                creator={creator}
                story={story}
                index={index}
                count={stories.length}
                bar={bar}
                own={own}
                paused={paused}
                canPause={!reduced || story.media_type === 'video'}
                muted={muted}
                hidden={held}
                onPause={() => setPaused(!paused)}
                onMute={mute}
                onOpen={setDialog}
                onClose={onClose}
                highlightId={highlightId}
              />
              <div className={classes.foot} data-hidden={held || undefined}>
                {story.caption && (
                  <p className={classes.caption} dir="auto">
                    {story.caption}
                  </p>
                )}
                {own ? (
                  <OwnFooter story={story} onOpen={setDialog} />
                ) : (
                  <ReplyFooter key={story.id} creator={creator} story={story} onTyping={setTyping} onOpen={setDialog} />
                )}
              </div>
              <p className="visually-hidden" role="status">
                {texts.position(index + 1, stories.length)}
                {paused && !reduced ? `. ${texts.paused}` : ''}
              </p>
            </div>
            {onNext && <OtherCreator label={texts.nextCreator} side="right" onClick={onNext} />}
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
      <StoryDialogs
        dialog={dialog}
        creator={creator}
        story={story}
        highlightId={highlightId}
        isLast={stories.length === 1}
        onLeave={onClose}
        onClose={() => setDialog(undefined)}
      />
    </>
  )
}

/** Space pauses; on a side, it would also turn the page. */
const keepSpace = (event: KeyboardEvent) => event.key === ' ' && event.preventDefault()

function firstOf(stories: readonly Story[], wanted: string | undefined): number {
  const asked = stories.findIndex(({ id }) => id === wanted)
  return Math.max(0, asked === -1 ? stories.findIndex(({ is_seen }) => !is_seen) : asked)
}

/** Loads the next picture, or the next video's poster, while this story shows. */
function usePreload(link: string | undefined, story: Story | undefined): void {
  const address = link && story ? sized(link, 1080) : undefined
  useEffect(() => {
    if (address) new Image().src = address
  }, [address])
}

function OtherCreator({ label, side, onClick }: { label: string; side: 'left' | 'right'; onClick: () => void }) {
  const Icon = side === 'left' ? IconChevronLeft : IconChevronRight
  return (
    <button
      type="button"
      className={classes.other}
      data-place={side}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon size={24} stroke={1.75} aria-hidden="true" />
    </button>
  )
}
