import { Button } from '@mantine/core'
import { giveTexts as texts } from '@ovation/contract/texts/gifts'
import { IconGift } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import type { GiftablePlan } from './gift-dialog.tsx'

const GiftDialog = lazy(() => import('./gift-dialog.tsx'))

/** The button below a creator's plans that opens the gift dialog; visitors sign in first (OFFER-02). */
export function GiveGift({ creatorId, plans }: { creatorId: string; plans: readonly GiftablePlan[] }) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        mt="md"
        ml="-xs"
        px="xs"
        leftSection={<IconGift size={18} stroke={1.6} aria-hidden="true" />}
        disabled={viewer === undefined}
        onClick={() => (viewer ? setOpen(true) : askToSignIn())}
      >
        {texts.open}
      </Button>
      {open && (
        <Suspense>
          <GiftDialog creatorId={creatorId} plans={plans} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
