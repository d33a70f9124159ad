import { paths } from '@ovation/contract/paths'
import { storyTexts } from '@ovation/contract/texts/stories'
import {
  IconFlag,
  IconPencil,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconStar,
  IconTrash,
  IconVolume,
  IconVolumeOff,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { Link } from 'react-router'
import type { Story, StoryCreator } from '../../domain/stories/queries.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import type { MoreAction } from '../../ui/more-menu.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import type { StoryDialog } from './story-dialogs.tsx'
import classes from './story-player.module.css'

const texts = storyTexts.viewer

type Props = {
  creator: StoryCreator
  story: Story
  index: number
  count: number
  /** The bar of this story, which fills while it runs. */
  bar: RefObject<HTMLSpanElement | null>
  own: boolean
  paused: boolean
  /** False for a photo that doesn't lead on by itself. */
  canPause: boolean
  muted: boolean
  /** While the story is held, only the picture shows. */
  hidden: boolean
  highlightId: string | undefined
  onPause: () => void
  onMute: () => void
  onOpen: (dialog: StoryDialog) => void
  onClose: () => void
}

/** The bars, whose story it is, and what can be done with it. */
export function StoryHead(props: Props) {
  const { creator, story, index, count, bar, own, paused, canPause, muted, hidden, highlightId } = props
  const { onPause, onMute, onOpen, onClose } = props
  const viewer = useViewer()
  const name = nameOf(creator)
  const actions: MoreAction[] = own
    ? [
        { label: storyTexts.highlights.add, icon: IconStar, onSelect: () => onOpen('highlight') },
        ...(highlightId
          ? [{ label: storyTexts.highlights.edit, icon: IconPencil, onSelect: () => onOpen('edit-highlight') }]
          : []),
        { label: texts.delete, icon: IconTrash, onSelect: () => onOpen('delete') },
      ]
    : [
        ...(viewer ? [{ label: texts.report, icon: IconFlag, onSelect: () => onOpen('report') }] : []),
        ...(viewer?.isAdmin ? [{ label: texts.takeDown, icon: IconTrash, onSelect: () => onOpen('take-down') }] : []),
      ]
  return (
    <div className={classes.head} data-hidden={hidden || undefined}>
      <div className={classes.bars} aria-hidden="true">
        {Array.from({ length: count }, (_, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have nothing but their place
            key={at}
            className={classes.bar}
            data-state={at < index ? 'done' : at === index ? 'now' : 'later'}
          >
            {/* A new element for each story, so that it begins empty. */}
            <span
              key={at === index ? story.id : 'other'}
              ref={at === index ? bar : undefined}
              data-step={!canPause || undefined}
            />
          </span>
        ))}
      </div>
      <div className={classes.headLine}>
        <Link to={paths.profile(creator.username ?? '')} className={classes.creator}>
          <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={34} />
          <span className={classes.creatorName} dir="auto">
            {name}
          </span>
        </Link>
        <span className={classes.facts}>
          <Ago at={story.created_at} />
          {(own || story.audience !== 'everyone') && (
            <span className={classes.audience}>
              {own && story.audience === 'list' ? texts.forList(story.list_name) : texts.audiences[story.audience]}
            </span>
          )}
        </span>
        <span className={classes.controls}>
          {canPause && (
            <Control label={paused ? texts.play : texts.pause} onClick={onPause}>
              {paused ? <IconPlayerPlayFilled size={20} /> : <IconPlayerPauseFilled size={20} />}
            </Control>
          )}
          {story.media_type === 'video' && (
            <Control label={muted ? texts.unmute : texts.mute} onClick={onMute}>
              {muted ? <IconVolumeOff size={22} stroke={1.75} /> : <IconVolume size={22} stroke={1.75} />}
            </Control>
          )}
          <MoreButton label={texts.more} actions={actions} />
          <Control label={texts.close} onClick={onClose}>
            <IconX size={24} stroke={1.75} />
          </Control>
        </span>
      </div>
    </div>
  )
}

function Control({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes.control} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  )
}
