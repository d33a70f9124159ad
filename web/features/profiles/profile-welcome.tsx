import { Skeleton } from '@mantine/core'
import { profileLayoutTexts as texts } from '@ovation/contract/texts/profile-layouts'
import { useQuery } from '@tanstack/react-query'
import type { Layout } from '../../domain/creators/layout.ts'
import { followsQuery } from '../../domain/follows/queries.ts'
import { PostMedia, PostMediaLinks } from '../../domain/posts/post-media.tsx'
import { postQuery } from '../../domain/posts/queries.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import classes from './profile-welcome.module.css'

type Props = { profileId: string; name: string; layout: Layout }

/** A creator's words and video for visitors, and for users who don't follow them yet (PAGE-01). */
export default function ProfileWelcome({ profileId, name, layout }: Props) {
  const viewer = useViewer()
  const follows = useQuery({ ...followsQuery(viewer?.profileId ?? '', [profileId]), enabled: Boolean(viewer) })
  // Shown only once it is known, so that it doesn't flash for followers.
  const isNew = viewer === null || follows.data?.includes(profileId) === false
  if (!isNew) return null
  return (
    <section className={classes.welcome} aria-label={texts.welcome(name)}>
      {layout.welcome_text && (
        <p className={classes.text} dir="auto">
          <LinkedText text={layout.welcome_text} />
        </p>
      )}
      {layout.welcome_post_id && <WelcomeVideo postId={layout.welcome_post_id} />}
    </section>
  )
}

/** The first video of a free post, played in place. Nothing if the viewer may not see the post. */
function WelcomeVideo({ postId }: { postId: string }) {
  const post = useQuery(postQuery(postId))
  const place = post.data?.media_types.indexOf('video') ?? -1
  const path = post.data?.media_urls[place]
  const media = useMediaLinks(path === undefined ? [] : [path])
  if (post.isPending) return <Skeleton className={classes.placeholder ?? ''} radius="md" />
  if (!post.data || path === undefined) return null
  const preview = post.data.media_previews[place] ?? {}
  return (
    <PostMediaLinks value={media}>
      <PostMedia
        post={{ ...post.data, media_urls: [path], media_types: ['video'], media_previews: [preview] }}
        place="list"
      />
    </PostMediaLinks>
  )
}
