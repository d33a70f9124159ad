import { paths } from '@ovation/contract/paths'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import {
  IconArrowBackUp,
  IconCalendarOff,
  IconClock,
  IconCopy,
  IconPencil,
  IconPlayerStop,
  IconTrash,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { MassMessage } from '../../domain/mass-messages/queries.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import type { MoreAction } from '../../ui/more-menu.tsx'
import { nameOfMass } from './name-of-mass.ts'
import { useMassActions } from './use-mass-actions.ts'

const EndDialog = lazy(() => import('./end-dialog.tsx'))

const texts = massMessageTexts.tab

type Props = { message: MassMessage; profileId: string }

/** What the creator can do with a mass message (MASS-02, MASS-04). */
export function MassMenu({ message, profileId }: Props) {
  const navigate = useNavigate()
  const [open, setOpen] = useState<'unsend' | 'end' | 'changeEnd' | 'delete'>()
  const close = () => setOpen(undefined)
  const actions = useMassActions(profileId, message.id, close)
  const { status, price_cents, ends_at } = message
  const isOut = status === 'sending' || status === 'sent'
  const edit = { label: texts.edit, icon: IconPencil, onSelect: () => navigate(paths.massMessage(message.id)) }
  const again = {
    label: texts.again,
    icon: IconCopy,
    onSelect: () => navigate(paths.newMassMessage(`from=${message.id}`)),
  }
  const shown: MoreAction[] =
    status === 'draft'
      ? [edit, again, { label: texts.delete, icon: IconTrash, onSelect: () => setOpen('delete') }]
      : status === 'scheduled'
        ? [edit, again, { label: texts.toDrafts, icon: IconCalendarOff, onSelect: () => actions.toDrafts.mutate() }]
        : [
            again,
            ...(isOut && price_cents !== null
              ? [
                  {
                    label: ends_at ? texts.changeEnd : texts.setEnd,
                    icon: IconClock,
                    onSelect: () => setOpen('changeEnd'),
                  },
                  { label: texts.endNow, icon: IconPlayerStop, onSelect: () => setOpen('end') },
                ]
              : []),
            ...(isOut ? [{ label: texts.unsend, icon: IconArrowBackUp, onSelect: () => setOpen('unsend') }] : []),
          ]
  return (
    <>
      <MoreButton label={texts.more(nameOfMass(message))} actions={shown} pending={actions.toDrafts.isPending} />
      {open === 'unsend' && (
        <ConfirmDialog
          title={massMessageTexts.unsend.title}
          message={[massMessageTexts.unsend.message, status === 'sending' && massMessageTexts.unsend.stops]
            .filter(Boolean)
            .join(' ')}
          confirmLabel={texts.unsend}
          onConfirm={() => actions.unsend.mutate()}
          onClose={close}
          pending={actions.unsend.isPending}
        />
      )}
      {open === 'end' && (
        <ConfirmDialog
          title={massMessageTexts.end.title}
          message={massMessageTexts.end.message}
          confirmLabel={texts.endNow}
          onConfirm={() => actions.endNow.mutate()}
          onClose={close}
          pending={actions.endNow.isPending}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={massMessageTexts.delete.title}
          message={massMessageTexts.delete.message}
          confirmLabel={massMessageTexts.delete.confirm}
          onConfirm={() => actions.remove.mutate()}
          onClose={close}
          pending={actions.remove.isPending}
        />
      )}
      {open === 'changeEnd' && (
        <Suspense>
          <EndDialog profileId={profileId} message={message} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
