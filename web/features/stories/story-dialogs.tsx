import { operationsTexts } from '@ovation/contract/texts/operations'
import { storyTexts } from '@ovation/contract/texts/stories'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { type Story, type StoryCreator, storiesKey } from '../../domain/stories/queries.ts'
import { vaultKey } from '../../domain/vault/vault-key.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'

const ReportDialog = lazy(() => import('../../domain/reports/report-dialog.tsx'))
const TipDialog = lazy(() => import('../../domain/payments/tip-dialog.tsx'))
const HighlightDialog = lazy(() => import('../../domain/stories/highlight-dialog.tsx'))
const ReasonDialog = lazy(() => import('../../ui/reason-dialog.tsx'))
const ViewersDialog = lazy(() => import('./viewers-dialog.tsx'))

const texts = storyTexts.viewer

export type StoryDialog = 'viewers' | 'highlight' | 'edit-highlight' | 'delete' | 'report' | 'take-down' | 'tip'

type Props = {
  dialog: StoryDialog | undefined
  creator: StoryCreator
  story: Story
  highlightId: string | undefined
  /** Nothing is left to show after this story is deleted. */
  isLast: boolean
  onLeave: () => void
  onClose: () => void
}

/** What opens above a story, which waits meanwhile. */
export function StoryDialogs({ dialog, creator, story, highlightId, isLast, onLeave, onClose }: Props) {
  const queryClient = useQueryClient()
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: storiesKey })
    void queryClient.invalidateQueries({ queryKey: vaultKey })
  }
  const remove = useMutation({
    mutationFn: async () => supabase.from('stories').delete().eq('id', story.id).throwOnError(),
    onSuccess: () => {
      if (isLast) toast.leaving(texts.deleted)
      else toast.success(texts.deleted)
      onClose()
      if (isLast) onLeave()
      refresh()
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.deleteFailed),
  })
  if (!dialog) return null
  if (dialog === 'delete')
    return (
      <ConfirmDialog
        title={texts.deleteQuestion.title}
        message={texts.deleteQuestion.message}
        confirmLabel={texts.deleteQuestion.confirm}
        pending={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={onClose}
      />
    )
  const takeDown = operationsTexts.takeDown
  return (
    <Suspense>
      {dialog === 'viewers' && <ViewersDialog story={story} onClose={onClose} />}
      {dialog === 'report' && <ReportDialog target={{ type: 'story', id: story.id }} onClose={onClose} />}
      {dialog === 'tip' && <TipDialog target={{ creatorId: creator.id, name: nameOf(creator) }} onClose={onClose} />}
      {dialog === 'highlight' && <HighlightDialog creatorId={creator.id} storyId={story.id} onClose={onClose} />}
      {dialog === 'edit-highlight' && highlightId && (
        <HighlightDialog creatorId={creator.id} highlightId={highlightId} onDeleted={onLeave} onClose={onClose} />
      )}
      {dialog === 'take-down' && (
        <ReasonDialog
          subject={story.id}
          title={takeDown.title.story}
          message={takeDown.message.story}
          field={{ label: takeDown.reason, hint: takeDown.reasonHint, missing: takeDown.reasonMissing }}
          confirm={takeDown.confirm}
          done={takeDown.done.story}
          failed={takeDown.failed}
          leaves={isLast}
          run={async (reason) =>
            supabase.rpc('take_down', { target_type: 'story', target_id: story.id, reason }).throwOnError()
          }
          onDone={() => {
            if (isLast) onLeave()
            refresh()
          }}
          onClose={onClose}
        />
      )}
    </Suspense>
  )
}
