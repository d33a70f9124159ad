import { Text, Title } from '@mantine/core'
import { lockedPreviewLength } from '@ovation/contract/limits'
import { schedulingTexts } from '@ovation/contract/texts/scheduling'
import { useEffect, useState } from 'react'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Segments } from '../../ui/segments.tsx'
import { VisitorPoll } from '../polls/poll-widget.tsx'
import { LockedPost } from '../posts/locked-post.tsx'
import { MediaGallery } from '../posts/media-gallery.tsx'
import cardClasses from '../posts/post-card.module.css'
import { PostContent } from '../posts/post-content.tsx'
import { PostHeader } from '../posts/post-header.tsx'
import type { MediaPreview, Post } from '../posts/queries.ts'
import { type PostOffer, PostOffers } from '../posts/unlocks.tsx'
import type { Plan } from '../subscriptions/plan-queries.ts'
import { audienceColumns, type ComposerValues, schedulingColumns } from './composer-values.ts'
import { mediaTypeOf } from './file-rules.ts'
import classes from './post-preview.module.css'
import type { ChosenFile } from './use-files.ts'

const texts = schedulingTexts.preview
const dayMs = 86_400_000

type Props = {
  viewer: Viewer
  values: ComposerValues
  files: ChosenFile[]
  /** The address of the chosen cover. */
  cover: string | undefined
  /** The plan of a post for subscribers. */
  plan: Plan | undefined
  onClose: () => void
}

/** The post as fans will see it. A paid post shows before and after payment. */
export default function PostPreview({ viewer, values, files, cover, plan, onClose }: Props) {
  const paid = values.audience !== 'free'
  const [side, setSide] = useState<'before' | 'after'>('before')
  const measures = useMeasures(files)
  const post = { ...draftOf(viewer, values, files, paid && side === 'before'), media_previews: measures }
  const name = nameOf(post.creator)
  return (
    <Dialog title={texts.title} onClose={onClose} size="lg" fullScreenOnPhone>
      {paid && (
        <Segments
          fullWidth
          className={classes.side}
          aria-label={texts.title}
          value={side}
          onChange={setSide}
          data={[
            { value: 'before', label: texts.before },
            { value: 'after', label: texts.after },
          ]}
        />
      )}
      {/* Inert: its links would leave the composer, and its buttons would sell a post that doesn't exist yet. */}
      <article className={`surface ${cardClasses.card} ${classes.card}`} aria-label={texts.label(name)} inert>
        <PostHeader post={post} />
        <div className={cardClasses.body}>
          {post.title && (
            <Title order={3} className={cardClasses.title} dir="auto">
              {post.title}
            </Title>
          )}
          {post.content && <PostContent content={post.content} locked={post.is_locked} whole={false} />}
          {post.poll && <VisitorPoll poll={post.poll} />}
        </div>
        {post.is_locked ? (
          <PostOffers value={new Map([[post.id, offerOf(plan)]])}>
            <LockedPost post={post} cover={cover} />
          </PostOffers>
        ) : (
          <MediaGallery
            paths={post.media_urls}
            types={post.media_types}
            previews={measures}
            media={{ links: new Map(files.map(({ id, preview }) => [id, preview])), pending: false }}
            creator={name}
          />
        )}
      </article>
      <Text size="sm" c="dimmed" mt="md">
        {texts.hint}
      </Text>
    </Dialog>
  )
}

/** The sizes of the files, which decide the post's layout, and the focus points of its pictures. */
function useMeasures(files: ChosenFile[]): MediaPreview[] {
  const [sizes, setSizes] = useState<ReadonlyMap<string, MediaPreview>>(new Map())
  useEffect(() => {
    let left = false
    for (const { file, preview } of files)
      void sizeOf(preview, mediaTypeOf(file)).then((size) => {
        if (!left && size) setSizes((known) => new Map(known).set(preview, size))
      })
    return () => {
      left = true
    }
  }, [files])
  return files.map(({ preview, focus }) => ({ ...sizes.get(preview), ...(focus && { focus }) }))
}

/** The size of a local file; undefined if the browser can't show it. */
function sizeOf(url: string, type: 'image' | 'video'): Promise<MediaPreview | undefined> {
  return new Promise((resolve) => {
    const media = document.createElement(type === 'image' ? 'img' : 'video')
    media.onerror = () => resolve(undefined)
    if (media instanceof HTMLImageElement)
      media.onload = () => resolve({ width: media.naturalWidth, height: media.naturalHeight })
    else media.onloadedmetadata = () => resolve({ width: media.videoWidth, height: media.videoHeight })
    media.src = url
  })
}

/** As for a visitor. How much else the plan opens isn't known before the post exists. */
const offerOf = (plan: Plan | undefined): PostOffer => ({
  unlock: plan && { ...plan, plan_id: plan.id, plan_name: plan.name, more_posts: 0, is_subscribed: false },
  pending: false,
  isRepeated: false,
})

function draftOf(viewer: Viewer, values: ComposerValues, files: ChosenFile[], locked: boolean): Post {
  const content = values.content.trim()
  const poll = schedulingColumns(values)?.poll
  return {
    id: 'preview',
    creator_id: viewer.profileId,
    title: values.title.trim() || null,
    content: locked ? content.slice(0, lockedPreviewLength) : content,
    required_tier_id: null,
    ppv_price: null,
    ...audienceColumns(values),
    media_urls: locked ? [] : files.map(({ id }) => id),
    media_types: files.map(({ file }) => mediaTypeOf(file)),
    media_previews: [],
    cover_path: null,
    likes_count: 0,
    comments_count: 0,
    is_pinned: false,
    is_locked: locked,
    admin_note: null,
    admin_note_is_public: false,
    created_at: new Date().toISOString(),
    creator: {
      id: viewer.profileId,
      user_id: viewer.userId,
      username: viewer.username,
      display_name: viewer.displayName,
      avatar_url: viewer.avatarUrl,
      is_verified: viewer.isVerified,
      updated_at: '',
    },
    // Like the files, the poll is hidden while the post is locked. A poll without a question isn't shown.
    poll:
      poll?.title && !locked
        ? {
            id: 'preview',
            title: poll.title,
            options: JSON.stringify(poll.options),
            is_active: true,
            expires_at: new Date(Date.now() + poll.days * dayMs).toISOString(),
          }
        : null,
  }
}
