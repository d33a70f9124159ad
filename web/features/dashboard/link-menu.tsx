import { trackingLinkTexts as texts } from '@ovation/contract/texts/tracking-links'
import { IconArchive, IconArchiveOff, IconPencil } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { linksKey, type TrackingLink } from '../../domain/tracking-links/queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { toast } from '../../ui/toast.ts'

const LinkForm = lazy(() => import('./link-form.tsx'))

type Props = { viewerId: string; link: TrackingLink }

/** Edits a link, archives it, or restores it. There is no deletion: its figures stay (LINK-01). */
export function LinkMenu({ viewerId, link }: Props) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'edit' | 'archive'>()
  const close = () => setOpen(undefined)
  const change = useMutation({
    mutationFn: async (is_archived: boolean) => {
      await supabase.from('tracking_links').update({ is_archived }).eq('id', link.id).throwOnError()
      await queryClient.invalidateQueries({ queryKey: linksKey(viewerId) })
    },
    onSuccess: (_, isArchived) => toast.success(isArchived ? texts.archive.done : texts.restore.done),
    onError: (error, isArchived) =>
      toast.error(errorMessageOf(error), isArchived ? texts.archive.failed : texts.restore.failed),
    onSettled: close,
  })
  const edit = { label: texts.edit, icon: IconPencil, onSelect: () => setOpen('edit') }
  return (
    <>
      <MoreButton
        label={texts.more(link.name)}
        pending={change.isPending}
        actions={
          link.is_archived
            ? [edit, { label: texts.restore.action, icon: IconArchiveOff, onSelect: () => change.mutate(false) }]
            : [edit, { label: texts.archive.action, icon: IconArchive, onSelect: () => setOpen('archive') }]
        }
      />
      {open === 'archive' && (
        <ConfirmDialog
          title={texts.archive.title(link.name)}
          message={texts.archive.message}
          confirmLabel={texts.archive.confirm}
          pending={change.isPending}
          onConfirm={() => change.mutate(true)}
          onClose={close}
        />
      )}
      {open === 'edit' && (
        <Suspense>
          <LinkForm viewerId={viewerId} link={link} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
