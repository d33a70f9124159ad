import { Badge } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconCheck, IconLock, IconPin, IconTicket } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { formatAgo } from '../../lib/format/format-ago.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import classes from './post-header.module.css'
import type { Post } from './queries.ts'

type Props = {
  post: Post
  /** Whether the viewer bought it: then it says so in place of the price. */
  bought?: boolean
  menu?: ReactNode
}

/** A post's author, time, and audience (POST-01, POST-02, POST-08, POST-09). */
export function PostHeader({ post, bought = false, menu }: Props) {
  const { creator } = post
  const profile = paths.profile(addressOf(creator))
  const price = post.post_type === 'ppv' && post.ppv_price !== null && postTexts.payPerView(formatCents(post.ppv_price))
  return (
    <header className={classes.header}>
      {/* For touch and mouse; keyboards and screen readers use the name's link. */}
      <Link to={profile} tabIndex={-1} aria-hidden="true" className={classes.avatar}>
        <ProfileAvatar name={nameOf(creator)} src={publicImage(creator.avatar_url, creator.updated_at)} size={46} />
      </Link>
      <div className={classes.names}>
        <div className={classes.nameLine}>
          <Link to={profile} className={classes.name} dir="auto">
            {nameOf(creator)}
          </Link>
          {creator.is_verified && <VerifiedBadge />}
        </div>
        <div className={classes.detail}>
          {creator.username && <span className={classes.handle}>@{creator.username}</span>}
          <Link
            to={paths.post(post.id)}
            className={classes.date}
            aria-label={`${formatAgo(post.created_at)}, ${postTexts.openPost}`}
          >
            <Ago at={post.created_at} />
          </Link>
        </div>
      </div>
      <div className={classes.badges}>
        {post.mark && <Badge variant="light">{post.mark}</Badge>}
        {post.is_pinned && (
          <Badge variant="light" color="gray" leftSection={<IconPin size={13} />}>
            {postTexts.pinned}
          </Badge>
        )}
        {post.post_type === 'subscription' && (
          <Badge variant="light" color="gray" leftSection={<IconLock size={13} />}>
            {postTexts.subscriberOnly}
          </Badge>
        )}
        {price && (
          <Badge
            variant="light"
            color={bought ? 'teal' : 'gray'}
            leftSection={bought ? <IconCheck size={13} /> : <IconTicket size={13} />}
            title={price}
          >
            {bought ? postTexts.purchased : price}
          </Badge>
        )}
      </div>
      {menu && <div className={classes.menu}>{menu}</div>}
    </header>
  )
}
