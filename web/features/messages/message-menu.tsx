import { messageTexts } from '@ovation/contract/texts/messages'
import { IconFlag } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Message } from '../../domain/messages/queries.ts'
import { MoreButton } from '../../domain/safety/more-button.tsx'

const Report = lazy(() =>
  import('../../domain/safety/safety-dialogs.tsx').then((module) => ({ default: module.Report })),
)

/** The actions on another user's message (D43). */
export function MessageMenu({ message, name }: { message: Message; name: string }) {
  const [reporting, setReporting] = useState(false)
  return (
    <>
      <MoreButton
        label={messageTexts.moreFor(name)}
        actions={[{ label: messageTexts.report, icon: IconFlag, onSelect: () => setReporting(true) }]}
      />
      {reporting && (
        <Suspense>
          <Report target={{ type: 'message', id: message.id }} onClose={() => setReporting(false)} />
        </Suspense>
      )}
    </>
  )
}
