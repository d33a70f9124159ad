import { Button } from '@mantine/core'
import { payingTexts } from '@ovation/contract/texts/paying'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconLock } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { signInPath } from '../../lib/auth/sign-in-path.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { postCover, publicImage, smallImage } from '../../lib/media/public-image.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import { useCheckout } from '../payments/use-checkout.ts'
import { describeMedia } from './describe-media.ts'
import classes from './locked-post.module.css'
import { layOutCard } from './media-layout.ts'
import { PlanOffer } from './plan-offer.tsx'
import type { Post } from './queries.ts'

type Props = {
  post: Post
  /** Replaces the post's own cover in a preview: the address of a local file. */
  cover?: string | undefined
  /** On its own page, unlocking is the primary action; in a list there are many (LOOP-28). */
  primary?: boolean
}

/** The same as of the unlocked post's media. A cover without media counts as a file of unknown size. */
const shapeOf = ({ media_types, media_previews }: Post) =>
  media_types.length === 0
    ? layOutCard([{ type: 'image' }]).shape
    : layOutCard(media_types.map((type, index) => ({ type, preview: media_previews[index] }))).shape

/**
 * Replaces the media that the viewer has no access to (POST-03, POST-10). The files aren't sent (POST-46): this shows the free cover
 * (LOOP-14), or a blurred preview of the first file, or the creator's avatar.
 */
export function LockedPost({ post, cover, primary = false }: Props) {
  const { creator, media_types: types, media_previews: previews } = post
  const [first] = previews
  const picture = cover ?? (post.cover_path === null ? undefined : postCover(post.cover_path))
  const blurred = picture ? undefined : first?.preview
  const face = picture || blurred ? null : publicImage(creator.avatar_url, creator.updated_at)
  const look = primary ? 'filled' : 'default'
  return (
    <div
      className={classes.locked}
      data-previewed={blurred !== undefined}
      data-covered={picture !== undefined}
      style={{ aspectRatio: types.length > 0 || picture ? shapeOf(post) : undefined }}
    >
      {picture && <img className={classes.cover} src={picture} alt="" loading="lazy" decoding="async" />}
      {blurred && <BlurredPreview preview={blurred} />}
      <div className={classes.backdrop} aria-hidden="true">
        {/* Blurred, so the small rendition is enough, which the header has loaded already. */}
        {face && <img src={smallImage(face)} alt="" loading="lazy" />}
      </div>
      <div className={classes.front}>
        <span className={classes.lock} aria-hidden="true">
          <IconLock size={24} stroke={1.6} />
        </span>
        {post.post_type === 'ppv' ? <PriceOffer post={post} look={look} /> : <PlanOffer post={post} look={look} />}
        {primary && <SignInLink />}
      </div>
    </div>
  )
}

/** For fans who have paid and are signed out: otherwise they would see only the price. */
function SignInLink() {
  const viewer = useViewer()
  const here = useLocation()
  if (viewer !== null) return null
  return (
    <p className={classes.signIn}>
      {postTexts.locked.paid} <Link to={signInPath(here, { tab: 'sign-in' })}>{postTexts.locked.signIn}</Link>
    </p>
  )
}

/** Each post has a price of its own. */
function PriceOffer({ post, look }: { post: Post; look: 'filled' | 'default' }) {
  const purchase = useCheckout<{ kind: 'ppv'; targetId: string }>('create-payment-checkout', payingTexts.error)
  return (
    <>
      <p className={classes.text}>{postTexts.locked.ppv(formatCents(post.ppv_price ?? 0))}</p>
      {post.media_types.length > 0 && (
        <p className={classes.media}>{describeMedia(post.media_types, post.media_previews)}</p>
      )}
      <Button
        mt="sm"
        variant={look}
        onClick={() => purchase.start({ kind: 'ppv', targetId: post.id })}
        loading={purchase.pending !== undefined}
      >
        {postTexts.purchase}
      </Button>
    </>
  )
}
