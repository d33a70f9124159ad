import { Badge } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { schedulingTexts } from '@ovation/contract/texts/scheduling'
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatExact } from '../../lib/format/format-date.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { type ScheduledPost, scheduledPostsQuery } from './queries.ts'
import classes from './scheduled-posts.module.css'
import { useScheduledActions } from './use-scheduled-actions.ts'

const EditScheduled = lazy(() => import('./edit-scheduled.tsx'))

const texts = schedulingTexts.list

/** The creator's scheduled posts. Renders nothing if there are none. */
export function ScheduledPosts({ profileId }: { profileId: string }) {
  const query = useInfiniteQuery(scheduledPostsQuery(profileId))
  return (
    <PagedList
      query={query}
      rows={query.data?.pages.flat()}
      pending={null}
      failed={{ title: texts.loadFailed }}
      empty={null}
      moreFailed={texts.loadFailed}
    >
      {(posts, more) => (
        <section className={`surface ${classes.panel}`} aria-labelledby="scheduled-posts">
          <h2 id="scheduled-posts">{texts.title}</h2>
          <ul>
            {posts.map((post) => (
              <ScheduledRow key={post.id} post={post} />
            ))}
          </ul>
          {more}
        </section>
      )}
    </PagedList>
  )
}

function ScheduledRow({ post }: { post: ScheduledPost }) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  const { publish, remove } = useScheduledActions(post.id, close)
  const name = post.title || post.content || dashboardTexts.content.untitled
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <span className={classes.name} dir="auto">
          {name}
        </span>
        <span className={classes.when} data-failed={post.failure !== null}>
          {post.failure ? `${texts.notPublished}: ${post.failure}` : texts.at(formatExact(post.publish_at))}
        </span>
      </div>
      <div className={classes.marks}>
        {post.poll && <Badge variant="default">{texts.poll}</Badge>}
        <Badge variant="light" color={post.post_type === 'free' ? 'gray' : 'crimson'}>
          {dashboardTexts.content.kinds[post.post_type]}
        </Badge>
      </div>
      <MoreButton
        label={texts.more(name)}
        pending={publish.isPending}
        actions={[
          { label: texts.publish, icon: IconSend, onSelect: () => publish.mutate() },
          { label: texts.edit, icon: IconPencil, onSelect: () => setOpen('edit') },
          { label: texts.delete, icon: IconTrash, onSelect: () => setOpen('delete') },
        ]}
      />
      {open === 'edit' && (
        <Suspense>
          <EditScheduled post={post} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={texts.deleteTitle}
          message={texts.deleteMessage}
          confirmLabel={texts.delete}
          onConfirm={() => remove.mutate()}
          onClose={close}
          pending={remove.isPending}
        />
      )}
    </li>
  )
}
