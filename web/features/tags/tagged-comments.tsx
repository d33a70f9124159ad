import { paths } from '@ovation/contract/paths'
import { nameTexts } from '@ovation/contract/texts/names'
import { IconMessageCircle } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { type TaggedComment, taggedCommentsQuery } from './queries.ts'
import classes from './tagged-comments.module.css'

const { page: texts } = nameTexts

/** The comments with a tag, each with a link to its post. */
export default function TaggedComments({ tag }: { tag: string }) {
  const comments = useInfiniteQuery(taggedCommentsQuery(tag))
  return (
    <PagedList
      query={comments}
      rows={comments.data?.pages.flat()}
      pending={<ListSkeleton rows={3} />}
      failed={{ title: texts.commentsFailed }}
      empty={<EmptyState icon={<IconMessageCircle size={26} stroke={1.5} />} {...texts.emptyComments} />}
      moreFailed={texts.moreFailed}
    >
      {(rows, more) => (
        <>
          <ul className={`surface ${classes.list}`}>
            {rows.map((comment) => (
              <One key={comment.id} comment={comment} />
            ))}
          </ul>
          {more}
        </>
      )}
    </PagedList>
  )
}

function One({ comment: { author, content, created_at, post } }: { comment: TaggedComment }) {
  const name = nameOf(author)
  return (
    <li className={classes.row}>
      <ProfileAvatar name={name} src={publicImage(author.avatar_url, author.updated_at)} size={36} />
      <div className={classes.words}>
        <p className={classes.by}>
          <Link to={paths.profile(addressOf(author))} dir="auto">
            {name}
          </Link>{' '}
          {post && (
            <>
              {texts.commented} <Link to={paths.post(post.id)}>{post.title ?? texts.aPost}</Link>{' '}
            </>
          )}
          <Ago at={created_at} />
        </p>
        <p className={classes.text} dir="auto">
          <LinkedText text={content} names />
        </p>
      </div>
    </li>
  )
}
