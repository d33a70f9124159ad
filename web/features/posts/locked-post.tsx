import { Button } from '@mantine/core'
import { payingTexts } from '@ovation/contract/texts/paying'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconLock } from '@tabler/icons-react'
import { formatDollars } from '../../lib/format.ts'
import { publicImage } from '../../lib/public-image.ts'
import { nameOf } from '../../lib/viewer.ts'
import { toneOf } from '../../ui/profile-avatar.tsx'
import { useCheckout } from '../payments/use-checkout.ts'
import { useSubscribe } from '../subscriptions/use-subscribe.ts'
import classes from './locked-post.module.css'
import type { Post } from './queries.ts'

/** "2 photos, 1 video": what waits behind the lock. */
export function describeMedia(types: Post['media_types']): string {
  const photos = types.filter((type) => type === 'image').length
  const videos = types.length - photos
  return [photos && postTexts.photos(photos), videos && postTexts.videos(videos)].filter(Boolean).join(', ')
}

/**
 * In place of what the viewer has not paid for (POST-03, POST-10). The files themselves never came (POST-46), so what is
 * blurred is the creator's own picture.
 */
export function LockedPost({ post }: { post: Post }) {
  const subscribe = useSubscribe()
  const purchase = useCheckout<{ kind: 'ppv'; targetId: string }>('create-payment-checkout', payingTexts.error)
  const { creator } = post
  const backdrop = publicImage(creator.avatar_url, creator.updated_at)
  const price = formatDollars(post.ppv_price ?? 0)
  return (
    <div className={classes.locked} data-tone={toneOf(nameOf(creator))}>
      <div className={classes.backdrop} aria-hidden="true">
        {backdrop && <img src={backdrop} alt="" loading="lazy" />}
      </div>
      <div className={classes.front}>
        <span className={classes.lock} aria-hidden="true">
          <IconLock size={24} stroke={1.6} />
        </span>
        <p className={classes.words}>
          {post.post_type === 'ppv' ? postTexts.locked.ppv(price) : postTexts.locked.subscription(nameOf(creator))}
        </p>
        {post.media_types.length > 0 && <p className={classes.media}>{describeMedia(post.media_types)}</p>}
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
