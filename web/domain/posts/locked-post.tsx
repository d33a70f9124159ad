import { Button } from '@mantine/core'
import { payingTexts } from '@ovation/contract/texts/paying'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconLock } from '@tabler/icons-react'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatCents } from '../../lib/format/format.ts'
import { publicImage, smallImage } from '../../lib/media/public-image.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import { useCheckout } from '../payments/use-checkout.ts'
import { useSubscribe } from '../subscriptions/use-subscribe.ts'
import { describeMedia } from './describe-media.ts'
import classes from './locked-post.module.css'
import { mediaShape } from './media-shape.ts'
import type { Post } from './queries.ts'

/**
 * Replaces the media that the viewer has no access to (POST-03, POST-10). The files aren't sent (POST-46): this shows a blurred preview
 * of the first one, or the creator's avatar.
 */
export function LockedPost({ post }: { post: Post }) {
  const subscribe = useSubscribe()
  const purchase = useCheckout<{ kind: 'ppv'; targetId: string }>('create-payment-checkout', payingTexts.error)
  const { creator } = post
  const [first] = post.media_previews
  const count = post.media_types.length
  const face = first?.preview ? null : publicImage(creator.avatar_url, creator.updated_at)
  const price = formatCents(post.ppv_price ?? 0)
  return (
    <div
      className={classes.locked}
      data-previewed={first?.preview !== undefined}
      style={{ aspectRatio: count > 0 ? mediaShape(count, first) : undefined }}
    >
      {first?.preview && <BlurredPreview preview={first.preview} />}
      <div className={classes.backdrop} aria-hidden="true">
        {/* Blurred, so the small rendition is enough, which the header has loaded already. */}
        {face && <img src={smallImage(face)} alt="" loading="lazy" />}
      </div>
      <div className={classes.front}>
        <span className={classes.lock} aria-hidden="true">
          <IconLock size={24} stroke={1.6} />
        </span>
        <p className={classes.text}>
          {post.post_type === 'ppv' ? postTexts.locked.ppv(price) : postTexts.locked.subscription(nameOf(creator))}
        </p>
        {count > 0 && <p className={classes.media}>{describeMedia(post.media_types, post.media_previews)}</p>}
        {post.post_type === 'ppv' && (
          <Button
            mt="sm"
            onClick={() => purchase.start({ kind: 'ppv', targetId: post.id })}
            loading={purchase.pending !== undefined}
          >
            {postTexts.purchase}
          </Button>
        )}
        {post.post_type === 'subscription' && post.required_tier_id && (
          <Button
            mt="sm"
            onClick={() => subscribe.start(post.required_tier_id ?? '')}
            loading={subscribe.pending === post.required_tier_id}
          >
            {postTexts.subscribe}
          </Button>
        )}
      </div>
    </div>
  )
}
