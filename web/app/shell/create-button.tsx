import { Button, UnstyledButton } from '@mantine/core'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import classes from './create-button.module.css'

const ComposerDialog = lazy(() => import('../../domain/composer/composer-dialog.tsx'))

/** Opens the composer from every screen: a creator's primary action (LOOP-07). Creators who wait for their approval write a draft. */
export default function CreateButton({ onPhone }: { onPhone: boolean | undefined }) {
  const viewer = useViewer()
  const [open, setOpen] = useState(false)
  if (!viewer) return null
  return (
    <>
      {onPhone ? (
        <UnstyledButton
          className={classes.round ?? ''}
          aria-label={shellTexts.create}
          title={shellTexts.create}
          onClick={() => setOpen(true)}
        >
          <IconPlus size={24} stroke={2} />
        </UnstyledButton>
      ) : (
        <Button leftSection={<IconPlus size={18} stroke={2} />} onClick={() => setOpen(true)}>
          {shellTexts.create}
        </Button>
      )}
      {open && (
        <Suspense>
          <ComposerDialog viewer={viewer} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
