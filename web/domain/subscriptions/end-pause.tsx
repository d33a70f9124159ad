import { Button } from '@mantine/core'
import { pauseTexts } from '@ovation/contract/texts/pauses'
import { useState } from 'react'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import type { MySubscription } from './my-subscriptions.ts'
import { useManageSubscription } from './use-manage-subscription.ts'

const { own } = pauseTexts

/** Takes back a pause that hasn't begun, or ends one that has, which charges the card (OFFER-10). */
export function EndPause({ subscription, hasBegun }: { subscription: MySubscription; hasBegun: boolean }) {
  const { id, creator, price_cents } = subscription
  const [asking, setAsking] = useState(false)
  const end = useManageSubscription((bank) => {
    setAsking(false)
    // The button to the bank's page is in the row from now on.
    if (bank) toast.info(own.bank)
  })
  const send = () => end.mutate({ change: 'end-pause', subscriptionId: id, done: hasBegun ? own.resumed : own.kept })
  const name = nameOf(creator)
  return (
    <>
      <Button
        variant="light"
        onClick={hasBegun ? () => setAsking(true) : send}
        loading={end.isPending && !asking}
        aria-label={hasBegun ? own.resumeNamed(name) : own.keepNamed(name)}
      >
        {hasBegun ? own.resume : own.keep}
      </Button>
      {asking && (
        <ConfirmDialog
          title={own.resumeDialog.title}
          message={own.resumeDialog.message(name, formatCents(price_cents))}
          confirmLabel={own.resumeDialog.confirm(formatCents(price_cents))}
          primary
          pending={end.isPending}
          onConfirm={send}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
