import { Text } from '@mantine/core'
import { storyTexts } from '@ovation/contract/texts/stories'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Story, viewersQuery } from '../../domain/stories/queries.ts'
import { Ago } from '../../ui/ago.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { PersonRow, PersonRows } from '../../ui/person-row.tsx'

const texts = storyTexts.viewers

/** Who has seen a story, for its creator (STORY-02). */
export default function ViewersDialog({ story, onClose }: { story: Story; onClose: () => void }) {
  const viewers = useInfiniteQuery(viewersQuery(story.id))
  return (
    <Dialog title={texts.title} onClose={onClose} fullScreenOnPhone>
      <PagedList
        query={viewers}
        rows={viewers.data?.pages.flat()}
        pending={<ListSkeleton rows={3} />}
        failed={{ title: texts.loadFailed }}
        empty={<Text c="dimmed">{texts.none}</Text>}
        moreFailed={texts.moreFailed}
      >
        {(rows, more) => (
          <>
            <PersonRows>
              {rows.map((viewer) => (
                <PersonRow key={viewer.profile_id} person={{ ...viewer, user_id: '' }} action={null}>
                  <Text size="sm" c="dimmed">
                    @{viewer.username} · <Ago at={viewer.viewed_at} />
                  </Text>
                </PersonRow>
              ))}
            </PersonRows>
            {more}
          </>
        )}
      </PagedList>
    </Dialog>
  )
}
