import { paths } from '@ovation/contract/paths'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { postTexts } from '@ovation/contract/texts/posts'
import { Link } from 'react-router'
import { describeMedia } from '../../domain/posts/describe-media.ts'
import type { Post } from '../../domain/posts/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { postCover, publicImage } from '../../lib/media/public-image.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import { ProfileAvatar, toneOf } from '../../ui/profile-avatar.tsx'
import tones from '../../ui/tone.module.css'
import rails from './explore-rails.module.css'
import classes from './post-rail.module.css'
import { Rail } from './rail.tsx'

const texts = exploreTexts.rails

/** Posts that are sold one by one, by their cover or blurred preview, with the price. */
export function PostRail({ posts }: { posts: Post[] }) {
  return (
    <Rail title={texts.posts} beside={<span className={classes.hint}>{texts.postsHint}</span>}>
      {posts.map((post) => (
        <li key={post.id} className={rails.item}>
          <PostCard post={post} />
        </li>
      ))}
    </Rail>
  )
}

function PostCard({ post }: { post: Post }) {
  const { creator, media_types, media_previews } = post
  const name = nameOf(creator)
  return (
    <article className={`surface ${rails.card}`}>
      <Picture post={post} />
      <div className={classes.body}>
        <h3 className={rails.nameLine}>
          {/* The link's area covers the whole card. */}
          <Link to={paths.post(post.id)} className={rails.name} dir="auto">
            {post.title || post.content?.split('\n', 1)[0] || postTexts.openPost}
          </Link>
        </h3>
        <p className={classes.by}>
          <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={24} />
          <bdi className={classes.creator}>{name}</bdi>
        </p>
        <p className={classes.foot}>
          <span className={classes.price}>{formatCents(post.ppv_price ?? 0)}</span>
          {media_types.length > 0 && (
            <span className={classes.media}>{describeMedia(media_types, media_previews)}</span>
          )}
        </p>
      </div>
    </article>
  )
}

/** Decorative: the title is below it. */
function Picture({ post: { creator, content, cover_path, media_previews } }: { post: Post }) {
  const preview = media_previews[0]?.preview
  return (
    <div className={`${classes.picture} ${tones.tone}`} data-tone={toneOf(nameOf(creator))}>
      {cover_path !== null ? (
        <img src={postCover(cover_path, 640)} alt="" loading="lazy" decoding="async" />
      ) : preview ? (
        <BlurredPreview preview={preview} />
      ) : (
        // How the text begins, which everyone sees.
        <span className={classes.text} dir="auto" aria-hidden="true">
          {content}
        </span>
      )}
    </div>
  )
}
