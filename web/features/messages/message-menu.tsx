import { messageTexts } from '@ovation/contract/texts/messages'
import { IconArrowBackUp, IconFlag } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Message } from '../../domain/messages/queries.ts'
import { MoreButton } from '../../ui/more-button.tsx'

const ReportDialog = lazy(() => import('../../domain/reports/report-dialog.tsx'))
const UnsendDialog = lazy(() => import('./unsend-dialog.tsx'))

type Props = { message: Message; mine: boolean; name: string; onUnsent: () => void }

/** The actions on a message: another user's can be reported (D43), and the viewer's own unsent until it is read or bought (INBOX-07). */
export function MessageMenu({ message, mine, name, onUnsent }: Props) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const open = () => setOpen(true)
  if (mine && (message.is_paid ? message.is_unlocked : message.is_read)) return null
  return (
    <>
      <MoreButton
        label={mine ? messageTexts.moreForMine : messageTexts.moreFor(name)}
        actions={[
          mine
            ? { label: messageTexts.unsend.action, icon: IconArrowBackUp, onSelect: open }
            : { label: messageTexts.report, icon: IconFlag, onSelect: open },
        ]}
      />
      {isOpen && (
        <Suspense>
          {mine ? (
            <UnsendDialog message={message} name={name} onUnsent={onUnsent} onClose={close} />
          ) : (
            <ReportDialog target={{ type: 'message', id: message.id }} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  )
}
