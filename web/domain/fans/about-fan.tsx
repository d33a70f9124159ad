import { ActionIcon } from '@mantine/core'
import { fanTexts } from '@ovation/contract/texts/fans'
import { IconUserSquareRounded } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

const FanSheetDialog = lazy(() => import('./fan-sheet.tsx'))

type Props = { viewerId: string; fan: { id: string; name: string } }

/** Opens what a creator knows about a fan (LIST-04). */
export function AboutFan({ viewerId, fan }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={fanTexts.open(fan.name)}
        onClick={() => setOpen(true)}
      >
        <IconUserSquareRounded size={19} stroke={1.6} />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <FanSheetDialog viewerId={viewerId} fan={fan} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
