import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { IconFeather } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ComposeButton } from '../../domain/composer/compose-button.tsx'
import { ScheduledPosts } from '../../domain/scheduling/scheduled-posts.tsx'
import panelClasses from './panel.module.css'
import { type OwnPost, ownPostsQuery } from './post-queries.ts'
import { PostRow } from './post-rows.tsx'
import { pageSize } from './query-parts.ts'
import { useWindowRows } from './use-window-rows.ts'
import { WholeList } from './whole-list.tsx'

const texts = dashboardTexts.content

/** All of the creator's posts, with scheduled ones first. */
export default function ContentTab({ profileId }: { profileId: string }) {
  const query = useInfiniteQuery(ownPostsQuery(profileId))
  return (
    <>
      <ScheduledPosts profileId={profileId} />
      <WholeList
        query={query}
        empty={{ ...texts.empty, action: <ComposeButton /> }}
        icon={IconFeather}
        failure={texts.loadFailed}
      >
        {(posts) => (
          <section className={`surface ${panelClasses.panel}`} aria-label={texts.title}>
            <WindowedPosts posts={posts} />
          </section>
        )}
      </WholeList>
    </>
  )
}

function WindowedPosts({ posts }: { posts: OwnPost[] }) {
  const { box, rows, before, after } = useWindowRows<HTMLUListElement>(posts.length, 74)
  return (
    <ul ref={box} className={panelClasses.rows} style={{ paddingBlock: `${before}px ${after}px` }}>
      {rows.map(({ index, attributes }) => {
        const post = posts[index]
        const page = index - (index % pageSize)
        return (
          post && (
            <PostRow
              key={post.id}
              post={post}
              among={posts.slice(page, page + pageSize)}
              {...attributes}
              aria-posinset={index + 1}
              aria-setsize={-1}
            />
          )
        )
      })}
    </ul>
  )
}
